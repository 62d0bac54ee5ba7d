package dev.parley.bench.fanout;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.SpscArrayQueue;

/** A JCTools queue for each consumer, which yields while its queue is empty. */
@SuppressWarnings("ThreadPriorityCheck") // yielding is how such queues are used
final class QueueFan implements Fan {
  private static final int CAPACITY = 1 << 16;

  private final List<MessagePassingQueue<Note>> queues = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  QueueFan(boolean onePublisher, List<Tally> consumers) {
    for (Tally consumer : consumers) {
      MessagePassingQueue<Note> queue =
          onePublisher ? new SpscArrayQueue<>(CAPACITY) : new MpscArrayQueue<>(CAPACITY);
      queues.add(queue);
      threads.add(Thread.ofPlatform().daemon().start(() -> consume(queue, consumer)));
    }
  }

  private static void consume(MessagePassingQueue<Note> queue, Tally consumer) {
    while (!Thread.currentThread().isInterrupted()) {
      Note note = queue.relaxedPoll();
      if (note == null) {
        Thread.yield();
      } else {
        consumer.accept(note.topic());
      }
    }
  }

  @Override
  public void publish(Json payload) {
    Note note = new Note(Tally.TOPIC, payload);
    for (MessagePassingQueue<Note> queue : queues) {
      while (!queue.relaxedOffer(note)) {
        Thread.yield();
      }
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }
}

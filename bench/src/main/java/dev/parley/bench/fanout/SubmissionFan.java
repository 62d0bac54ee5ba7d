package dev.parley.bench.fanout;

import dev.parley.core.json.Json;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

/** The JDK's SubmissionPublisher, a thread a subscriber; it waits when a buffer is full. */
final class SubmissionFan implements Fan {
  private static final int BUFFER = 1 << 12;

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final SubmissionPublisher<Note> publisher = new SubmissionPublisher<>(executor, BUFFER);

  SubmissionFan(List<Tally> consumers) {
    for (Tally consumer : consumers) {
      publisher.subscribe(new Taker(consumer));
    }
  }

  private record Taker(Tally consumer) implements Flow.Subscriber<Note> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Note note) {
      consumer.accept(note.topic());
    }

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onComplete() {}
  }

  @Override
  public void publish(Json payload) {
    var _ = publisher.submit(new Note(Tally.TOPIC, payload));
  }

  @Override
  public void close() {
    publisher.close();
    executor.shutdown();
  }
}

package dev.parley.core.bus;

import dev.parley.core.AppendException;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Publishes asynchronously: one thread appends all queued messages in one batch.
 *
 * <p>The order of one caller's messages to one topic is kept. The queue is bounded, and callers
 * wait while it is full. A callback that publishes runs on the queue's own thread and does not
 * wait, because it would wait for itself.
 */
final class Publisher implements AutoCloseable {
  /** The largest batch: about one write, and small enough to stay in a CPU cache. */
  private static final int TOGETHER = 1024;

  /** A message, and the answer its publisher waits for. */
  private static final class Pending extends CompletableFuture<Stored> {
    final Topic topic;
    final Message message;

    Pending(Topic topic, Message message) {
      this.topic = topic;
      this.message = message;
    }
  }

  private final Log log;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final Condition notFull = lock.newCondition();
  private List<Pending> pending = new ArrayList<>();
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * @param most how many messages may wait to be appended
   */
  Publisher(Log log, int most) {
    this.log = log;
    this.most = most;
  }

  CompletableFuture<Stored> publish(Topic topic, Message message) {
    Pending added = new Pending(topic, message);
    lock.lock();
    try {
      while (pending.size() >= most && !closed && !Thread.currentThread().equals(thread)) {
        notFull.awaitUninterruptibly();
      }
      if (closed) {
        throw ParleyException.closed("bus");
      }
      pending.add(added);
      if (thread == null) {
        thread = Thread.ofPlatform().daemon().name("publisher").start(this::run);
      } else if (pending.size() == 1) {
        notEmpty.signal();
      }
    } finally {
      lock.unlock();
    }
    return added;
  }

  private void run() {
    for (List<Pending> taken = take(); !taken.isEmpty(); taken = take()) {
      for (int from = 0; from < taken.size(); from += TOGETHER) {
        appendAll(taken.subList(from, Math.min(from + TOGETHER, taken.size())));
      }
    }
  }

  private void appendAll(List<Pending> some) {
    Map<Topic, List<Pending>> byTopic = new LinkedHashMap<>();
    @Nullable Topic topic = null;
    List<Pending> ofTopic = List.of();
    for (Pending one : some) {
      if (!one.topic.equals(topic)) {
        topic = one.topic;
        ofTopic = byTopic.computeIfAbsent(topic, t -> new ArrayList<>());
      }
      ofTopic.add(one);
    }
    byTopic.forEach(this::append);
  }

  /** Waits for messages; empty once closed and all are taken. */
  private List<Pending> take() {
    lock.lock();
    try {
      while (pending.isEmpty() && !closed) {
        notEmpty.awaitUninterruptibly();
      }
      List<Pending> taken = pending;
      pending = new ArrayList<>(Math.min(taken.size(), 1024));
      notFull.signalAll();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void append(Topic topic, List<Pending> batch) {
    try {
      answer(batch, log.append(topic, messages(batch)));
    } catch (AppendException e) {
      answer(batch, e.stored());
      fail(batch.subList(e.stored().size(), batch.size()), e);
    } catch (ParleyException e) {
      if (e.kind() == ParleyException.Kind.INVALID && batch.size() > 1) {
        // Nothing was written because of one of them: the others are appended without it.
        batch.forEach(one -> append(topic, List.of(one)));
      } else {
        fail(batch, e);
      }
    } catch (RuntimeException | Error e) {
      fail(batch, e);
    }
  }

  private static List<Message> messages(List<Pending> batch) {
    List<Message> messages = new ArrayList<>(batch.size());
    for (Pending one : batch) {
      messages.add(one.message);
    }
    return messages;
  }

  private static void answer(List<Pending> batch, List<Stored> stored) {
    for (int i = 0; i < stored.size(); i++) {
      batch.get(i).complete(stored.get(i));
    }
  }

  private static void fail(List<Pending> batch, Throwable error) {
    batch.forEach(one -> one.completeExceptionally(error));
  }

  /** Appends what is pending, then ends. */
  @Override
  public void close() {
    Thread flusher;
    lock.lock();
    try {
      closed = true;
      flusher = thread;
      notEmpty.signalAll();
      notFull.signalAll();
    } finally {
      lock.unlock();
    }
    if (flusher != null) {
      ThreadJoin.joinFully(flusher);
    }
  }
}

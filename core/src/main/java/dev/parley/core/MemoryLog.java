package dev.parley.core;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps topics in this process, for as long as it is open. A position counts messages.
 *
 * <p>Besides what every log does it has {@link #live}: a bounded stream that drops rather than
 * blocks.
 */
public final class MemoryLog implements Log {
  private final Limits limits;
  private final InstantSource clock;
  private final Reporter reporter;
  private final WriterId writer = WriterId.random();
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentMap<Topic, Lines> topics = new ConcurrentHashMap<>();
  private final Bell.Tower bells = new Bell.Tower();
  private final CopyOnWriteArrayList<LiveSubscription> live = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** One topic. Invariant: the envelope at index i has position and seq i + 1. */
  private static final class Lines {
    final ReentrantLock lock = new ReentrantLock();
    final List<Envelope> envelopes = new ArrayList<>();

    List<Envelope> after(long position, int limit) {
      lock.lock();
      try {
        int from = (int) position;
        int to = (int) Math.min(envelopes.size(), position + limit);
        return List.copyOf(envelopes.subList(from, to));
      } finally {
        lock.unlock();
      }
    }

    int size() {
      lock.lock();
      try {
        return envelopes.size();
      } finally {
        lock.unlock();
      }
    }
  }

  public MemoryLog() {
    this(Limits.DEFAULT, InstantSource.system(), Reporter.TO_LOG);
  }

  public MemoryLog(Limits limits, InstantSource clock, Reporter reporter) {
    this.limits = limits;
    this.clock = clock;
    this.reporter = reporter;
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    checkOpen();
    for (Message message : messages) {
      EnvelopeEncoder.check(limits, topic, message);
    }
    if (messages.isEmpty()) {
      return List.of();
    }
    List<Stored> stored = new ArrayList<>(messages.size());
    Lines lines = topics.computeIfAbsent(topic, name -> new Lines());
    lines.lock.lock();
    try {
      for (Message message : messages) {
        long seq = lines.envelopes.size() + 1L;
        long number = numbers.incrementAndGet();
        Position position = new Position(seq);
        Envelope envelope =
            new Envelope(
                topic,
                position,
                new Envelope.Fresh(
                    writer, number, seq, clock.instant().truncatedTo(ChronoUnit.MICROS), message));
        lines.envelopes.add(envelope);
        stored.add(new Stored(topic, writer, number, seq, position));
        // Under the topic's lock, so that live subscribers see its order.
        for (LiveSubscription subscription : live) {
          subscription.offer(envelope);
        }
      }
    } finally {
      lines.lock.unlock();
    }
    bells.ring(topic);
    return stored;
  }

  @Override
  public Batch read(Topic topic, Bookmark after, int limit) {
    checkOpen();
    Lines lines = topics.get(topic);
    checkPlace(topic, lines, after);
    if (lines == null) {
      return Batch.empty(after);
    }
    List<Envelope> found = lines.after(after.position().value(), limit);
    return found.isEmpty()
        ? Batch.empty(after)
        : new Batch(found, List.of(), place(found.getLast().position()));
  }

  @Override
  public Bookmark end(Topic topic) {
    checkOpen();
    Lines lines = topics.get(topic);
    return place(new Position(lines == null ? 0 : lines.size()));
  }

  @Override
  public Bookmark bookmark(Topic topic, Position position) {
    checkOpen();
    checkPlace(topic, topics.get(topic), Bookmark.at(position));
    return place(position);
  }

  /** The proof is this log itself: nothing in it can be replaced while it is open. */
  private Bookmark place(Position position) {
    return position.value() == 0 ? Bookmark.START : new Bookmark(position, proof());
  }

  private long proof() {
    return writer.toString().hashCode() | 1L << 32;
  }

  private void checkPlace(Topic topic, @Nullable Lines lines, Bookmark place) {
    if (place.proof() != 0 && place.proof() != proof()) {
      throw new LostPlaceException(topic, place.position(), "it was read from another log");
    }
    if (place.position().value() > (lines == null ? 0 : lines.size())) {
      throw new LostPlaceException(topic, place.position(), "the topic ends before it");
    }
  }

  @Override
  public Set<Topic> topics(Prefix under) {
    checkOpen();
    Set<Topic> found = new TreeSet<>();
    for (Topic topic : topics.keySet()) {
      if (under.covers(topic)) {
        found.add(topic);
      }
    }
    return found;
  }

  @Override
  public Doorbell doorbell(Prefix under) {
    checkOpen();
    return bells.hang(under);
  }

  /** What is published from now on, with the usual buffer. */
  public LiveSubscription live(Prefix prefix) {
    return live(prefix, LiveSubscription.DEFAULT_BUFFER);
  }

  public LiveSubscription live(Prefix prefix, int buffer) {
    checkOpen();
    LiveSubscription subscription = new LiveSubscription(prefix, buffer, reporter, live::remove);
    live.add(subscription);
    return subscription;
  }

  private void checkOpen() {
    if (closed) {
      throw ParleyException.closed("log");
    }
  }

  @Override
  public void close() {
    closed = true;
    bells.closeAll();
    live.forEach(LiveSubscription::close);
  }
}

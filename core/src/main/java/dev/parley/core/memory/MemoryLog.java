package dev.parley.core.memory;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.LiveSubscription;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.time.BootClock;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.CachedClock;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps topics in this process, for as long as it is open. A position counts messages.
 *
 * <p>Besides what every log does it has {@link #live}: a bounded stream that drops rather than
 * blocks.
 */
public final class MemoryLog implements Log {
  /** Who looked at the clock so little earlier looked at the same time, in µs. */
  private static final long SAME_TIME = 1_000;

  private final Limits limits;
  private final LongSupplier clock;
  private final BootClock bootClock;
  private final Reporter reporter;
  private final long proof = WriterId.random().toString().hashCode() | 1L << 32;
  private final ConcurrentMap<Topic, MemoryTopic> topics = new ConcurrentHashMap<>();
  private final LocalDoorbell.DoorbellRegistry bells = new LocalDoorbell.DoorbellRegistry(true);
  private final CopyOnWriteArrayList<LiveSubscription> live = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  public MemoryLog() {
    this(Limits.DEFAULT, new CachedClock()::micros, BootClock.ofProcess(), Reporter.TO_LOG);
  }

  /** As {@link #MemoryLog()}, on a wall clock of its own, which nobody sets. */
  public MemoryLog(Limits limits, InstantSource clock, Reporter reporter) {
    this(limits, clock, following(clock), reporter);
  }

  public MemoryLog(Limits limits, InstantSource clock, BootClock bootClock, Reporter reporter) {
    this(limits, () -> Timestamps.micros(clock.instant()), bootClock, reporter);
  }

  private MemoryLog(Limits limits, LongSupplier clock, BootClock bootClock, Reporter reporter) {
    this.limits = limits;
    this.clock = clock;
    this.bootClock = bootClock;
    this.reporter = reporter;
  }

  private static BootClock following(InstantSource clock) {
    return () -> {
      long millis = clock.instant().toEpochMilli();
      return millis < 0 || millis > BootTime.MOST ? null : new BootTime("given", millis);
    };
  }

  @Override
  public BootClock clock() {
    return bootClock;
  }

  @Override
  public Stored append(Topic topic, Message message) {
    checkOpen();
    EnvelopeEncoder.check(limits, topic, message);
    MemoryTopic lines = topicOf(topic);
    long micros = clock.getAsLong();
    long seq;
    lines.lock.lock();
    try {
      seq = add(lines, inOrder(lines, micros), message);
    } finally {
      lines.lock.unlock();
    }
    lines.ring();
    return stored(topic, lines, seq);
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
    MemoryTopic lines = topicOf(topic);
    long micros = clock.getAsLong();
    lines.lock.lock();
    try {
      long time = inOrder(lines, micros);
      for (Message message : messages) {
        stored.add(stored(topic, lines, add(lines, time, message)));
      }
    } finally {
      lines.lock.unlock();
    }
    lines.ring();
    return stored;
  }

  /** The time of the next message, of which the clock said this. Only under the topic's lock. */
  private long inOrder(MemoryTopic lines, long micros) {
    long before = lines.lastMicros();
    if (micros >= before) {
      return micros;
    }
    // Someone who looked at the clock later was faster here: times go with the order. After a
    // long wait, or if the clock was set back, only the clock knows.
    return before - micros < SAME_TIME ? before : clock.getAsLong();
  }

  /** Adds a message and says its seq. Under the topic's lock, so live subscribers see its order. */
  private long add(MemoryTopic lines, long micros, Message message) {
    long seq = lines.add(micros, message.isClocked() ? bootClock.now() : null, message);
    for (LiveSubscription subscription : live) {
      subscription.offer(lines.at(seq));
    }
    return seq;
  }

  private static Stored stored(Topic topic, MemoryTopic lines, long seq) {
    return new Stored(topic, lines.writer(), seq, seq, new Position(seq), 1);
  }

  private MemoryTopic topicOf(Topic topic) {
    MemoryTopic known = topics.get(topic);
    // A writer for each topic: so nothing has to be counted for all of them.
    return known != null ? known : topics.computeIfAbsent(topic, this::newTopic);
  }

  private MemoryTopic newTopic(Topic topic) {
    return new MemoryTopic(topic, WriterId.random(), bells.notifier(topic));
  }

  @Override
  public Batch read(Topic topic, Bookmark after, int limit) {
    checkOpen();
    MemoryTopic lines = topics.get(topic);
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
    MemoryTopic lines = topics.get(topic);
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
    return position.value() == 0 ? Bookmark.START : new Bookmark(position, proof);
  }

  private void checkPlace(Topic topic, @Nullable MemoryTopic lines, Bookmark place) {
    if (place.proof() != 0 && place.proof() != proof) {
      throw new LostPlaceException(topic, place.position(), LostPlaceException.Problem.OTHER_LOG);
    }
    if (place.position().value() > (lines == null ? 0 : lines.size())) {
      throw new LostPlaceException(topic, place.position(), LostPlaceException.Problem.PAST_END);
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
    return bells.add(under);
  }

  @Override
  public Limits limits() {
    return limits;
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

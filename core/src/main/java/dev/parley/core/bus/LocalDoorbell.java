package dev.parley.core.bus;

import dev.parley.core.Doorbell;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A doorbell for readers and writers of one process: an append rings it directly. */
public final class LocalDoorbell implements Doorbell {
  private final DoorbellRegistry registry;
  private final Prefix prefix;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<PendingRing> rung = new ArrayList<>();

  private boolean closed;

  private LocalDoorbell(DoorbellRegistry registry, Prefix prefix, boolean closed) {
    this.registry = registry;
    this.prefix = prefix;
    this.closed = closed;
  }

  /**
   * Whether one topic has rung one doorbell. Invariant, under the doorbell's lock: it is pending
   * exactly while it is in {@link #rung}. So ringing a doorbell that rings already costs a
   * publisher one volatile read.
   */
  private static final class PendingRing {
    final LocalDoorbell bell;
    final Topic topic;
    volatile boolean pending;

    PendingRing(LocalDoorbell bell, Topic topic) {
      this.bell = bell;
      this.topic = topic;
    }
  }

  private void ring(PendingRing ring) {
    lock.lock();
    try {
      if (!ring.pending) {
        ring.pending = true;
        rung.add(ring);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Set<Topic> await(Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (rung.isEmpty() && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      Set<Topic> topics = new HashSet<>();
      for (PendingRing ring : rung) {
        // Reset before the reader reads, so that later appends ring again.
        ring.pending = false;
        topics.add(ring.topic);
      }
      rung.clear();
      return topics;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isNear() {
    return registry.isNear;
  }

  @Override
  public void close() {
    registry.remove(this);
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Rings the doorbells that cover one topic; the choice is cached. */
  public static final class TopicNotifier {
    private final DoorbellRegistry registry;
    private final Topic topic;
    private volatile PendingRings rings = new PendingRings(new LocalDoorbell[0], List.of());

    private TopicNotifier(DoorbellRegistry registry, Topic topic) {
      this.registry = registry;
      this.topic = topic;
    }

    /** The rings for the doorbells that were registered when they were looked up. */
    private static final class PendingRings {
      final LocalDoorbell[] bells;
      final PendingRing[] all;

      PendingRings(LocalDoorbell[] bells, List<PendingRing> all) {
        this.bells = bells;
        this.all = all.toArray(PendingRing[]::new);
      }
    }

    @SuppressWarnings("ReferenceEquality") // a change of the doorbells makes a new array
    public void ring() {
      LocalDoorbell[] bells = registry.bells;
      PendingRings cached = rings;
      for (PendingRing ring : cached.bells == bells ? cached.all : ringsFor(bells)) {
        if (!ring.pending) {
          ring.bell.ring(ring);
        }
      }
    }

    /**
     * If two threads do this at once, a doorbell gets two rings for this topic, which is harmless.
     */
    private PendingRing[] ringsFor(LocalDoorbell[] bells) {
      List<PendingRing> found = new ArrayList<>();
      for (LocalDoorbell bell : bells) {
        if (bell.prefix.covers(topic)) {
          found.add(new PendingRing(bell, topic));
        }
      }
      PendingRings made = new PendingRings(bells, found);
      rings = made;
      return made.all;
    }
  }

  /** All doorbells of one log. */
  public static final class DoorbellRegistry {
    private final boolean isNear;
    private final ConcurrentMap<Topic, TopicNotifier> notifiers = new ConcurrentHashMap<>();

    /** The doorbells registered now; replaced by another array on every change. */
    private volatile LocalDoorbell[] bells = {};

    private boolean closed;

    public DoorbellRegistry() {
      this(false);
    }

    /** The doorbells of a log that is {@linkplain Doorbell#isNear near} or not. */
    public DoorbellRegistry(boolean isNear) {
      this.isNear = isNear;
    }

    public synchronized LocalDoorbell add(Prefix prefix) {
      LocalDoorbell bell = new LocalDoorbell(this, prefix, closed);
      List<LocalDoorbell> more = new ArrayList<>(Arrays.asList(bells));
      more.add(bell);
      bells = more.toArray(LocalDoorbell[]::new);
      return bell;
    }

    private synchronized void remove(LocalDoorbell bell) {
      List<LocalDoorbell> rest = new ArrayList<>(Arrays.asList(bells));
      rest.remove(bell);
      bells = rest.toArray(LocalDoorbell[]::new);
    }

    /** The notifier of a topic, to be kept by code that rings very often. */
    public TopicNotifier notifier(Topic topic) {
      TopicNotifier known = notifiers.get(topic);
      return known != null
          ? known
          : notifiers.computeIfAbsent(topic, unknown -> new TopicNotifier(this, unknown));
    }

    /** Rings the doorbells that cover this topic. */
    public void ring(Topic topic) {
      notifier(topic).ring();
    }

    public boolean isEmpty() {
      return bells.length == 0;
    }

    /** Ends all waits, including those on doorbells that are added later. */
    public void closeAll() {
      for (LocalDoorbell bell : refuseMore()) {
        bell.close();
      }
    }

    private synchronized LocalDoorbell[] refuseMore() {
      closed = true;
      return bells;
    }
  }
}

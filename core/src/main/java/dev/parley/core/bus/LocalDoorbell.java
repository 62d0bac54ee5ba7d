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

/** A doorbell for one process: whoever appends rings it directly. */
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
   * What one topic rings one bell with. Invariant, under the bell's lock: it is pending as long as
   * it is among the {@link #rung}. So a bell that rings already costs its publishers one look.
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
        // Before whoever waited reads: what is appended later rings again.
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

  /** Rings the bells that are for one topic. */
  public static final class TopicNotifier {
    private final DoorbellRegistry registry;
    private final Topic topic;
    private volatile PendingRings rings = new PendingRings(new LocalDoorbell[0], List.of());

    private TopicNotifier(DoorbellRegistry registry, Topic topic) {
      this.registry = registry;
      this.topic = topic;
    }

    /** Those for the bells that hung when they were looked at. */
    private static final class PendingRings {
      final LocalDoorbell[] hung;
      final PendingRing[] all;

      PendingRings(LocalDoorbell[] hung, List<PendingRing> all) {
        this.hung = hung;
        this.all = all.toArray(PendingRing[]::new);
      }
    }

    @SuppressWarnings("ReferenceEquality") // another array is another choice of bells
    public void ring() {
      LocalDoorbell[] hung = registry.bells;
      PendingRings known = rings;
      for (PendingRing ring : known.hung == hung ? known.all : ringsFor(hung)) {
        if (!ring.pending) {
          ring.bell.ring(ring);
        }
      }
    }

    /** Should two do so at once, a bell has two rings of this topic, and no harm is done. */
    private PendingRing[] ringsFor(LocalDoorbell[] hung) {
      List<PendingRing> found = new ArrayList<>();
      for (LocalDoorbell bell : hung) {
        if (bell.prefix.covers(topic)) {
          found.add(new PendingRing(bell, topic));
        }
      }
      PendingRings made = new PendingRings(hung, found);
      rings = made;
      return made.all;
    }
  }

  /** All the bells of one log. */
  public static final class DoorbellRegistry {
    private final boolean isNear;
    private final ConcurrentMap<Topic, TopicNotifier> notifiers = new ConcurrentHashMap<>();

    /** Those that hang now: another array whenever one comes or goes. */
    private volatile LocalDoorbell[] bells = {};

    private boolean closed;

    public DoorbellRegistry() {
      this(false);
    }

    /** The bells of a log that is {@linkplain Doorbell#isNear near} or not. */
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

    /** Who rings for a topic: for who does so very often. */
    public TopicNotifier notifier(Topic topic) {
      TopicNotifier known = notifiers.get(topic);
      return known != null
          ? known
          : notifiers.computeIfAbsent(topic, unknown -> new TopicNotifier(this, unknown));
    }

    /** Rings the bells that are for this topic. */
    public void ring(Topic topic) {
      notifier(topic).ring();
    }

    public boolean isEmpty() {
      return bells.length == 0;
    }

    /** Ends all waits, and those for bells that are hung later. */
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

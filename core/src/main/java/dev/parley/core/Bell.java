package dev.parley.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A doorbell for one process: whoever appends rings it directly. */
public final class Bell implements Doorbell {
  private final Tower tower;
  private final Prefix prefix;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Rope> rung = new ArrayList<>();

  private boolean closed;

  private Bell(Tower tower, Prefix prefix) {
    this.tower = tower;
    this.prefix = prefix;
  }

  /**
   * What one topic rings one bell with. Invariant, under the bell's lock: it is pulled as long as
   * it is among the {@link #rung}. So a bell that rings already costs its publishers one look.
   */
  private static final class Rope {
    final Bell bell;
    final Topic topic;
    volatile boolean pulled;

    Rope(Bell bell, Topic topic) {
      this.bell = bell;
      this.topic = topic;
    }
  }

  private void ring(Rope rope) {
    lock.lock();
    try {
      if (!rope.pulled) {
        rope.pulled = true;
        rung.add(rope);
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
      for (Rope rope : rung) {
        // Before whoever waited reads: what is appended later rings again.
        rope.pulled = false;
        topics.add(rope.topic);
      }
      rung.clear();
      return topics;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isNear() {
    return tower.isNear;
  }

  @Override
  public void close() {
    tower.takeDown(this);
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** All the bells of one log. */
  public static final class Tower {
    private final CopyOnWriteArrayList<Bell> bells = new CopyOnWriteArrayList<>();
    private final boolean isNear;

    /** The ropes of each topic that has rung, for the bells that hang now. */
    private volatile ConcurrentMap<Topic, Rope[]> ropes = new ConcurrentHashMap<>();

    public Tower() {
      this(false);
    }

    /** The bells of a log that is {@linkplain Doorbell#isNear near} or not. */
    Tower(boolean isNear) {
      this.isNear = isNear;
    }

    public Bell hang(Prefix prefix) {
      Bell bell = new Bell(this, prefix);
      bells.add(bell);
      ropes = new ConcurrentHashMap<>();
      return bell;
    }

    private void takeDown(Bell bell) {
      bells.remove(bell);
      ropes = new ConcurrentHashMap<>();
    }

    /** Rings the bells that are for this topic. */
    public void ring(Topic topic) {
      ConcurrentMap<Topic, Rope[]> known = ropes;
      Rope[] toPull = known.get(topic);
      if (toPull == null) {
        toPull = known.computeIfAbsent(topic, this::ropes);
      }
      for (Rope rope : toPull) {
        if (!rope.pulled) {
          rope.bell.ring(rope);
        }
      }
    }

    private Rope[] ropes(Topic topic) {
      List<Rope> found = new ArrayList<>();
      for (Bell bell : bells) {
        if (bell.prefix.covers(topic)) {
          found.add(new Rope(bell, topic));
        }
      }
      return found.toArray(Rope[]::new);
    }

    public boolean isEmpty() {
      return bells.isEmpty();
    }

    /** Ends all waits. */
    public void closeAll() {
      bells.forEach(Bell::close);
    }
  }
}

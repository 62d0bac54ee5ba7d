package dev.parley.core;

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
public final class Bell implements Doorbell {
  private final Tower tower;
  private final Prefix prefix;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Rope> rung = new ArrayList<>();

  private boolean closed;

  private Bell(Tower tower, Prefix prefix, boolean closed) {
    this.tower = tower;
    this.prefix = prefix;
    this.closed = closed;
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

  /** Rings the bells that are for one topic. */
  public static final class Ringer {
    private final Tower tower;
    private final Topic topic;
    private volatile Ropes ropes = new Ropes(new Bell[0], List.of());

    private Ringer(Tower tower, Topic topic) {
      this.tower = tower;
      this.topic = topic;
    }

    /** Those for the bells that hung when they were looked at. */
    private static final class Ropes {
      final Bell[] hung;
      final Rope[] all;

      Ropes(Bell[] hung, List<Rope> all) {
        this.hung = hung;
        this.all = all.toArray(Rope[]::new);
      }
    }

    @SuppressWarnings("ReferenceEquality") // another array is another choice of bells
    public void ring() {
      Bell[] hung = tower.bells;
      Ropes known = ropes;
      for (Rope rope : known.hung == hung ? known.all : tieTo(hung)) {
        if (!rope.pulled) {
          rope.bell.ring(rope);
        }
      }
    }

    /** Should two do so at once, a bell has two ropes of this topic, and no harm is done. */
    private Rope[] tieTo(Bell[] hung) {
      List<Rope> found = new ArrayList<>();
      for (Bell bell : hung) {
        if (bell.prefix.covers(topic)) {
          found.add(new Rope(bell, topic));
        }
      }
      Ropes tied = new Ropes(hung, found);
      ropes = tied;
      return tied.all;
    }
  }

  /** All the bells of one log. */
  public static final class Tower {
    private final boolean isNear;
    private final ConcurrentMap<Topic, Ringer> ringers = new ConcurrentHashMap<>();

    /** Those that hang now: another array whenever one comes or goes. */
    private volatile Bell[] bells = {};

    private boolean closed;

    public Tower() {
      this(false);
    }

    /** The bells of a log that is {@linkplain Doorbell#isNear near} or not. */
    Tower(boolean isNear) {
      this.isNear = isNear;
    }

    public synchronized Bell hang(Prefix prefix) {
      Bell bell = new Bell(this, prefix, closed);
      List<Bell> more = new ArrayList<>(Arrays.asList(bells));
      more.add(bell);
      bells = more.toArray(Bell[]::new);
      return bell;
    }

    private synchronized void takeDown(Bell bell) {
      List<Bell> rest = new ArrayList<>(Arrays.asList(bells));
      rest.remove(bell);
      bells = rest.toArray(Bell[]::new);
    }

    /** Who rings for a topic: for who does so very often. */
    public Ringer ringer(Topic topic) {
      Ringer known = ringers.get(topic);
      return known != null
          ? known
          : ringers.computeIfAbsent(topic, unknown -> new Ringer(this, unknown));
    }

    /** Rings the bells that are for this topic. */
    public void ring(Topic topic) {
      ringer(topic).ring();
    }

    public boolean isEmpty() {
      return bells.length == 0;
    }

    /** Ends all waits, and those for bells that are hung later. */
    public void closeAll() {
      for (Bell bell : hangNoMore()) {
        bell.close();
      }
    }

    private synchronized Bell[] hangNoMore() {
      closed = true;
      return bells;
    }
  }
}

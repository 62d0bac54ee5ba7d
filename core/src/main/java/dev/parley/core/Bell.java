package dev.parley.core;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A doorbell for one process: whoever appends rings it directly. */
public final class Bell implements Doorbell {
  private final Tower tower;
  private final Prefix prefix;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Set<Topic> rung = new HashSet<>();
  private boolean closed;

  private Bell(Tower tower, Prefix prefix) {
    this.tower = tower;
    this.prefix = prefix;
  }

  /** Rings if the topic is one of those this bell is for. */
  public void ring(Topic topic) {
    if (!prefix.covers(topic)) {
      return;
    }
    lock.lock();
    try {
      if (rung.add(topic)) {
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
      Set<Topic> result = rung;
      if (!result.isEmpty()) {
        rung = new HashSet<>();
      }
      return result;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    tower.bells.remove(this);
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

    public Bell hang(Prefix prefix) {
      Bell bell = new Bell(this, prefix);
      bells.add(bell);
      return bell;
    }

    public void ring(Topic topic) {
      for (Bell bell : bells) {
        bell.ring(topic);
      }
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

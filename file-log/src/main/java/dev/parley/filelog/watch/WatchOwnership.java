package dev.parley.filelog.watch;

import dev.parley.core.Topic;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Which thread reads the events of the folder watch: the watcher's own thread, or a waiting reader.
 *
 * <p>Being woken by the watcher's thread costs a reader one more thread switch, a quarter of the
 * latency. So while there is only one doorbell, the watcher's thread lends the watch to the reader
 * that waits on it. Events that arrive while that reader is busy stay in the watch: they concern no
 * other reader.
 *
 * <pre>
 * OURS ──{@link #lendAndRing}──▶ LENT ◀──{@link #take}, {@link #release}──▶ TAKEN
 *   ▲──a second doorbell, {@link #reclaim}──┘──when it is released──────────┘
 * </pre>
 */
final class WatchOwnership {
  private enum State {
    OURS,
    LENT,
    TAKEN
  }

  private final List<FileDoorbell> doorbells = new CopyOnWriteArrayList<>();
  private State state = State.OURS;
  private boolean reclaimed;

  /** Waits until the watcher's thread has to read events. */
  synchronized void awaitOurs() throws InterruptedException {
    while (state != State.OURS) {
      wait();
    }
  }

  /**
   * Called by the watcher's thread, which has read events: rings for them, and lends the watch to
   * the reader that is woken, because that reader will wait again.
   *
   * <p>Lending and ringing are atomic. A reader that took the watch before the ring would miss the
   * event and sleep until the 5 s sweep. A reader that was woken before the lending would wait on
   * its doorbell, and no thread would read the watch.
   */
  synchronized void lendAndRing(Set<Topic> topics, Consumer<Topic> ring) {
    if (topics.stream().anyMatch(this::isAwaited)) {
      if (isLendable()) {
        state = State.LENT;
      }
      reclaimed = false;
    }
    topics.forEach(ring);
  }

  /**
   * Takes the watch for a reader that is about to wait for this doorbell; if true, the reader must
   * {@link #release} it. A removed doorbell gets false, because its reader would never be woken.
   */
  synchronized boolean take(FileDoorbell doorbell) {
    if (state != State.LENT || !doorbells.contains(doorbell)) {
      return false;
    }
    state = State.TAKEN;
    return true;
  }

  synchronized void release() {
    state = State.LENT;
    takeBackIfNeeded();
  }

  /** Returns the watch to the watcher's thread, at the latest when the reader releases it. */
  synchronized void reclaim() {
    reclaimed = true;
    takeBackIfNeeded();
  }

  synchronized void add(FileDoorbell doorbell) {
    doorbells.add(doorbell);
    takeBackIfNeeded();
  }

  /** False if it was removed already. */
  synchronized boolean remove(FileDoorbell doorbell) {
    boolean isRemoved = doorbells.remove(doorbell);
    takeBackIfNeeded();
    return isRemoved;
  }

  /** Called after every append of this process, so it takes no lock. */
  boolean isAwaited(Topic topic) {
    for (FileDoorbell doorbell : doorbells) {
      if (doorbell.prefix().covers(topic)) {
        return true;
      }
    }
    return false;
  }

  synchronized boolean isTaken() {
    return state == State.TAKEN;
  }

  private boolean isLendable() {
    return doorbells.size() == 1 && !reclaimed;
  }

  private void takeBackIfNeeded() {
    if (state == State.LENT && !isLendable()) {
      state = State.OURS;
      notifyAll();
    }
  }
}

package dev.parley.filelog.watch;

import dev.parley.core.Topic;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Who takes the events of the watch and rings for them: the lookout's thread, or who waits.
 *
 * <p>To be told by the lookout's thread takes one more change of threads, a quarter of the whole
 * way. So when there is but one doorbell, the lookout's thread lends its seat to whoever waits for
 * it. While he is away, dealing with what he got, events wait with him: they are for nobody else.
 *
 * <pre>
 * OURS ──{@link #lendAndRing}──▶ LENT ◀──{@link #sit}, {@link #rise}──▶ TAKEN
 *   ▲──a second doorbell, {@link #demand}──┘──when he rises──────────┘
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
  private boolean demanded;

  /** Waits until the lookout's thread is the one who has to take events. */
  synchronized void awaitOurs() throws InterruptedException {
    while (state != State.OURS) {
      wait();
    }
  }

  /**
   * Called by the lookout's thread, which has taken events: the next ones may be taken by who is
   * rung for now, as he will come back.
   *
   * <p>In one step: who sat down before the ring would find that nobody had rung, and nobody would
   * after that. Who heard the ring before the seat was lent would wait elsewhere, and nobody sit
   * here.
   */
  synchronized void lendAndRing(Set<Topic> topics, Consumer<Topic> ring) {
    if (topics.stream().anyMatch(this::isAwaited)) {
      if (isLendable()) {
        state = State.LENT;
      }
      demanded = false;
    }
    topics.forEach(ring);
  }

  /**
   * Whether who is about to wait for this doorbell may do so here; then he must {@link #rise}. Not
   * if it was removed: nobody would tell him again.
   */
  synchronized boolean sit(FileDoorbell doorbell) {
    if (state != State.LENT || !doorbells.contains(doorbell)) {
      return false;
    }
    state = State.TAKEN;
    return true;
  }

  synchronized void rise() {
    state = State.LENT;
    takeBackIfNeeded();
  }

  /** Gives the seat back to the lookout's thread, at the latest when who sits there rises. */
  synchronized void demand() {
    demanded = true;
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

  /** Asked after every append of this process, so without waiting for anybody. */
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
    return doorbells.size() == 1 && !demanded;
  }

  private void takeBackIfNeeded() {
    if (state == State.LENT && !isLendable()) {
      state = State.OURS;
      notifyAll();
    }
  }
}

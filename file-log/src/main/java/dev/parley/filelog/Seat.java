package dev.parley.filelog;

/**
 * Who takes the events of the watch and rings for them: the lookout's thread, or who waits.
 *
 * <p>To be told by the lookout's thread takes one more change of threads, a quarter of the whole
 * way. So when there is but one doorbell, the lookout's thread lends its seat to whoever waits for
 * it. While he is away, dealing with what he got, events wait with him: they are for nobody else.
 *
 * <pre>
 * OURS ──{@link #lend}──▶ LENT ◀──{@link #sit}, {@link #rise}──▶ TAKEN
 *   ▲──a second doorbell, {@link #demand}──┘──when he rises──────────┘
 * </pre>
 */
final class Seat {
  private enum State {
    OURS,
    LENT,
    TAKEN
  }

  private State state = State.OURS;
  private int doorbells;
  private boolean demanded;

  /** Waits until the lookout's thread is the one who has to take events. */
  synchronized void awaitOurs() throws InterruptedException {
    while (state != State.OURS) {
      wait();
    }
  }

  /** Called by the lookout's thread: the next events may be taken by who waits for them. */
  synchronized void lend() {
    if (isLendable()) {
      state = State.LENT;
    }
    demanded = false;
  }

  /** Whether who is about to wait may do so here; then he must {@link #rise}. */
  synchronized boolean sit() {
    if (state != State.LENT) {
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

  synchronized void addDoorbell() {
    doorbells++;
    takeBackIfNeeded();
  }

  synchronized void removeDoorbell() {
    doorbells--;
    takeBackIfNeeded();
  }

  synchronized boolean isTaken() {
    return state == State.TAKEN;
  }

  private boolean isLendable() {
    return doorbells == 1 && !demanded;
  }

  private void takeBackIfNeeded() {
    if (state == State.LENT && !isLendable()) {
      state = State.OURS;
      notifyAll();
    }
  }
}

package dev.parley.dialects.sync;

/**
 * How much a pass takes on at most. A process begins with little: should it be killed soon, that
 * much is done and noted, and everything in a mount had its turn. Later passes take more.
 *
 * @param bytes of files that are only appended to
 * @param messages into mailboxes
 */
public record SyncBudget(long bytes, int messages) {
  public static final SyncBudget FIRST = new SyncBudget(1 << 16, 64);

  /**
   * How many messages out of the log any pass takes on: not more than the next one knows by their
   * ids, should it find them in the files and this one be killed before it is noted. So it must not
   * be fewer for the next either.
   */
  public static final int OUTGOING = MirrorState.REMEMBERED - 1;

  private static final SyncBudget MOST = new SyncBudget(8 << 20, OUTGOING);

  private static final int GROWTH = 4;

  /** What the pass after this one takes on. */
  public SyncBudget next() {
    return new SyncBudget(
        Math.min(GROWTH * bytes, MOST.bytes), Math.min(GROWTH * messages, MOST.messages));
  }
}

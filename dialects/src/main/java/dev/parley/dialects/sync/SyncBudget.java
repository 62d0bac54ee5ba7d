package dev.parley.dialects.sync;

/**
 * The most work that a pass does. A process begins with little, so that even if it is killed soon,
 * some work is done and noted and every part of a mount had its turn. Later passes do more.
 *
 * @param bytes of files that are only appended to
 * @param messages into mailboxes
 */
public record SyncBudget(long bytes, int messages) {
  public static final SyncBudget FIRST = new SyncBudget(1 << 16, 64);

  /**
   * The most messages of the log that a pass writes. If a pass is killed before it notes them, the
   * next one finds them in the files and must know all their ids. So this is below the number of
   * ids that are remembered, and the same for every pass.
   */
  public static final int OUTGOING = MirrorState.REMEMBERED - 1;

  private static final SyncBudget MOST = new SyncBudget(8 << 20, OUTGOING);

  private static final int GROWTH = 4;

  /** The budget of the next pass. */
  public SyncBudget next() {
    return new SyncBudget(
        Math.min(GROWTH * bytes, MOST.bytes), Math.min(GROWTH * messages, MOST.messages));
  }
}

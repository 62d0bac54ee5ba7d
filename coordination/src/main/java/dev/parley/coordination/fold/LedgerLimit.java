package dev.parley.coordination.fold;

/**
 * A limit on what the ledger holds, so that no line takes long to fold. In force from rules 2 on.
 */
public enum LedgerLimit {
  LEASES("leases", 4_096, "leases held at the same time"),
  WAITERS("waiters", 512, "requests that wait in line for paths"),
  WAITS("waits", 1_024, "other waits at the same time"),
  TASKS("tasks", 10_000, "tasks that are not over"),
  PATTERNS("patterns", 4_096, "characters of patterns with wildcards in one request"),
  COMPARED("compared", 16_000_000, "steps in comparing one request with all others");

  /** The least and the most that can be set. */
  public static final long LEAST = 1;

  public static final long MOST = 1_000_000_000;

  private final String field;
  private final long usual;
  private final String meaning;

  LedgerLimit(String field, long usual, String meaning) {
    this.field = field;
    this.usual = usual;
    this.meaning = meaning;
  }

  public String field() {
    return field;
  }

  /** The default. */
  public long usual() {
    return usual;
  }

  public String meaning() {
    return meaning;
  }

  /** Whether it limits how hard paths are to compare, not how many things there are. */
  boolean isAboutComparing() {
    return this == PATTERNS || this == COMPARED;
  }
}

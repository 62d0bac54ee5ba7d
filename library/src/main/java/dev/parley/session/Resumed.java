package dev.parley.session;

import dev.parley.coordination.ledger.Session;
import java.util.List;

/**
 * The session that a caller speaks for.
 *
 * @param differences in what the caller's place differs from where the session was used last:
 *     worktree, terminal, container; empty if it goes on where it was, or is new
 * @param tree the working tree that the session was used in last; empty if it is not known
 */
public record Resumed(Session session, List<String> differences, String tree) {
  static Resumed here(Session session) {
    return new Resumed(session, List.of(), "");
  }

  /** Whether it goes on from another place than last time, which its agent should know. */
  public boolean isFromElsewhere() {
    return !differences.isEmpty();
  }
}

package dev.parley.session;

import dev.parley.coordination.ledger.Session;
import java.util.List;

/**
 * The session that a caller speaks for.
 *
 * @param differences what differs from the place where the session was used last: worktree,
 *     terminal, container; empty if nothing does, or the session is new
 * @param tree the working tree in which the session was used last; empty if not known
 * @param isNew whether nobody on the bus has had its name, or was expected under it
 */
public record ResumedSession(
    Session session, List<String> differences, String tree, boolean isNew) {
  static ResumedSession here(Session session) {
    return new ResumedSession(session, List.of(), "", false);
  }

  /** Whether the session goes on from another place, which its agent should be told. */
  public boolean isFromElsewhere() {
    return !differences.isEmpty();
  }
}

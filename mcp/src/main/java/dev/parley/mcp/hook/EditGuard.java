package dev.parley.mcp.hook;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.ParleyException;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.text.Explanation;
import dev.parley.text.NextSteps;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses edits of paths that another agent holds. An agent's first edit of a path takes a lease on
 * it in all worktrees. Later edits renew the lease, so it ends some minutes after the last.
 */
final class EditGuard {
  /** How long a lease lasts after the last edit of its path. */
  static final Duration TIME = Duration.ofMinutes(10);

  private EditGuard() {}

  /**
   * Takes leases on paths for an agent.
   *
   * @param folder the base of relative paths
   * @return why the edit must not happen; null if it may
   */
  static @Nullable String refusal(AgentContext context, Path folder, List<String> paths) {
    Locks locks = context.agent().locks();
    Map<String, List<String>> wanted = new LinkedHashMap<>();
    for (String path : paths) {
      EditedPath edited = EditedPath.of(folder, path, context.busFolder());
      if (edited != null && !isHeld(context, locks, edited)) {
        wanted
            .computeIfAbsent(edited.tree(), _ -> new ArrayList<>())
            .add(PathPattern.quote(edited.path()));
      }
    }
    try {
      wanted.forEach((tree, patterns) -> {
        var _ = locks.lock(new LockRequest(patterns, false, tree, true, TIME, null));
      });
      return null;
    } catch (RefusedException e) {
      if (!e.code().equals("held")) {
        throw e;
      }
      return describe(context, e);
    }
  }

  private static String describe(AgentContext context, RefusedException held) {
    Explanation why = Explanation.of(held, NextSteps.PLAIN, context::written);
    String holder = Fields.of(held.details()).text("holder", "the holder");
    return why.message()
        + " Your edit was not made, and what you read of the file is still right. Do other work and"
        + " try again later, call the lock tool with wait_seconds, or send "
        + holder
        + " a question.";
  }

  /** Whether a lease of the agent covers the path for long enough. */
  private static boolean isHeld(AgentContext context, Locks locks, EditedPath edited) {
    Instant soon = Instant.now().plus(TIME.dividedBy(2));
    for (Lease lease : locks.own()) {
      boolean covers =
          !lease.terms().shared()
              && (lease.terms().repo() || lease.terms().tree().equals(edited.tree()))
              && lease.paths().stream().anyMatch(pattern -> pattern.describes(edited.path()));
      if (covers && context.parley().shown(lease.until()).isAfter(soon)) {
        return true;
      }
    }
    return false;
  }

  /** Renews the agent's leases that end soon, because it is working. */
  static void renew(AgentContext context) {
    Instant soon = Instant.now().plus(TIME.dividedBy(2));
    Locks locks = context.agent().locks();
    for (Lease lease : locks.own()) {
      if (!context.parley().shown(lease.until()).isAfter(soon)) {
        try {
          var _ = locks.renew(lease.token(), null);
        } catch (ParleyException e) {
          // The lease has just ended; the next edit takes it again or is refused.
        }
      }
    }
  }
}

package dev.parley.mcp.hook;

import dev.parley.WorkingTree;
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
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps agents from editing what somebody else holds. The first edit of a path takes a lease on it
 * in all worktrees; later ones renew it, so that it ends some minutes after the last.
 */
final class EditGuard {
  /** How long a path is held after the last edit of it. */
  static final Duration TIME = Duration.ofMinutes(10);

  /** What is never anybody's own work. */
  private static final Set<String> EXEMPT = Set.of(".git", ".parley");

  private EditGuard() {}

  /**
   * Takes paths for an agent.
   *
   * @param folder where relative paths begin
   * @return why the edit must not happen; null if it may
   */
  static @Nullable String refusal(AgentContext context, Path folder, List<String> paths) {
    WorkingTree tree = WorkingTree.of(folder, context.busFolder());
    Locks locks = context.agent().locks();
    List<String> wanted = new ArrayList<>();
    for (String path : paths) {
      String relative = inside(tree, folder, path);
      if (relative != null && !isHeld(context, locks, tree, relative)) {
        wanted.add(PathPattern.quote(relative));
      }
    }
    if (wanted.isEmpty()) {
      return null;
    }
    try {
      var _ = locks.lock(new LockRequest(wanted, false, tree.name(), true, TIME, null));
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

  /** The path from the root of the tree; null if it lies outside, or is nobody's work. */
  private static @Nullable String inside(WorkingTree tree, Path folder, String path) {
    try {
      Path root = Path.of(tree.name());
      Path real = real(folder.resolve(path).normalize());
      if (!real.startsWith(root) || real.equals(root)) {
        return null;
      }
      Path relative = root.relativize(real);
      return EXEMPT.contains(relative.getName(0).toString())
          ? null
          : relative.toString().replace('\\', '/');
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** With all links resolved, also of a file that is not there yet. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      Path parent = path.getParent();
      Path name = path.getFileName();
      return parent == null || name == null ? path : real(parent).resolve(name);
    }
  }

  /** Whether a lease of the agent covers the path, and for long enough. */
  private static boolean isHeld(AgentContext context, Locks locks, WorkingTree tree, String path) {
    Instant soon = Instant.now().plus(TIME.dividedBy(2));
    for (Lease lease : locks.own()) {
      boolean covers =
          !lease.terms().shared()
              && (lease.terms().repo() || lease.terms().tree().equals(tree.name()))
              && lease.paths().stream().anyMatch(pattern -> pattern.describes(path));
      if (covers && context.parley().shown(lease.until()).isAfter(soon)) {
        return true;
      }
    }
    return false;
  }

  /** Renews what the agent holds and would soon lose: it works. */
  static void renew(AgentContext context) {
    Instant soon = Instant.now().plus(TIME.dividedBy(2));
    Locks locks = context.agent().locks();
    for (Lease lease : locks.own()) {
      if (!context.parley().shown(lease.until()).isAfter(soon)) {
        try {
          var _ = locks.renew(lease.token(), null);
        } catch (ParleyException e) {
          // It has just ended; the next edit takes it again or is refused.
        }
      }
    }
  }
}

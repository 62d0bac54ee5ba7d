package dev.parley.cli.work;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.core.ParleyException;
import org.jspecify.annotations.Nullable;

/** The options for the working trees in which a lease holds. */
final class CoverOptions {
  static final Option REPO =
      Option.flag("--repo", "lock in every worktree, whatever the bus's setting is");
  static final Option TREE = Option.flag("--tree", "lock in this worktree only");

  private CoverOptions() {}

  /** The given choice; null for the bus's default. */
  static @Nullable LeaseScope of(Arguments arguments) {
    boolean repo = arguments.has(REPO);
    boolean tree = arguments.has(TREE);
    if (repo && tree) {
      throw ParleyException.invalid(
          "contradiction",
          REPO.name() + " and " + TREE.name() + " contradict each other.",
          "Give one of them.");
    }
    return repo ? LeaseScope.REPOSITORY : tree ? LeaseScope.TREE : null;
  }
}

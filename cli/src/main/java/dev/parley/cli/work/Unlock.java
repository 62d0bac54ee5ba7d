package dev.parley.cli.work;

import dev.parley.WorkingTree;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.work.Locks;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Gives paths back. */
public final class Unlock implements Command {
  private static final Parameter PATHS =
      Parameter.optional("path", "the paths to release").repeated();
  private static final Option ALL = Option.flag("--all", "all your locks");

  @Override
  public Description description() {
    return new Description(
        "unlock",
        Group.COORDINATE,
        "release locks",
        "Releases the named paths; other paths of the same lock stay locked. A path inside a locked"
            + " folder or pattern cannot be released alone. The next agent in the queue gets the"
            + " lock at once.",
        List.of(PATHS),
        List.of(ALL),
        List.of("parley unlock src/a.ts", "parley unlock --all"));
  }

  @Override
  public int run(Invocation invocation) {
    List<String> typed = invocation.arguments().words(PATHS);
    boolean all = invocation.arguments().has(ALL);
    if (typed.isEmpty() != all) {
      throw ParleyException.invalid(
          "missing-argument",
          "Name paths, or use --all.",
          "parley unlock <path>…, parley unlock --all");
    }
    CommandContext context = CommandContext.open(invocation);
    WorkingTree tree = WorkingTree.of(invocation.shell().folder(), context.bus().path());
    Locks locks = context.team().locks(context.session());
    if (all) {
      List<String> paths = new ArrayList<>();
      for (Lease lease : locks.releaseAll()) {
        lease.paths().forEach(path -> paths.add(path.toString()));
      }
      released(invocation.out(), paths);
      return ExitCode.OK;
    }
    List<String> paths = tree.patterns(typed);
    for (Lease lease : OwnLeases.of(locks, tree, typed)) {
      locks.release(lease.token(), named(lease, paths));
    }
    released(invocation.out(), paths);
    return ExitCode.OK;
  }

  /** The paths of a lease that were typed. */
  private static List<String> named(Lease lease, List<String> paths) {
    List<String> named =
        lease.paths().stream().map(PathPattern::toString).filter(paths::contains).toList();
    if (named.isEmpty()) {
      throw ParleyException.refused(
          "part-of-a-lease",
          "You hold " + LeaseText.texts(lease.paths()) + " as one lock.",
          "Release all of it: parley unlock");
    }
    return named;
  }

  private static void released(Output out, List<String> paths) {
    if (out.isJson()) {
      out.line(Json.object().put("released", Json.ofStrings(paths)).build());
    } else {
      out.line(
          paths.isEmpty()
              ? "You held no locks."
              : "unlocked " + Printable.text(String.join(" ", paths)));
    }
  }
}

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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Releases leases on paths. */
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
            + " folder or pattern cannot be released alone. A file of a task that you have claimed"
            + " stays locked for the claim, if you locked it for something else. The next agent in the queue gets the"
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
      released(invocation.out(), paths, locks.own());
      return ExitCode.OK;
    }
    List<String> paths = tree.patterns(typed);
    for (Lease lease : OwnLeases.of(locks, tree, typed)) {
      locks.release(lease.token(), named(lease, paths));
    }
    List<Lease> still =
        locks.own().stream()
            .filter(lease -> lease.terms().repo() || lease.terms().tree().equals(tree.name()))
            .toList();
    released(invocation.out(), paths, still);
    return ExitCode.OK;
  }

  /** The given paths that a lease covers. */
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

  /** Says what was released, and what of it stays locked, because a claim needs it. */
  private static void released(Output out, List<String> paths, List<Lease> own) {
    List<String> gone = new ArrayList<>(paths);
    Set<String> kept = new LinkedHashSet<>();
    Set<String> tasks = new LinkedHashSet<>();
    for (Lease lease : own) {
      for (PathPattern path : lease.paths()) {
        if (paths.stream().anyMatch(one -> path.overlaps(PathPattern.of(one)))) {
          kept.add(path.toString());
          gone.remove(path.toString());
          String task = lease.terms().task();
          if (task != null) {
            tasks.add(task);
          }
        }
      }
    }
    if (out.isJson()) {
      Json.ObjectBuilder json = Json.object().put("released", Json.ofStrings(gone));
      out.line(
          (kept.isEmpty() ? json : json.put("kept", Json.ofStrings(List.copyOf(kept)))).build());
      return;
    }
    if (paths.isEmpty()) {
      out.line("You held no locks.");
    }
    if (!gone.isEmpty()) {
      out.line("unlocked " + Printable.text(String.join(" ", gone)));
    }
    if (!kept.isEmpty()) {
      String why = tasks.isEmpty() ? "" : " for your claim of " + String.join(", ", tasks);
      out.line("still locked" + Printable.text(why + ": " + String.join(" ", kept)));
    }
  }
}

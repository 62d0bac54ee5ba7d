package dev.parley.cli.work;

import dev.parley.WorkingTree;
import dev.parley.cli.args.Arguments;
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
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.json.LeaseJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Takes paths, so that others who ask keep off them. */
public final class Lock implements Command {
  private static final Parameter PATHS =
      Parameter.optional("path", "files, folders or patterns to take").repeated();
  private static final Option SHARED =
      Option.flag("--shared", "others may hold them too, if they share as well");
  private static final Option TTL =
      Option.value("--ttl", "time", "how long it lasts unless renewed (30m)");
  private static final Option WAIT =
      Option.value("--wait", "time", "wait in line for at most this long");
  private static final Option TASK =
      Option.value("--task", "task", "what it is for; it ends with your claim of the task");

  @Override
  public Description description() {
    return new Description(
            "lock",
            Group.COORDINATE,
            "take files, folders or patterns for yourself",
            "Takes all the paths named or none. A folder means everything in it; patterns know *,"
                + " ?, [abc], {a,b} and ** and should be quoted. Taken is taken in every working"
                + " tree of the repository; --tree means this one alone. Who is refused is told who"
                + " holds it, since when and until when. With --wait you stand in line, and nobody"
                + " who comes later is served before you; a wait that could never end because the"
                + " others wait for you is refused at once. parley locks shows what is held. Where"
                + " a conductor folder is mounted, its locks.json has every lock, and knows only"
                + " files, exclusively, for all worktrees. Nothing can keep a program from writing"
                + " to its own disk: parley locks check tells before you write after a long pause.",
            List.of(PATHS),
            List.of(SHARED, TTL, WAIT, TASK, CoverOptions.REPO, CoverOptions.TREE),
            List.of(
                "parley lock src/a.ts src/b.ts", "parley lock 'src/**/*.java' --shared --wait 5m"))
        .movedTo(
            Map.of(
                "list", "locks list",
                "renew", "locks renew",
                "check", "locks check",
                "break", "locks break"));
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    List<String> typed = invocation.arguments().words(PATHS);
    CommandContext context = CommandContext.open(invocation);
    if (typed.isEmpty()) {
      invocation.notices().say("what is locked is shown by parley locks; lock takes paths.");
      return LocksCommand.list(
          invocation,
          context,
          WorkingTree.of(invocation.shell().folder(), context.bus().path()),
          typed);
    }
    try {
      return lock(
          invocation,
          context,
          WorkingTree.of(invocation.shell().folder(), context.bus().path()),
          typed);
    } catch (RefusedException e) {
      return Refusal.answer(invocation, "granted", e);
    }
  }

  private static int lock(
      Invocation invocation, CommandContext context, WorkingTree tree, List<String> typed)
      throws InterruptedException {
    Arguments arguments = invocation.arguments();
    LockRequest wanted =
        new LockRequest(
            tree.patterns(typed),
            arguments.has(SHARED),
            tree.name(),
            CoverOptions.of(arguments),
            Times.duration(TTL.name(), arguments.value(TTL), LeaseTerms.TTL),
            arguments.value(TASK));
    Duration wait = Times.duration(WAIT.name(), arguments.value(WAIT), Duration.ZERO);
    Locks locks = context.team().locks(context.session());
    granted(invocation.out(), locks.lock(wanted, wait), Times.of(context.team().ledger()));
    return ExitCode.OK;
  }

  static void granted(Output out, Grant grant, Times times) {
    if (out.isJson()) {
      out.line(LeaseJson.of(grant, times.inJson()));
      return;
    }
    out.line(
        "locked "
            + Printable.text(String.join(" ", grant.paths()))
            + " until "
            + times.show(grant.until())
            + ", token "
            + grant.token());
    if (grant.isReentered()) {
      out.line("  You hold it already: this is the lease you have, and unlock ends it.");
    }
    for (Lease other : grant.elsewhere()) {
      out.line(
          "  "
              + Printable.text(other.holder())
              + " holds "
              + LeaseText.paths(other.terms())
              + " in another working tree ("
              + Printable.text(other.terms().tree())
              + "): you will meet when you merge.");
    }
  }
}

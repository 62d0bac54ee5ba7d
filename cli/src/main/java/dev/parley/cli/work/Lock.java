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
import dev.parley.coordination.mail.DueWork;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.ParleyException;
import dev.parley.json.LeaseJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Takes leases on paths, so that other agents keep off them. */
public final class Lock implements Command {
  private static final Parameter PATHS =
      Parameter.optional("path", "files, folders or patterns to lock").repeated();
  private static final Option SHARED =
      Option.flag("--shared", "others may lock them too, also with --shared");
  private static final Option TTL =
      Option.value("--ttl", "time", "how long the lock lasts unless renewed (30m)");
  private static final Option WAIT =
      Option.value("--wait", "time", "wait in the queue, at most this long");
  private static final Option TASK =
      Option.value("--task", "task", "the task it is for; the lock ends with your claim");

  @Override
  public Description description() {
    return new Description(
            "lock",
            Group.COORDINATE,
            "lock files, folders or patterns",
            "Locks all the named paths or none. A folder includes everything in it; patterns may"
                + " use *, ?, [abc], {a,b} and ** and should be quoted. A lock applies to every"
                + " worktree of the repository; with --tree, to this worktree only. A refusal names"
                + " the holder, the start and the end of its lock. With --wait you join a queue"
                + " that serves requests in order; a wait that would be a deadlock is refused at"
                + " once. parley locks lists locks. If a Conductor folder is mounted, its"
                + " locks.json holds every lock, so that only single files can be locked,"
                + " exclusively and in all worktrees. Locks are advisory: they cannot stop a"
                + " program from writing. After a long pause, run parley locks check before you"
                + " write.",
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
    if (typed.isEmpty()) {
      throw ParleyException.invalid(
          "missing-argument", "lock needs paths.", "To see what is locked: parley locks");
    }
    CommandContext context = CommandContext.open(invocation);
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
    String task = arguments.value(TASK);
    LockRequest wanted =
        new LockRequest(
            tree.patterns(typed),
            arguments.has(SHARED),
            tree.name(),
            CoverOptions.of(arguments),
            Times.duration(TTL.name(), arguments.value(TTL), LeaseTerms.TTL),
            task == null ? null : TaskId.of(context.team().ledger(), task));
    Duration wait = Times.duration(WAIT.name(), arguments.value(WAIT), Duration.ZERO);
    Locks locks = context.team().locks(context.session());
    try (DueWork.Keeping _ = context.waiting(wait)) {
      granted(invocation.out(), locks.lock(wanted, wait), Times.of(context.team().ledger()));
    }
    return ExitCode.OK;
  }

  /** A lock for a task ends with the claim, which every sign of life extends. */
  private static String until(Grant grant, String clock) {
    String task = grant.lease().terms().task();
    return task == null
        ? " until " + clock
        : " until " + Printable.text(task) + " ends, at the latest " + clock;
  }

  static void granted(Output out, Grant grant, Times times) {
    if (out.isJson()) {
      out.line(LeaseJson.of(grant, times.inJson()));
      return;
    }
    out.line(
        "locked "
            + Printable.text(String.join(" ", grant.paths()))
            + until(grant, times.clock(grant.until()))
            + ", token "
            + grant.token());
    if (grant.isReentered()) {
      out.line("  You already held it: this is the same lock, and one unlock ends it.");
    }
    for (Lease other : grant.elsewhere()) {
      out.line(
          "  "
              + Printable.text(other.holder())
              + " holds "
              + LeaseText.paths(other.terms())
              + " in another worktree ("
              + Printable.text(other.terms().tree())
              + "): expect a conflict when you merge.");
    }
  }
}

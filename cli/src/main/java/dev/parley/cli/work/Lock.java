package dev.parley.cli.work;

import dev.parley.WorkingTree;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.Desk;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.lease.Ask;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.PathPattern;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.Wanted;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.json.LeaseJson;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes paths, so that others who ask keep off them. */
public final class Lock implements Command {
  private static final Set<String> ACTIONS = Set.of("list", "renew", "check", "break");

  private static final Parameter PATHS =
      Parameter.optional(
              "path",
              "files, folders or patterns to take; or list, renew, check, break and then paths")
          .repeated();
  private static final Option SHARED =
      Option.flag("--shared", "others may hold them too, if they share as well");
  private static final Option TTL =
      Option.value("--ttl", "time", "how long it lasts unless renewed (30m)");
  private static final Option WAIT =
      Option.value("--wait", "time", "wait in line for at most this long");
  private static final Option TASK =
      Option.value("--task", "task", "what it is for; it ends with your claim of the task");
  private static final Option REPO =
      Option.flag("--repo", "keep off others in every worktree, not only in this one");
  private static final Option TOKEN =
      Option.value("--token", "n", "check: the token that you were given");
  private static final Option REASON =
      Option.value("--reason", "text", "break: why you end another's lease");

  @Override
  public Description description() {
    return new Description(
        "lock",
        Group.COORDINATE,
        "take files, folders or patterns for yourself",
        "Takes all the paths named or none. A folder means everything in it; patterns know *, ?,"
            + " [abc], {a,b} and ** and should be quoted. Taken is taken in this working tree;"
            + " another worktree is only told of (--repo to mean all). Who is refused is told who"
            + " holds it, since when and until when. With --wait you stand in line, and nobody who"
            + " comes later is served before you; a wait that could never end because the others"
            + " wait for you is refused at once. list shows what is held, renew makes yours last"
            + " longer, check says whether a token still stands for a path, break ends another's"
            + " lease. Where a conductor folder is mounted, its locks.json has every lock, and knows"
            + " only files, exclusively, for all worktrees. Nothing can keep a program from writing to its own disk: ask check before"
            + " you write after a long pause.",
        List.of(PATHS),
        List.of(SHARED, TTL, WAIT, TASK, REPO, TOKEN, REASON),
        List.of(
            "parley lock src/a.ts src/b.ts",
            "parley lock 'src/**/*.java' --shared --wait 5m",
            "parley lock list",
            "parley lock check src/a.ts --token 1234",
            "parley lock break src/a.ts --reason \"bob's machine is off\""));
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    List<String> words = invocation.arguments().words(PATHS);
    String action = words.isEmpty() ? "list" : words.getFirst();
    boolean isAction = ACTIONS.contains(action);
    List<String> typed = isAction && !words.isEmpty() ? words.subList(1, words.size()) : words;
    Desk desk = Desk.open(invocation);
    try {
      WorkingTree tree = WorkingTree.of(invocation.shell().folder(), desk.bus().path());
      return switch (isAction ? action : "lock") {
        case "list" -> list(invocation, desk, tree, typed);
        case "renew" -> renew(invocation, desk, tree, typed);
        case "check" -> check(invocation, desk, tree, typed);
        case "break" -> breakOff(invocation, desk, tree, typed);
        default -> lock(invocation, desk, tree, typed);
      };
    } catch (RefusedException e) {
      return Refusal.answer(invocation, "granted", e);
    }
  }

  private static int lock(Invocation invocation, Desk desk, WorkingTree tree, List<String> typed)
      throws InterruptedException {
    Arguments arguments = invocation.arguments();
    Wanted wanted =
        new Wanted(
            tree.patterns(typed),
            arguments.has(SHARED),
            tree.name(),
            arguments.has(REPO),
            Times.duration(TTL.name(), arguments.value(TTL), Ask.TTL),
            arguments.value(TASK));
    Duration wait = Times.duration(WAIT.name(), arguments.value(WAIT), Duration.ZERO);
    Locks locks = desk.team().locks(desk.session());
    granted(invocation.out(), locks.lock(wanted, wait), Times.of(desk.team().ledger()));
    return ExitCode.OK;
  }

  private static void granted(Output out, Grant grant, Times times) {
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
              + LeaseText.paths(other.ask())
              + " in another working tree ("
              + Printable.text(other.ask().tree())
              + "): you will meet when you merge.");
    }
  }

  private static int list(Invocation invocation, Desk desk, WorkingTree tree, List<String> typed) {
    List<PathPattern> wanted = tree.patterns(typed).stream().map(PathPattern::of).toList();
    Times times = Times.of(desk.team().ledger());
    desk.team()
        .ledger()
        .show(ledger ->
            LeaseText.print(
                invocation.out(),
                ledger.leases().all().stream()
                    .filter(lease -> wanted.isEmpty() || wanted.stream().anyMatch(lease::touches))
                    .toList(),
                ledger.leases().waiters().stream()
                    .filter(waiter -> wanted.isEmpty() || touches(waiter, wanted))
                    .toList(),
                tree.name(),
                times));
    return ExitCode.OK;
  }

  private static boolean touches(Waiter waiter, List<PathPattern> wanted) {
    return waiter.ask().paths().stream().anyMatch(path -> wanted.stream().anyMatch(path::overlaps));
  }

  private static int renew(Invocation invocation, Desk desk, WorkingTree tree, List<String> typed) {
    Locks locks = desk.team().locks(desk.session());
    String ttl = invocation.arguments().value(TTL);
    for (Lease lease : Own.of(locks, tree, typed)) {
      granted(
          invocation.out(),
          locks.renew(lease.token(), ttl == null ? null : Times.duration(TTL.name(), ttl)),
          Times.of(desk.team().ledger()));
    }
    return ExitCode.OK;
  }

  private static int check(Invocation invocation, Desk desk, WorkingTree tree, List<String> typed) {
    long token = token(invocation.arguments().required(TOKEN));
    if (typed.isEmpty()) {
      throw ParleyException.invalid(
          "missing-argument", "The path is missing.", "parley lock check <path> --token <n>");
    }
    boolean good = true;
    for (String path : typed) {
      boolean stands = Locks.isGood(desk.team().ledger(), token, tree.path(path), tree.name());
      good &= stands;
      if (invocation.out().isJson()) {
        invocation
            .out()
            .line(
                Json.object()
                    .put("good", stands)
                    .put("path", tree.path(path))
                    .put("token", token)
                    .build());
      } else {
        invocation
            .out()
            .line(
                Printable.text(path)
                    + (stands
                        ? ": the token is good."
                        : ": the token is NOT good: do not write. Ask again: parley lock"));
      }
    }
    return good ? ExitCode.OK : ExitCode.REFUSED;
  }

  private static long token(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ParleyException.invalid(
          "bad-token", "--token \"" + text + "\" is no token.", "It is the number lock printed.");
    }
  }

  private static int breakOff(
      Invocation invocation, Desk desk, WorkingTree tree, List<String> typed) {
    String reason = invocation.arguments().required(REASON);
    if (typed.isEmpty()) {
      throw ParleyException.invalid(
          "missing-argument", "The path is missing.", "parley lock break <path> --reason <why>");
    }
    Locks locks = desk.team().locks(desk.session());
    for (String path : tree.patterns(typed)) {
      PathPattern pattern = PathPattern.of(path);
      List<Lease> there =
          desk.team().ledger().look(ledger -> ledger.leases().touching(pattern, tree.name()));
      if (there.isEmpty()) {
        throw notLocked(path);
      }
      for (Lease lease : there) {
        locks.breakOff(lease.token(), reason);
        broken(invocation.out(), lease);
      }
    }
    return ExitCode.OK;
  }

  private static void broken(Output out, Lease lease) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("broken", true)
              .put("token", lease.token())
              .put("holder", lease.holder())
              .build());
    } else {
      out.line(
          "broke the lease of "
              + Printable.text(lease.holder())
              + " on "
              + LeaseText.paths(lease.ask())
              + "; tell them: parley send "
              + Printable.text(lease.holder()));
    }
  }

  static ParleyException notLocked(@Nullable String path) {
    return ParleyException.refused(
        "not-held",
        path == null ? "You hold nothing." : "Nobody holds " + path + ".",
        "parley lock list shows what is held.");
  }
}

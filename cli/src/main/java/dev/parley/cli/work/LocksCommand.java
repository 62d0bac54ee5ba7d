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
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows and manages leases. */
public final class LocksCommand implements Command {
  private static final Parameter PATHS =
      Parameter.required("path", "files, folders or patterns").repeated();
  private static final Parameter SOME_PATHS =
      Parameter.optional("path", "only these files, folders or patterns").repeated();
  private static final Option TTL =
      Option.value("--ttl", "time", "the new duration from now on (as before)");
  private static final Option TOKEN =
      Option.value("--token", "n", "the token of your lock").needed();
  private static final Option REASON = Option.value("--reason", "text", "the reason").needed();

  @Override
  public Description description() {
    return Description.family(
        "locks",
        Group.COORDINATE,
        "list, renew, check and break locks",
        "To lock paths: parley lock. To release them: parley unlock.",
        "list",
        List.of(
            Description.sub(
                "list", "list locks and the queue for them", List.of(SOME_PATHS), List.of()),
            Description.sub("renew", "extend your locks", List.of(SOME_PATHS), List.of(TTL)),
            Description.sub(
                "check",
                "check that your lock on a path is still valid",
                List.of(PATHS),
                List.of(TOKEN)),
            Description.sub(
                "break",
                "end another agent's lock, on all its paths, and tell the agent",
                List.of(PATHS),
                List.of(REASON))),
        List.of(
            "parley locks",
            "parley locks list src/",
            "parley locks renew --ttl 1h",
            "parley locks check src/a.ts --token 1234",
            "parley locks break src/a.ts --reason \"bob's machine is off\""));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    List<String> typed = arguments.words(PATHS);
    CommandContext context = CommandContext.open(invocation);
    if (arguments.subcommand().equals("list")) {
      context.catchUp();
    }
    try {
      WorkingTree tree = WorkingTree.of(invocation.shell().folder(), context.bus().path());
      return switch (arguments.subcommand()) {
        case "list" -> list(invocation, context, tree, typed);
        case "renew" -> renew(invocation, context, tree, typed);
        case "check" -> check(invocation, context, tree, typed);
        default -> breakOff(invocation, context, tree, typed);
      };
    } catch (RefusedException e) {
      return Refusal.answer(invocation, "granted", e);
    }
  }

  private static int list(
      Invocation invocation, CommandContext context, WorkingTree tree, List<String> typed) {
    List<PathPattern> wanted = tree.patterns(typed).stream().map(PathPattern::of).toList();
    Times times = Times.of(context.team().ledger());
    context
        .team()
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
                wanted,
                tree.name(),
                times));
    return ExitCode.OK;
  }

  private static boolean touches(Waiter waiter, List<PathPattern> wanted) {
    return waiter.terms().paths().stream()
        .anyMatch(path -> wanted.stream().anyMatch(path::overlaps));
  }

  private static int renew(
      Invocation invocation, CommandContext context, WorkingTree tree, List<String> typed) {
    Locks locks = context.team().locks(context.session());
    String ttl = invocation.arguments().value(TTL);
    for (Lease lease : OwnLeases.of(locks, tree, typed)) {
      Lock.granted(
          invocation.out(),
          locks.renew(lease.token(), ttl == null ? null : Times.duration(TTL.name(), ttl)),
          Times.of(context.team().ledger()));
    }
    return ExitCode.OK;
  }

  private static int check(
      Invocation invocation, CommandContext context, WorkingTree tree, List<String> typed) {
    long token = token(invocation.arguments().required(TOKEN));
    boolean good = true;
    for (String path : typed) {
      boolean stands = Locks.isGood(context.team().ledger(), token, tree.path(path), tree.name());
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
                        ? ": your lock is valid."
                        : ": your lock is NOT valid. Do not write; lock it again: parley lock"));
      }
    }
    return good ? ExitCode.OK : ExitCode.REFUSED;
  }

  private static long token(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ParleyException.invalid(
          "bad-token",
          "--token \"" + text + "\" is not a token.",
          "Use the number that parley lock printed.");
    }
  }

  private static int breakOff(
      Invocation invocation, CommandContext context, WorkingTree tree, List<String> typed) {
    String reason = invocation.arguments().required(REASON);
    Locks locks = context.team().locks(context.session());
    Set<Lease> meant = new LinkedHashSet<>();
    for (String path : tree.patterns(typed)) {
      PathPattern pattern = PathPattern.of(path);
      List<Lease> there =
          context.team().ledger().look(ledger -> ledger.leases().touching(pattern, tree.name()));
      if (there.isEmpty()) {
        throw notLocked(path);
      }
      meant.addAll(there);
    }
    for (Lease lease : meant) {
      locks.breakOff(lease.token(), reason);
      broken(invocation.out(), lease, tell(context, lease, reason));
    }
    return ExitCode.OK;
  }

  /**
   * Tells the holder by mail, once for each lock.
   *
   * @return whether it was told; not if it is the caller, or its inbox takes nothing
   */
  private static boolean tell(CommandContext context, Lease lease, String reason) {
    String holder = lease.holder();
    if (holder.equals(context.session().name()) || !AgentName.isValid(holder)) {
      return false;
    }
    String paths = LeaseText.paths(lease.terms());
    Draft draft =
        Draft.to(holder)
            .type("status")
            .says("Your lock on " + paths + " was broken", "The reason: " + reason)
            .key("broken:" + lease.token())
            .automatic(true);
    try {
      var _ = context.mail().sendAnyway(draft);
      return true;
    } catch (ParleyException e) {
      return false; // the lock is broken all the same
    }
  }

  private static void broken(Output out, Lease lease, boolean told) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("broken", true)
              .put("token", lease.token())
              .put("holder", lease.holder())
              .put("paths", PathPattern.texts(lease.terms().paths()))
              .put("told", told)
              .build());
    } else {
      out.line(
          "broke the lock of "
              + Printable.text(lease.holder())
              + " on "
              + LeaseText.paths(lease.terms())
              + (told ? "; " + Printable.text(lease.holder()) + " is told by mail." : "."));
    }
  }

  static ParleyException notLocked(@Nullable String path) {
    return ParleyException.refused(
        "not-held",
        path == null ? "You hold no locks." : "No lock on " + path + ".",
        "List the locks: parley locks");
  }
}

package dev.parley.cli.work;

import dev.parley.WorkingTree;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.UniquePrefix;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.mail.DueWork;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.WaitService;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits for something in the ledger: a task's end, a path, an agent, a board. */
public final class EventWait {
  /** The prefixes of events. */
  public static final List<String> KINDS = List.of("task:", "path:", "agent:", "board:");

  private EventWait() {}

  public static boolean isEvent(String text) {
    return KINDS.stream().anyMatch(kind -> text.startsWith(kind) && text.length() > kind.length());
  }

  /**
   * Waits as the caller and returns the result.
   *
   * @param after a position of the ledger: what ended before it does not count; null if it does
   * @return {@link ExitCode#TIMED_OUT} after the timeout
   */
  public static int run(
      Invocation invocation,
      CommandContext context,
      String event,
      @Nullable Position after,
      Duration atMost)
      throws InterruptedException {
    WorkingTree tree = WorkingTree.of(invocation.shell().folder(), context.bus().path());
    String target = target(context, tree, event);
    try (DueWork.Keeping _ = context.waiting()) {
      WaitService waiting = context.team().waits(context.session());
      Position at = after == null ? null : waiting.until(target, tree.name(), after, atMost);
      boolean over = after == null ? waiting.until(target, tree.name(), atMost) : at != null;
      if (over) {
        over(invocation.out(), target, task(context, target), at);
      }
      return over ? ExitCode.OK : ExitCode.TIMED_OUT;
    } catch (RefusedException e) {
      return Refusal.answer(invocation, "granted", e);
    }
  }

  /** The given event, with complete ids and with paths from the root of the repository. */
  private static String target(CommandContext context, WorkingTree tree, String event) {
    int colon = event.indexOf(':') + 1;
    String name = event.substring(colon);
    return event.substring(0, colon)
        + switch (event.substring(0, colon)) {
          case "path:" -> tree.pattern(name);
          case "task:" -> TaskId.of(context.team().ledger(), name);
          case "board:" ->
              UniquePrefix.of(
                  "boards",
                  name,
                  context.team().boards().all().stream().map(BoardSession::id).toList());
          default -> name;
        };
  }

  private static @Nullable Task task(CommandContext context, String target) {
    String task = target.startsWith("task:") ? target.substring("task:".length()) : null;
    return task == null
        ? null
        : context
            .team()
            .ledger()
            .look(ledger -> Optional.ofNullable(ledger.tasks().task(task)))
            .orElse(null);
  }

  private static void over(Output out, String target, @Nullable Task task, @Nullable Position at) {
    String state = task == null ? "over" : task.state().word();
    if (out.isJson()) {
      Json.ObjectBuilder json = Json.object().put("event", target).put("state", state);
      if (task != null) {
        json.put("note", task.note());
      }
      out.line((at == null ? json : json.put("position", at.value())).build());
    } else {
      String end = at == null ? "." : ", since " + at.in(Ledger.TOPIC) + ".";
      out.line(target + (task == null ? " has ended" : " is " + state) + end);
    }
  }

  /**
   * Records that the caller waits for another agent's answer.
   *
   * @return ends the wait when it is closed; null if it was refused, which was reported
   */
  public static @Nullable Asked answerOf(
      Invocation invocation,
      CommandContext context,
      String agent,
      String question,
      Duration atMost) {
    WaitService waiting = context.team().waits(context.session());
    try {
      long begun = waiting.begin("agent:" + agent, "", "an answer to " + question, atMost);
      return () -> waiting.end(begun);
    } catch (RefusedException e) {
      if (e.code().equals("would-deadlock")) {
        var _ = Refusal.answer(invocation, "granted", e);
        return null;
      }
      throw e;
    }
  }

  /** A recorded wait for an answer, until it is closed. */
  public interface Asked extends AutoCloseable {
    @Override
    void close();
  }
}

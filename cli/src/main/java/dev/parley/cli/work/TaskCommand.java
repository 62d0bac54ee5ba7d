package dev.parley.cli.work;

import dev.parley.WorkingTree;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.BodyPart;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.mail.DueWork;
import dev.parley.coordination.task.FailedTask;
import dev.parley.coordination.task.HeldTask;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.json.ClaimedJson;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tasks and the agents that do them. */
public final class TaskCommand implements Command {
  /** What ends a task. */
  private static final Set<String> ENDS = Set.of("done", "fail", "release", "cancel");

  private static final Parameter ID =
      Parameter.required("task", "the task id, such as 1.2; a unique prefix is enough");
  private static final Parameter NEW_ID =
      Parameter.optional("task", "the id, such as 1.2 (made from the title)");
  private static final Option TITLE = Option.value("--title", "text", "the title");
  private static final Option BODY = Body.option("a description");
  private static final Option AFTER =
      Option.value("--after", "tasks", "tasks that must be done first: 1.1,1.2").repeated();
  private static final Option CRITERION =
      Option.value("--criterion", "text", "an acceptance criterion; repeatable").repeated();
  private static final Option FILE =
      Option.value("--file", "path", "a file that the task will change; repeatable").repeated();
  private static final Option CHANGED =
      Option.value("--file", "path", "a file that was changed; repeatable").repeated();
  private static final Option NEEDS =
      Option.value("--needs", "ability", "an ability that its owner needs").repeated();
  private static final Option PRIORITY =
      Option.value("--priority", "priority", "the priority (normal)")
          .choices("low", "normal", "high", "critical");
  private static final Option TRIES = Option.value("--tries", "n", "the number of attempts (3)");
  private static final Option LATER =
      Option.flag("--later", "the tasks in --after may be added later");
  private static final Option CAN =
      Option.value("--can", "ability", "further abilities of yours").repeated();
  private static final Option WAIT = Option.value("--wait", "time", "wait until a task is ready");
  private static final Option WAIT_IN_LINE =
      Option.value("--wait", "time", "wait in the queue for its files, at most this long");
  private static final Option NO_FILES = Option.flag("--no-files", "do not lock the task's files");
  private static final Option TTL =
      Option.value("--ttl", "time", "the claim ends after this time without progress");
  private static final Option PROGRESS =
      Option.value("--progress", "percent", "progress in percent, 0 to 100");
  private static final Option NOTE = Option.value("--note", "text", "a short note");
  private static final Option ON =
      Option.value("--on", "what", "the agent, task or path that blocks it");
  private static final Option COMMIT = Option.value("--commit", "id", "the commit id");
  private static final Option ERROR = Option.value("--error", "text", "the error");
  private static final Option FINAL =
      Option.flag("--final", "no attempt can succeed; skip the tasks that depend on it");
  private static final Option REASON = Option.value("--reason", "text", "why");
  private static final Option STATE =
      Option.value("--state", "state", "only tasks in this state; repeatable")
          .choices(
              "pending", "ready", "claimed", "blocked", "done", "failed", "skipped", "cancelled")
          .repeated();
  private static final Option MINE = Option.flag("--mine", "only your tasks");

  @Override
  public Description description() {
    return Description.family(
        "task",
        Group.COORDINATE,
        "add, claim and finish tasks",
        "If several agents claim a task at the same time, one gets it. A task is ready when all"
            + " tasks that it depends on are done; if one of those failed for good, the task is"
            + " skipped. A claim locks the task's files for as long as it lasts; next passes over"
            + " tasks whose files are locked by others. done and fail release the claim and its"
            + " locks. A claim ends after 30 minutes without a sign of life from its owner.",
        "list",
        List.of(
            Description.sub("list", "list tasks", List.of(), List.of(STATE, MINE)),
            Description.sub(
                "show", "show one task", List.of(ID), List.of(BodyPart.FULL, BodyPart.PART)),
            Description.sub(
                "add",
                "add a task",
                List.of(NEW_ID),
                List.of(TITLE, BODY, AFTER, CRITERION, FILE, NEEDS, PRIORITY, TRIES, LATER)),
            Description.sub(
                "next",
                "claim the most urgent ready task that you are able to do",
                List.of(),
                List.of(CAN, WAIT, TTL, NO_FILES, CoverOptions.REPO, CoverOptions.TREE)),
            Description.sub(
                "claim",
                "claim a task",
                List.of(ID),
                List.of(WAIT_IN_LINE, TTL, NO_FILES, CoverOptions.REPO, CoverOptions.TREE)),
            Description.sub("progress", "report progress", List.of(ID), List.of(PROGRESS, NOTE)),
            Description.sub(
                "block", "report that a task is blocked", List.of(ID), List.of(ON.needed(), NOTE)),
            Description.sub(
                "done", "report that a task is done", List.of(ID), List.of(COMMIT, CHANGED, NOTE)),
            Description.sub(
                "fail", "report that a task failed", List.of(ID), List.of(ERROR.needed(), FINAL)),
            Description.sub(
                "retry", "allow another attempt at a failed task", List.of(ID), List.of()),
            Description.sub("release", "release a claim", List.of(ID), List.of(NOTE)),
            Description.sub("cancel", "cancel a task", List.of(ID), List.of(REASON.needed()))),
        List.of(
            "parley task add 1.1 --title \"Parser\" --file src/Parser.java",
            "parley task add 1.2 --title \"Tests\" --after 1.1 --criterion \"all green\"",
            "parley task next --wait 10m",
            "parley task progress 1.1 --progress 50",
            "parley task block 1.1 --on bob",
            "parley task done 1.1 --commit $(git rev-parse HEAD)",
            "parley task list --state ready"));
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    String action = arguments.subcommand();
    CommandContext context = CommandContext.open(invocation);
    if (action.equals("list") || action.equals("show")) {
      context.catchUp();
    }
    try {
      if (action.equals("list")) {
        return list(invocation, context);
      }
      return action.equals("show")
          ? show(invocation, context)
          : change(invocation, context, action);
    } catch (RefusedException e) {
      RefusedException why =
          action.equals("next")
              ? context.team().ledger().look(ledger -> NothingReady.of(ledger.tasks(), e))
              : e;
      return Refusal.answer(invocation, word(action), why);
    }
  }

  private static String word(String action) {
    return action.equals("claim") || action.equals("next") ? "claimed" : "accepted";
  }

  private static int change(Invocation invocation, CommandContext context, String action)
      throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    TaskList tasks = context.team().tasks(context.session());
    switch (action) {
      case "add" -> {
        Plan plan = plan(invocation, context);
        String state = tasks.add(plan, arguments.has(LATER));
        say(
            out,
            plan.id(),
            state,
            plan.id() + " is " + state + why(context, plan) + ".",
            List.of());
      }
      case "next" -> {
        return next(invocation, context, tasks);
      }
      default ->
          change(
              invocation,
              context,
              tasks,
              TaskId.of(context.team().ledger(), arguments.required(ID)));
    }
    return ExitCode.OK;
  }

  /** Says which failed or cancelled task keeps a new one from ever being ready. */
  private static String why(CommandContext context, Plan plan) {
    String note =
        context
            .team()
            .ledger()
            .look(ledger -> {
              Task task = ledger.tasks().task(plan.id());
              return task == null || task.state() != TaskState.SKIPPED
                  ? ""
                  : Objects.requireNonNullElse(task.note(), "");
            });
    return note.isEmpty() ? "" : ": it depends on a task that can't be done (" + note + ")";
  }

  /** Refuses to an agent in a run of waves what only the gates of its task decide. */
  private static void checkGates(Invocation invocation, String id) {
    String run = invocation.shell().variable("PARLEY_RUN");
    if (run != null && id.startsWith(run + ".")) {
      throw ParleyException.refused(
          "gates-decide",
          id + " is ended by the gates of the run " + run + ", not by its agent.",
          "Leave your changes in the files: they are checked, committed and merged for you.");
    }
  }

  /** Changes an existing task. */
  private static void change(
      Invocation invocation, CommandContext context, TaskList tasks, String id)
      throws InterruptedException {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    if (ENDS.contains(arguments.subcommand())) {
      checkGates(invocation, id);
    }
    switch (arguments.subcommand()) {
      case "claim" -> {
        Duration wait =
            Times.duration(WAIT_IN_LINE.name(), arguments.value(WAIT_IN_LINE), Duration.ZERO);
        try (DueWork.Keeping _ = context.waiting(wait)) {
          claimed(out, context, tasks.claim(id, terms(invocation, context), wait));
        }
      }
      case "progress" -> {
        String percent = arguments.value(PROGRESS);
        tasks.progress(
            id,
            percent == null ? null : IntOption.number(PROGRESS.name(), percent, 0, 100),
            arguments.value(NOTE));
        say(out, id, "claimed", progress(id, percent), List.of());
      }
      case "block" -> {
        tasks.block(id, arguments.required(ON), arguments.value(NOTE));
        say(
            out,
            id,
            "blocked",
            id
                + " is blocked on "
                + arguments.required(ON)
                + "; to unblock it: parley task progress",
            List.of());
      }
      case "done" -> {
        WorkingTree tree = WorkingTree.of(invocation.shell().folder(), context.bus().path());
        List<String> files = arguments.values(FILE).stream().map(tree::path).toList();
        List<String> ready = tasks.done(id, arguments.value(COMMIT), files, arguments.value(NOTE));
        say(
            out,
            id,
            "done",
            id
                + " is done."
                + (ready.isEmpty() ? "" : " Ready now: " + String.join(", ", ready) + "."),
            ready);
      }
      case "fail" -> {
        FailedTask failed = tasks.fail(id, arguments.required(ERROR), !arguments.has(FINAL));
        String rest =
            failed.retry()
                ? " To allow another attempt: parley task retry " + id
                : failed.skips().isEmpty()
                    ? ""
                    : " Skipped: " + String.join(", ", failed.skips()) + ".";
        say(out, id, "failed", id + " has failed." + rest, failed.skips());
      }
      case "retry" -> {
        tasks.retry(id);
        say(out, id, "ready", id + " is ready again.", List.of());
      }
      case "release" -> {
        tasks.release(id, arguments.value(NOTE));
        say(out, id, "ready", id + " is released.", List.of());
      }
      default -> {
        List<String> skips = tasks.cancel(id, arguments.required(REASON));
        String rest = skips.isEmpty() ? "" : " Skipped: " + String.join(", ", skips) + ".";
        say(out, id, "cancelled", id + " is cancelled." + rest, skips);
      }
    }
  }

  private static String progress(String id, @Nullable String percent) {
    return percent == null
        ? "Noted for " + id + "."
        : id + " is at " + IntOption.number(PROGRESS.name(), percent, 0, 100) + " %.";
  }

  private static int next(Invocation invocation, CommandContext context, TaskList tasks)
      throws InterruptedException {
    Arguments arguments = invocation.arguments();
    String wait = arguments.value(WAIT);
    if (wait == null) {
      claimed(invocation.out(), context, tasks.next(terms(invocation, context)));
      return ExitCode.OK;
    }
    Claimed claimed;
    try (DueWork.Keeping _ = context.waiting()) {
      claimed = tasks.next(terms(invocation, context), Times.duration(WAIT.name(), wait));
    }
    if (claimed != null) {
      claimed(invocation.out(), context, claimed);
      return ExitCode.OK;
    }
    String message = "No task became ready.";
    String next = "Try again later, or do something else first.";
    if (invocation.out().isJson()) {
      invocation
          .out()
          .line(
              Json.object()
                  .put("claimed", false)
                  .put("error", "timed-out")
                  .put("message", message)
                  .put("next", next)
                  .build());
    } else {
      invocation.out().line(message);
      invocation.out().line(next);
    }
    return ExitCode.TIMED_OUT;
  }

  private static TaskList.Terms terms(Invocation invocation, CommandContext context) {
    Arguments arguments = invocation.arguments();
    String ttl = arguments.value(TTL);
    Duration time = ttl == null ? null : Times.duration(TTL.name(), ttl);
    WorkingTree tree = WorkingTree.of(invocation.shell().folder(), context.bus().path());
    return new TaskList.Terms(
        split(arguments.values(CAN)),
        time,
        tree.name(),
        CoverOptions.of(arguments),
        !arguments.has(NO_FILES));
  }

  private static void claimed(Output out, CommandContext context, Claimed claimed) {
    Times times = Times.of(context.team().ledger());
    if (out.isJson()) {
      out.line(ClaimedJson.of(claimed, context.session().name(), times.inJson()));
      return;
    }
    for (HeldTask held : claimed.held()) {
      out.line(
          "skipped "
              + Printable.text(held.task())
              + ": "
              + Printable.text(held.holder())
              + " holds "
              + Printable.text(String.join(" ", held.paths())));
    }
    out.line(Printable.text(claimed.task()) + " is yours: " + Printable.text(claimed.title()));
    if (!claimed.files().isEmpty()) {
      out.line("  locked with it: " + Printable.text(String.join(" ", claimed.files())));
    }
    if (claimed.until() != null) {
      out.line(
          "  Your claim lasts until "
              + times.clock(claimed.until())
              + "; every command of yours extends it.");
    }
    out.line(
        "Next: parley task show " + claimed.task() + ", then parley task done " + claimed.task());
  }

  private static void say(Output out, String task, String state, String text, List<String> others) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("accepted", true)
              .put("task", task)
              .put("state", state)
              .put("moved", Json.ofStrings(others))
              .build());
    } else {
      out.line(Printable.text(text));
    }
  }

  private static Plan plan(Invocation invocation, CommandContext context) throws IOException {
    Arguments arguments = invocation.arguments();
    WorkingTree tree = WorkingTree.of(invocation.shell().folder(), context.bus().path());
    String id = arguments.word(NEW_ID);
    if (arguments.has(TITLE) && arguments.value(TITLE, "").isBlank()) {
      throw ParleyException.invalid(
          "empty-title", "The title is empty.", "Write one, or leave out --title.");
    }
    if (id == null && !arguments.has(TITLE)) {
      throw ParleyException.invalid(
          "missing-argument", "The task has no id and no title.", "Give one: --title <text>");
    }
    return new Plan(
        id == null ? TaskId.made(context.team().ledger(), arguments.value(TITLE, "")) : id,
        arguments.value(TITLE, ""),
        Body.read(invocation, context.bus().limits(), arguments.value(BODY, "")),
        split(arguments.values(AFTER)),
        arguments.values(CRITERION),
        tree.patterns(arguments.values(FILE)),
        split(arguments.values(NEEDS)),
        Priority.named(arguments.value(PRIORITY, "normal")),
        tries(arguments.value(TRIES)));
  }

  private static int tries(@Nullable String text) {
    return text == null ? Plan.TRIES : IntOption.number(TRIES.name(), text, 1, Plan.MOST_TRIES);
  }

  private static List<String> split(List<String> values) {
    return values.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  private static int list(Invocation invocation, CommandContext context) {
    Arguments arguments = invocation.arguments();
    List<TaskState> states = arguments.values(STATE).stream().map(TaskState::named).toList();
    String me = arguments.has(MINE) ? context.session().id() : null;
    Times times = Times.of(context.team().ledger());
    BodyPart part = BodyPart.of(invocation);
    context
        .team()
        .ledger()
        .show(ledger -> {
          Tasks tasks = ledger.tasks();
          TaskText.list(
              invocation.out(),
              part,
              tasks,
              (states.isEmpty() || states.contains(TaskState.DONE) ? tasks.all() : tasks.notDone())
                  .stream()
                      .filter(task -> states.isEmpty() || states.contains(task.state()))
                      .filter(task -> me == null || me.equals(task.session()))
                      .toList(),
              states.isEmpty() && me == null,
              times);
        });
    return ExitCode.OK;
  }

  private static int show(Invocation invocation, CommandContext context) {
    Times times = Times.of(context.team().ledger());
    String id = TaskId.of(context.team().ledger(), invocation.arguments().required(ID));
    BodyPart part = BodyPart.of(invocation);
    context
        .team()
        .ledger()
        .show(ledger -> {
          Task task = ledger.tasks().task(id);
          if (task == null) {
            throw ParleyException.refused(
                "unknown-task",
                "There is no task \"" + id + "\".",
                "List the tasks: parley task list");
          }
          TaskText.whole(
              invocation.out(), part, ledger.tasks(), task, ledger.endOfClaim(task), times);
        });
    return ExitCode.OK;
  }
}

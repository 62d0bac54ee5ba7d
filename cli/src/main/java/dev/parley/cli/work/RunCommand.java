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
import dev.parley.cli.terminal.Stop;
import dev.parley.cli.terminal.Times;
import dev.parley.cli.terminal.UserLocale;
import dev.parley.coordination.mail.DueWork;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.coordination.work.Worker;
import dev.parley.core.ParleyException;
import dev.parley.orchestration.task.TaskProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs a command as the work on a task. */
public final class RunCommand implements Command {
  private static final Parameter WORDS =
      Parameter.required("command", "the command and its arguments, after --").repeated();
  private static final Option TASK = Option.value("--task", "task", "the task to work on");
  private static final Option LOCK =
      Option.value("--lock", "path", "another path to lock; repeatable").repeated();
  private static final Option WAIT =
      Option.value("--wait", "time", "the longest time to wait for the files (5m)");
  private static final Option GRACE =
      Option.value(
          "--grace", "time", "how long claim and locks last if this process is killed (1m)");

  @Override
  public Description description() {
    return new Description(
        "run",
        Group.RUN,
        "run a command as the work on a task, or as an agent",
        "Waits for the task's files, claims the task (which must be ready) together with its files,"
            + " and runs the command. If the exit code is 0, the task is done, with the commit and"
            + " the files that git reports as changed; otherwise it has failed, and claim and locks"
            + " are released. Progress is reported every 5 minutes, and when the command prints a"
            + " line such as PROGRESS 40. Claim and locks are renewed while the command runs; if"
            + " this process is killed, they end after --grace. If they are lost anyway, the"
            + " command is stopped. The exit code is that of the command, 3 if the task or its"
            + " files were not available, or 130 after Ctrl-C. Without --task the command runs as"
            + " the agent that --as names: it joins, gets its mail by --mail or --on-mail, stays"
            + " here while it runs, and leaves when it ends, together with everything that it"
            + " started.",
        List.of(WORDS),
        List.of(
            TASK,
            LOCK,
            WAIT,
            GRACE,
            CoverOptions.REPO,
            CoverOptions.TREE,
            AgentRun.MAIL,
            AgentRun.ON_MAIL,
            AgentRun.REPORT),
        List.of(
            "parley run --task 1.2 -- mvn -q test",
            "parley run --task 1.2 -- sh -c 'make && git commit -am done'",
            "parley run --as reviewer --mail stdin --report lead -- ./reviewer.py",
            "parley run --as bob --mail pane -- gemini"));
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    String task = arguments.value(TASK);
    if (task == null) {
      return asAgent(invocation);
    }
    refuseOptionsOfAgents(arguments);
    Duration patience = Times.duration(WAIT.name(), arguments.value(WAIT), Duration.ofMinutes(5));
    Duration grace = Times.duration(GRACE.name(), arguments.value(GRACE), Worker.GRACE);
    CommandContext context = CommandContext.open(invocation);
    try {
      WorkingTree tree = WorkingTree.of(invocation.shell().folder(), context.bus().path());
      Worker worker = context.team().worker(context.session(), grace);
      List<String> more = tree.patterns(arguments.values(LOCK));
      Terms terms = Terms.NONE.in(tree.name(), CoverOptions.of(arguments));
      String id = TaskId.of(context.team().ledger(), task);
      try (DueWork.Keeping _ = context.keepingUp();
          Worker.Job job = start(worker, id, more, terms, patience)) {
        return run(invocation, job, Path.of(tree.name()));
      }
    } catch (RefusedException e) {
      return Refusal.answer(invocation, "claimed", e);
    }
  }

  /** Waits for the task's files. A signal takes the wait back; later signals end the command. */
  private static Worker.Job start(
      Worker worker, String task, List<String> more, Terms terms, Duration patience)
      throws InterruptedException {
    try (Stop _ = Stop.interrupting()) {
      return worker.start(task, more, terms, patience);
    }
  }

  private static int asAgent(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    if (!AgentRun.isNamed(invocation)) {
      throw ParleyException.invalid(
          "no-task",
          "Neither a task nor an agent is named.",
          "Give --task <task>, or --as <agent> to run it as an agent.");
    }
    for (Option option : List.of(LOCK, WAIT, GRACE, CoverOptions.REPO, CoverOptions.TREE)) {
      if (arguments.has(option)) {
        throw ParleyException.invalid(
            "needs-task",
            option.name() + " needs a task.",
            "Add --task <task>, or leave " + option.name() + " out.");
      }
    }
    return new AgentRun(invocation, arguments.words(WORDS)).run();
  }

  private static void refuseOptionsOfAgents(Arguments arguments) {
    for (Option option : List.of(AgentRun.MAIL, AgentRun.ON_MAIL, AgentRun.REPORT)) {
      if (arguments.has(option)) {
        throw ParleyException.invalid(
            "not-with-task",
            option.name() + " is for running an agent, which has no --task.",
            "Leave one of them out.");
      }
    }
  }

  private static int run(Invocation invocation, Worker.Job job, Path tree)
      throws IOException, InterruptedException {
    ProcessBuilder program =
        new ProcessBuilder(invocation.arguments().words(WORDS))
            .directory(invocation.shell().folder().toFile())
            .inheritIO();
    UserLocale.restore(program.environment());
    TaskProcess process = TaskProcess.start(job, program, tree, invocation.shell().out());
    try (Stop _ = Stop.onSignal(process::stop, ExitCode.INTERRUPTED)) {
      TaskProcess.Result result = process.await();
      String task = job.claimed().task();
      invocation
          .notices()
          .say(result.failure() == null ? done(task, result) : failed(task, result));
      return result.exitCode();
    }
  }

  private static String done(String task, TaskProcess.Result result) {
    return "task "
        + task
        + " is done."
        + (result.ready().isEmpty()
            ? ""
            : " Ready now: " + String.join(", ", result.ready()) + ".");
  }

  private static String failed(String task, TaskProcess.Result result) {
    return "task "
        + task
        + " failed: "
        + result.failure()
        + "."
        + (result.retry() ? " Try again: parley task retry " + task : "");
  }
}

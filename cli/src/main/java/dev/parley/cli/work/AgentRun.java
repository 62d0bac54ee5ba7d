package dev.parley.cli.work;

import dev.parley.Agent;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Stop;
import dev.parley.cli.terminal.UserLocale;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.roster.Status;
import dev.parley.coordination.wake.WakeWay;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.mcp.wake.CannotWakeException;
import dev.parley.mcp.wake.TmuxPane;
import dev.parley.mcp.wake.WaiterLock;
import dev.parley.mcp.wake.WakeCall;
import dev.parley.mcp.wake.Waker;
import dev.parley.orchestration.process.ProcessTree;
import dev.parley.session.Caller;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program as an agent: joins, delivers its mail, sends heartbeats, reports how the program
 * ended, and leaves.
 */
final class AgentRun {
  static final Option MAIL =
      Option.value(
              "--mail",
              "way",
              "how mail comes: stdin or file (PARLEY_MAIL) as lines of JSON; pane: typed into this"
                  + " tmux pane; without it the program looks itself")
          .choices("stdin", "file", "pane");
  static final Option ON_MAIL =
      Option.value("--on-mail", "command", "run this when mail comes, with a notice on its stdin");
  static final Option REPORT =
      Option.value("--report", "agent", "whom to mail how the program ended");

  /** The variable with the path of the file for the program's mail. */
  private static final String MAIL_FILE = "PARLEY_MAIL";

  /** The variable that marks all processes of the program. */
  private static final String MARK = "PARLEY_RUN_AS";

  private static final Duration BEAT = Duration.ofMinutes(1);
  private static final Duration FOREVER = Duration.ofDays(365);
  private static final int NOTICE_SECONDS = 60;

  private final Invocation invocation;
  private final List<String> words;
  private final @Nullable String way;

  AgentRun(Invocation invocation, List<String> words) {
    this.invocation = invocation;
    this.words = words;
    this.way = invocation.arguments().value(MAIL);
  }

  int run() throws IOException, InterruptedException {
    String report = invocation.arguments().value(REPORT);
    String told = report == null ? null : new AgentName(report).name();
    WakeCall call = call();
    CommandContext context = CommandContext.open(invocation);
    Session session = context.session();
    Path folder = Files.createTempDirectory("parley-run-");
    Path file = Files.createFile(folder.resolve("mail.jsonl"));
    try {
      Agent agent = invocation.openedBus().parley().resume(session.token());
      long began = System.nanoTime();
      String mark = mark();
      Process process = start(session, mark, file);
      ProcessTree tree = new ProcessTree(process.pid(), MARK + "=" + mark);
      Ending ending = new Ending(tree);
      try (Stop _ = Stop.onSignal(ending, ExitCode.FAILED)) {
        List<Thread> threads =
            List.of(
                begin("heartbeat", () -> beat(agent)),
                begin("mail", () -> bring(context.bus().path(), agent, call, process, file)));
        int exitCode = process.waitFor();
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
          thread.join(Duration.ofSeconds(1));
        }
        var _ = tree.end();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        report(agent, told, ending.isTold ? "was stopped" : "exit code " + exitCode, took);
        context.leave(session, "its program has ended: exit code " + exitCode);
        return exitCode;
      }
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  /** Ends the program and all its processes when this process is told to end. */
  private static final class Ending implements Runnable {
    private final ProcessTree tree;
    private volatile boolean isTold;

    Ending(ProcessTree tree) {
      this.tree = tree;
    }

    @Override
    public void run() {
      isTold = true;
      try {
        var _ = tree.end();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Process start(Session session, String mark, Path file) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(invocation.shell().folder().toFile()).inheritIO();
    if ("stdin".equals(way)) {
      builder.redirectInput(ProcessBuilder.Redirect.PIPE);
    }
    UserLocale.restore(builder.environment());
    builder.environment().put(Caller.AGENT, session.name());
    builder.environment().put(Caller.SESSION, session.token());
    builder.environment().put(MARK, mark);
    if ("file".equals(way)) {
      builder.environment().put(MAIL_FILE, file.toString());
    }
    try {
      return builder.start();
    } catch (IOException e) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "cannot-run",
          "\"" + words.getFirst() + "\" cannot be started: " + e.getMessage() + ".",
          "Check its name.",
          e);
    }
  }

  private static String mark() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** How to wake the idle agent; null if its mail is delivered otherwise, or not at all. */
  private @Nullable WakeCall call() {
    Arguments arguments = invocation.arguments();
    String command = arguments.value(ON_MAIL);
    if (command != null && way != null) {
      throw ParleyException.invalid(
          "two-ways", "--mail and --on-mail are two ways for mail to come.", "Give one of them.");
    }
    if (command != null) {
      return notice -> runOnMail(command, notice);
    }
    if (!"pane".equals(way)) {
      return null;
    }
    String pane = invocation.shell().variable("TMUX_PANE");
    if (pane == null) {
      throw ParleyException.refused(
          "no-pane", "This is not a tmux pane.", "Start tmux first, or use --mail stdin.");
    }
    return new TmuxPane(pane);
  }

  private void runOnMail(String command, String notice)
      throws InterruptedException, CannotWakeException {
    try {
      Process process =
          new ProcessBuilder("sh", "-c", command)
              .directory(invocation.shell().folder().toFile())
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (OutputStream in = process.getOutputStream()) {
        in.write((notice + "\n").getBytes(StandardCharsets.UTF_8));
      }
      if (!process.waitFor(NOTICE_SECONDS, TimeUnit.SECONDS)) {
        new ProcessTree(process.pid(), MARK + "=").end();
        throw new CannotWakeException("command-timed-out");
      }
      if (process.exitValue() != 0) {
        throw new CannotWakeException("command-exit-" + process.exitValue());
      }
    } catch (IOException e) {
      throw new CannotWakeException("command-failed");
    }
  }

  private interface Work {
    void run() throws InterruptedException, IOException;
  }

  private Thread begin(String name, Work work) {
    return Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(() -> {
          try {
            work.run();
          } catch (InterruptedException e) {
            // The program has ended.
          } catch (IOException | ParleyException e) {
            invocation.notices().say(name + ": " + Explanation.messageOf(e));
          }
        });
  }

  private static void beat(Agent agent) throws InterruptedException {
    while (true) {
      Thread.sleep(BEAT);
      var _ = agent.heartbeat(Beat.ALIVE);
    }
  }

  private void bring(Path bus, Agent agent, @Nullable WakeCall call, Process process, Path file)
      throws IOException, InterruptedException {
    if (call != null) {
      wake(bus, agent, call);
    } else if ("stdin".equals(way)) {
      write(agent, process.getOutputStream());
    } else if ("file".equals(way)) {
      try (OutputStream out = Files.newOutputStream(file)) {
        write(agent, out);
      }
    }
  }

  private void wake(Path bus, Agent agent, WakeCall call) throws IOException, InterruptedException {
    try (WaiterLock lock = WaiterLock.take(bus, agent.name())) {
      if (lock == null) {
        invocation.notices().say("Another process brings " + agent.name() + " its mail already.");
        return;
      }
      WakeWay by = "pane".equals(way) ? WakeWay.PANE : WakeWay.PROGRAM;
      agent.waking().way(String.valueOf(Path.of(words.getFirst()).getFileName()), by, null);
      new Waker(agent).wakeWith(call);
    }
  }

  /** Delivers mail. Only written mail counts as delivered; the rest stays in the inbox. */
  private static void write(Agent agent, OutputStream out) throws InterruptedException {
    try {
      while (true) {
        ReceivedMail letter = agent.mail().await(MailFilter.ANY, FOREVER);
        if (letter != null) {
          String line = agent.mail().whole(letter).toJson() + "\n";
          out.write(line.getBytes(StandardCharsets.UTF_8));
          out.flush();
          agent.mail().delivered(List.of(letter));
        }
      }
    } catch (IOException e) {
      // The program no longer reads.
    }
  }

  private void report(Agent agent, @Nullable String told, String how, Duration took) {
    boolean isGood = how.equals("exit code 0");
    String note = how + " after " + took.toSeconds() + " s";
    try {
      Status status = isGood ? Status.COMPLETE : Status.FAILED;
      var _ = agent.heartbeat(new Beat(status, null, null, note));
      if (told != null) {
        Draft draft =
            Draft.to(told)
                .type("result")
                .says(agent.name() + " has ended: " + how, note + ": " + String.join(" ", words))
                .automatic(true);
        var _ = agent.mail().sendAnyway(draft);
      }
    } catch (ParleyException e) {
      invocation.notices().say("The end could not be reported: " + Explanation.messageOf(e));
    }
  }

  /** Whether the agent is named. */
  static boolean isNamed(Invocation invocation) {
    return invocation.arguments().has(CommonOptions.AS)
        || invocation.shell().variable(Caller.AGENT) != null;
  }
}

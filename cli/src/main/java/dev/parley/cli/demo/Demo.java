package dev.parley.cli.demo;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.tail.Lanes;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows Parley at work: five processes do a small project together over a bus. */
public final class Demo implements Command {
  private static final Parameter STORY =
      Parameter.optional(
              "story",
              "debate: agents that argue and vote; waves: a plan in worktrees; moderate: a project"
                  + " with reviews")
          .choices("debate", "waves", "moderate");
  private static final Option SLOW = Option.flag("--slow", "pause between steps, for an audience");
  private static final Option SEED =
      Option.value("--seed", "n", "the seed: the same number gives the same demo (1)");

  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration SLOW_PACE = Duration.ofMillis(1200);

  @Override
  public Description description() {
    return new Description(
        "demo",
        Group.EVERYDAY,
        "watch five processes work together over a bus",
        "Starts five agents as processes of their own, in a new git repository in the temporary"
            + " folder, and shows what they write to its bus, as it is written: tasks, a file that"
            + " two of them want, a question, a wait that would never have ended and is refused, a"
            + " discovery that saves work, one agent killed half-way and its task taken over, and a"
            + " vote. Every line names the envelope it tells of. The bus stays, to look around;"
            + " yours is not touched. debate shows a consensus with a debate and a meeting of a"
            + " board, waves a plan that agents carry out in worktrees, with a conflict and a task"
            + " that fails, moderate a project whose tasks are reviewed; their agents are scripts,"
            + " and need no key and no model.",
        List.of(STORY),
        List.of(SLOW, SEED),
        List.of("parley demo", "parley demo --slow", "parley demo waves", "parley demo moderate"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    String story = invocation.arguments().word(STORY);
    if (story != null) {
      refuse(invocation.arguments(), SLOW);
      refuse(invocation.arguments(), SEED);
      CommandShow.named(story).play(invocation);
      return ExitCode.OK;
    }
    long seed = seed(invocation.arguments().value(SEED));
    Duration pace = invocation.arguments().has(SLOW) ? SLOW_PACE : Duration.ZERO;
    try (DemoBus demoBus = DemoBus.set(invocation.shell().environment())) {
      show(invocation, demoBus, seed, pace);
    }
    return ExitCode.OK;
  }

  private static void refuse(Arguments arguments, Option option) {
    if (arguments.has(option)) {
      throw ParleyException.invalid(
          "bad-option",
          option.name() + " belongs to the story of five processes.",
          "Leave it out, or run parley demo " + option.name() + ".");
    }
  }

  private static long seed(@Nullable String text) {
    try {
      return text == null ? 1 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ParleyException.invalid(
          "bad-seed", "--seed \"" + text + "\" is not a number.", "Use a whole number.");
    }
  }

  private static void show(Invocation invocation, DemoBus demoBus, long seed, Duration pace)
      throws IOException, InterruptedException {
    BusFolder folder = demoBus.folder();
    Output out = invocation.out();
    if (!out.isJson()) {
      out.line(
          "Five processes build "
              + DemoStory.of(seed).project()
              + " together, on the bus "
              + Printable.text(folder.path().toString()));
      out.line("");
      out.flush();
    }
    DemoNarration narration = new DemoNarration();
    try (Bus bus = folder.open(invocation.notices());
        Feed feed = bus.feed(Prefix.ALL, FeedStart.BEGINNING)) {
      DemoProcesses processes = demoBus.start(seed, pace);
      watch(bus, feed, processes, narration, out);
    }
    if (out.isJson()) {
      out.line(Json.object().put("state", "done").put("bus", folder.path().toString()).build());
      return;
    }
    out.line("");
    List<String> summary = narration.summary();
    out.line(out.styled(Style.BOLD, summary.getFirst()));
    summary.subList(1, summary.size()).forEach(out::line);
    out.line("");
    further(out, Printable.text(folder.path().toString()));
  }

  /** Shows all events until every remaining agent has left. */
  private static void watch(
      Bus bus, Feed feed, DemoProcesses processes, DemoNarration narration, Output out)
      throws InterruptedException {
    long end = System.nanoTime() + Script.PATIENCE.multipliedBy(5).toNanos();
    boolean over = false;
    Lanes lanes = DemoNarration.lanes(out);
    while (true) {
      // Checked before the read, so that the read includes everything they wrote.
      boolean ended = over && processes.hasEnded();
      Envelope envelope = feed.next(LOOK);
      if (envelope != null) {
        narration.tell(envelope).forEach(lanes::print);
        out.flush();
        if (isHalfWay(envelope)) {
          kill(bus, processes);
        }
        // Only farewells follow.
        over |= envelope.type().equals(BoardTypes.RESOLVE);
      } else if (ended) {
        return;
      } else if (processes.hasFailed() || System.nanoTime() > end) {
        throw new ParleyException(
            ParleyException.Kind.FAILED,
            "demo-failed",
            "The demo did not finish: one of its processes failed or is stuck.",
            "Look at the bus it left: parley tail --bus <folder>.");
      }
    }
  }

  private static boolean isHalfWay(Envelope envelope) {
    return envelope.type().equals(TaskTypes.PROGRESS)
        && envelope.sender().equals(DemoStory.DAN)
        && Fields.of(envelope.payload()).number("progress", 0) == DemoStory.HALF_WAY;
  }

  private static void kill(Bus bus, DemoProcesses processes) {
    long pid = processes.kill(DemoStory.DAN);
    var _ =
        bus.publish(
            new Topic(DemoNarration.TOPIC),
            Message.of(
                "human",
                DemoTypes.KILLED,
                Json.object().put("agent", DemoStory.DAN).put("pid", pid).build()));
  }

  private static void further(Output out, String bus) {
    out.line("Everything is still there. Look at it:");
    String there = " --bus " + bus;
    out.line("  parley watch --once" + there);
    out.line("  parley task list" + there);
    out.line("  parley board show board-1" + there);
    out.line("  parley tail ledger" + there);
  }
}

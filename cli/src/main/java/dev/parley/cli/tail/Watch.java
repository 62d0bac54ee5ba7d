package dev.parley.cli.tail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.runners.RunText;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Stop;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.work.BlindRedaction;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.store.Cursors;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.text.Event;
import dev.parley.text.Narration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shows the events of a bus in words as they happen. */
public final class Watch implements Command {
  private static final Option FOLLOW =
      Option.flag("--follow", "keep printing new events (default on a terminal)").letter("-f");
  private static final Option ONCE = Option.flag("--once", "print what is there now, then end");
  private static final Option SINCE =
      Option.value("--since", "time", "only messages since then: 90s, 10m, 2h, 1d ago, or a time");
  private static final Option AGENT =
      Option.value("--agent", "agent", "only this agent's actions; repeatable").repeated();
  private static final Option TASK =
      Option.value("--task", "task", "only events of this task; repeatable").repeated();
  private static final Option TYPE =
      Option.value(
              "--type",
              "type",
              "only this type, such as task.done, or task for all of its types; repeatable")
          .repeated();
  private static final Option LANES = Option.flag("--lanes", "draw a lane for each agent");
  private static final Option LINES =
      Option.flag("--lines", "draw no lanes (default on a narrow terminal)");
  private static final Option LAST =
      Option.value("--last", "n", "only the last n events (30 on a terminal)").letter("-n");

  private static final int USUAL_LAST = 30;
  private static final Duration WAIT = Duration.ofSeconds(60);

  @Override
  public Description description() {
    return new Description(
        "watch",
        Group.EVERYDAY,
        "watch what happens on the bus",
        "Describes each decision in words, with a lane and a colour for each agent: joins, claims,"
            + " locks, questions, answers, votes and refusals (✗). Bookkeeping is left out; parley"
            + " tail shows the envelopes themselves. On a terminal it runs until Ctrl-C. Each line"
            + " names its envelope.",
        List.of(),
        List.of(FOLLOW, ONCE, SINCE, AGENT, TASK, TYPE, LANES, LINES, LAST),
        List.of(
            "parley watch",
            "parley watch --agent bob --since 1h",
            "parley watch --task 1.2 --once",
            "parley watch --type task --json"));
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    for (List<Option> two : List.of(List.of(FOLLOW, ONCE), List.of(LANES, LINES))) {
      if (two.stream().filter(arguments::has).count() > 1) {
        throw ParleyException.invalid(
            "contradiction",
            two.getFirst().name() + " and " + two.getLast().name() + " contradict each other.",
            "Give one of them.");
      }
    }
    boolean follows =
        arguments.has(FOLLOW) || (out.isTerminal() && !out.isJson() && !arguments.has(ONCE));
    Wanted wanted = Wanted.of(arguments);
    Narration narration = new Narration(Times.shownBy(out));
    RunText runs = new RunText();
    BusFolder folder = invocation.busToLookAt();
    try (FileLog log = folder.openLog()) {
      BlindRedaction redaction = BlindRedaction.of(log, folder.views());
      Selection all = new Selection(Prefix.ALL, true, null, true, null, List.of());
      Backlog backlog = Backlog.open(log, all, invocation.notices());
      Deque<Event> shown = new ArrayDeque<>();
      int most = most(arguments, out);
      backlog.forEach(envelope -> {
        for (Event event : told(narration, runs, redaction, envelope)) {
          if (wanted.wants(event)) {
            shown.add(event);
          }
          if (shown.size() > most) {
            shown.remove();
          }
        }
      });
      Lanes lanes = lanes(arguments, out, shown);
      shown.forEach(lanes::print);
      out.flush();
      if (shown.isEmpty() && !out.isJson() && !follows) {
        out.line("No events" + (wanted.isAll() ? " yet." : " of that kind."));
      }
      if (follows) {
        try (Bus bus = new Bus(log, Cursors.inMemory(), invocation.notices())) {
          follow(
              bus.feed(Prefix.ALL, FeedStart.after(backlog.ends())),
              envelope -> {
                for (Event event : told(narration, runs, redaction, envelope)) {
                  if (wanted.wants(event)) {
                    lanes.print(event);
                  }
                }
                out.flush();
              });
        }
      }
    }
    return ExitCode.OK;
  }

  /** A blind assessment stays blind, and what is decided is decided from what is stored. */
  private static List<Event> told(
      Narration narration, RunText runs, BlindRedaction redaction, Envelope stored) {
    Event ofRun = runs.tell(stored);
    List<Event> events = ofRun == null ? narration.tell(stored) : List.of(ofRun);
    if (events.isEmpty()) {
      return events;
    }
    Envelope shown = redaction.over(stored);
    if (shown.payload().equals(stored.payload())) {
      return events;
    }
    List<Event> veiled = new ArrayList<>();
    for (Event event : events) {
      veiled.add(
          event.type().equals(stored.type())
              ? event.saying("has given a blind assessment")
              : event);
    }
    return veiled;
  }

  private static int most(Arguments arguments, Output out) {
    String last = arguments.value(LAST);
    if (last != null) {
      return IntOption.number(LAST.name(), last, 0, Integer.MAX_VALUE);
    }
    return out.isTerminal() && !out.isJson() && !arguments.has(SINCE)
        ? USUAL_LAST
        : Integer.MAX_VALUE;
  }

  private static Lanes lanes(Arguments arguments, Output out, Deque<Event> shown) {
    boolean lines = arguments.has(LINES);
    boolean drawn = arguments.has(LANES) || (!lines && Lanes.fit(out));
    Set<String> cast = new LinkedHashSet<>();
    shown.forEach(event -> cast.add(event.agent()));
    return new Lanes(out, cast, drawn, true);
  }

  private static void follow(Feed feed, Consumer<Envelope> show) throws InterruptedException {
    try (Stop _ = Stop.onSignal(feed::close)) {
      while (!feed.hasEnded()) {
        Envelope envelope = feed.next(WAIT);
        if (envelope != null) {
          show.accept(envelope);
        }
      }
    }
  }

  /** The events that the user wants to see. */
  private record Wanted(
      @Nullable Instant since, List<String> agents, List<String> tasks, List<String> types) {
    static Wanted of(Arguments arguments) {
      String since = arguments.value(SINCE);
      return new Wanted(
          since == null ? null : Times.system().past(SINCE.name(), since),
          arguments.values(AGENT),
          arguments.values(TASK),
          arguments.values(TYPE));
    }

    boolean isAll() {
      return since == null && agents.isEmpty() && tasks.isEmpty() && types.isEmpty();
    }

    boolean wants(Event event) {
      Instant at = event.at();
      return (since == null || at == null || !at.isBefore(since))
          && (agents.isEmpty() || agents.contains(event.agent()))
          && (tasks.isEmpty() || tasks.contains(event.task()))
          && (types.isEmpty()
              || types.stream()
                  .anyMatch(
                      type -> event.type().equals(type) || event.type().startsWith(type + ".")));
    }
  }
}

package dev.parley.cli.tail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Stop;
import dev.parley.coordination.work.BlindRedaction;
import dev.parley.core.Envelope;
import dev.parley.core.Reporter;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.store.Cursors;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.time.Duration;
import java.util.List;

/** Shows the envelopes of topics, existing and new ones. */
public final class Tail implements Command {
  static final Parameter PREFIX =
      Parameter.optional("prefix", "only this topic and its sub-topics");
  static final Option FROM =
      Option.value("--from", "place", "start, end, or a position of the named topic");
  static final Option SINCE =
      Option.value("--since", "time", "only messages since then: 90s, 10m, 2h, 1d ago, or a time");
  static final Option TYPE =
      Option.value("--type", "type", "only this type; repeatable").repeated();
  static final Option FOLLOW = Option.flag("--follow", "keep printing new messages").letter("-f");
  static final Option LAST =
      Option.value("--last", "n", "only the last n messages (20)").letter("-n");

  private static final int USUAL_LAST = 20;
  private static final Duration WAIT = Duration.ofSeconds(60);

  @Override
  public Description description() {
    return new Description(
        "tail",
        Group.PLUMBING,
        "show the messages of topics",
        "Shows the last 20 messages in topic order; several topics are merged by time. --from start"
            + " shows all. Parley's own topics are shown only if you name them; parley watch"
            + " describes them in words. With -f it runs until Ctrl-C. With --json each line is the"
            + " stored envelope, with invisible characters escaped. Damaged lines, gaps and repeats"
            + " are reported on stderr. With --from and a position, such as 412 or notes@412, only"
            + " the named topic itself is shown.",
        List.of(PREFIX),
        List.of(FROM, SINCE, TYPE, FOLLOW, LAST),
        List.of(
            "parley tail",
            "parley tail notes -f",
            "parley tail notes --from notes@412 --json",
            "parley tail --since 10m --type note -n 20"));
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    Arguments arguments = invocation.arguments();
    Selection selection = Selection.of(arguments);
    BusFolder folder = invocation.busToLookAt();
    try (FileLog log = folder.openLog()) {
      Printer printer = Printer.of(invocation, BlindRedaction.of(log, folder.views())::over);
      Backlog backlog = Backlog.open(log, selection, invocation.notices());
      int last = last(arguments);
      if (last >= 0) {
        backlog.last(last).forEach(printer::print);
      } else {
        backlog.forEach(printer::print);
      }
      if (printer.isUnused() && !arguments.has(FOLLOW) && !invocation.out().isJson()) {
        invocation.notices().say(nothing(arguments));
      }
      if (arguments.has(FOLLOW)) {
        Reporter reporter = selection.only(invocation.notices());
        try (Bus bus = new Bus(log, Cursors.inMemory(), reporter)) {
          Feed feed = bus.feed(selection.prefix(), FeedStart.after(backlog.ends()));
          follow(feed, selection, printer);
        }
      }
    }
    return ExitCode.OK;
  }

  /** Why nothing was printed. */
  private static String nothing(Arguments arguments) {
    String prefix = arguments.word(PREFIX);
    return prefix != null
        ? "No such messages under " + prefix + ". List the topics: parley topics"
        : "No such messages in topics of yours. To see what happens on the bus: parley watch";
  }

  /** How many existing envelopes are wanted; -1 for all. */
  private static int last(Arguments arguments) {
    if (arguments.has(LAST)) {
      return Selection.count(arguments);
    }
    return arguments.has(FROM) || arguments.has(SINCE) ? -1 : USUAL_LAST;
  }

  private static void follow(Feed feed, Selection selection, Printer printer)
      throws InterruptedException {
    try (Stop _ = Stop.onSignal(feed::close)) {
      while (!feed.hasEnded()) {
        Envelope envelope = feed.poll();
        if (envelope == null) {
          printer.flush();
          envelope = feed.next(WAIT);
        }
        if (envelope != null && selection.wants(envelope)) {
          printer.print(envelope);
        }
      }
      printer.flush();
    }
  }
}

package dev.parley.cli.demo;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.tail.Printer;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.Bus;
import dev.parley.core.Envelope;
import dev.parley.core.Feed;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Start;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Shows Parley at work: three processes get something done together over a bus. */
public final class Demo implements Command {
  private static final Option KEEP = Option.flag("--keep", "leave the bus folder, to look around");

  private static final Duration LOOK = Duration.ofMillis(500);

  @Override
  public Description description() {
    return new Description(
        "demo",
        Group.EVERYDAY,
        "watch three processes work together over a bus",
        "Starts a planner, a builder and a reviewer as processes of their own and shows what they"
            + " write to the bus, as it is written. Each reacts to what it reads there. The bus is"
            + " a new folder in the temporary directory, removed at the end unless --keep is"
            + " given; yours is not touched.",
        List.of(),
        List.of(KEEP),
        List.of("parley demo", "parley demo --keep"));
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    boolean keep = invocation.arguments().has(KEEP);
    try (Stage stage = Stage.set(invocation.shell().environment(), keep)) {
      return show(invocation, stage, keep);
    }
  }

  private static int show(Invocation invocation, Stage stage, boolean keep)
      throws IOException, InterruptedException {
    BusFolder folder = stage.folder();
    Output out = invocation.out();
    if (!out.isJson()) {
      out.line("Three processes on the bus " + Printable.text(folder.path().toString()) + ":");
      out.line("");
      out.flush();
    }
    long begin = System.nanoTime();
    try (Bus bus = folder.open(invocation.notices())) {
      Feed feed = bus.feed(Prefix.ALL, Start.BEGINNING);
      Team team = stage.start();
      int messages = watch(feed, team, Printer.of(invocation));
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("state", "done")
                .put("messages", messages)
                .put("bus", keep ? folder.path().toString() : null)
                .build());
      } else {
        out.line("");
        out.line(
            "%d messages by processes %s in %.1f s."
                .formatted(messages, team.processIds(), seconds));
        further(out, folder.path(), keep);
      }
    }
    return ExitCode.OK;
  }

  private static int watch(Feed feed, Team team, Printer printer) throws InterruptedException {
    long end = System.nanoTime() + Role.PATIENCE.toNanos();
    for (int messages = 0; ; ) {
      Envelope envelope = feed.next(LOOK);
      if (envelope != null) {
        messages++;
        printer.print(envelope);
        printer.flush();
        if (envelope.type().equals(Role.LAST)) {
          return messages;
        }
      } else if (team.hasFailed() || System.nanoTime() > end) {
        throw new ParleyException(
            ParleyException.Kind.FAILED,
            "demo-failed",
            "The demo did not come to its end: one of its processes failed or is stuck.",
            "Try parley demo --keep, and look at the bus with parley tail --bus <folder>.");
      }
    }
  }

  private static void further(Output out, Path bus, boolean keep) {
    if (keep) {
      String shown = Printable.text(bus.toString());
      out.line("Look at it again:  parley tail --bus " + shown);
      out.line("As it is stored:   cat " + shown + "/*.jsonl");
      out.line("Remove it:         rm -r " + shown);
    } else {
      out.line("The bus is removed again; parley demo --keep leaves it to look around.");
      out.line("A bus of your own: parley init");
    }
  }
}

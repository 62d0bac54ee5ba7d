package dev.parley.cli.command;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the topics of the bus. */
public final class Topics implements Command {
  private static final Parameter PREFIX =
      Parameter.optional("prefix", "only this topic and its sub-topics");

  /** A topic as it is now. */
  private record Row(Topic topic, long position, Instant modified) {}

  @Override
  public Description description() {
    return new Description(
        "topics",
        Group.PLUMBING,
        "list the topics of the bus",
        "Lists the topics with the position of their end and the time of their last message.",
        List.of(PREFIX),
        List.of(),
        List.of("parley topics", "parley topics notes"));
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    String under = invocation.arguments().word(PREFIX);
    List<Row> rows = new ArrayList<>();
    try (FileLog log = invocation.busToLookAt().openLog()) {
      for (Topic topic : log.topics(under == null ? Prefix.ALL : Prefix.of(under))) {
        try {
          Instant modified = Files.getLastModifiedTime(log.file(topic)).toInstant();
          rows.add(new Row(topic, log.end(topic).position().value(), modified));
        } catch (NoSuchFileException e) {
          // Removed since it was listed.
        }
      }
    }
    if (invocation.out().isJson()) {
      rows.forEach(row -> invocation.out().line(json(row)));
    } else {
      print(invocation.out(), rows, under);
    }
    return ExitCode.OK;
  }

  private static Json json(Row row) {
    return Json.object()
        .put("topic", row.topic.name())
        .put("position", row.position)
        .put("modified", Timestamps.format(row.modified))
        .build();
  }

  private static void print(Output out, List<Row> rows, @Nullable String under) {
    if (rows.isEmpty()) {
      out.line(
          under == null
              ? "No topics yet. Create one by publishing: parley publish notes --type note"
              : "There is no topic " + Printable.text(under) + " yet.");
      return;
    }
    Times times = Times.system();
    Table table = new Table();
    table.row("TOPIC", "END", "LAST CHANGE");
    for (Row row : rows) {
      table.row(row.topic.name(), Long.toString(row.position), times.clock(row.modified));
    }
    table.print(out);
  }
}

package dev.parley.cli.mount;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.mount.Mount;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.swarm.SwarmQueues;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Shows the queues of a mounted Swarm folder as Swarm's own tools do. Only reads. */
final class SwarmMountView {
  private static final Option OUTBOX =
      Option.value("--outbox", "agent", "the messages in this agent's outbox");
  private static final Option INBOX =
      Option.value("--inbox", "agent", "the messages in this agent's inbox");
  private static final Option SINCE =
      Option.value(
          "--since", "time", "with --outbox or --inbox: only newer messages: 90s, 10m, 2h, a time");
  private static final Option DUMP =
      Option.flag("--dump", "all messages of all queues, as one JSON object");

  static final List<Option> OPTIONS = List.of(OUTBOX, INBOX, SINCE, DUMP);

  private SwarmMountView() {}

  static void show(Invocation invocation, Mount mount) {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    SwarmMessageBus bus = new SwarmMessageBus(mount.path(), RemarkNotices.to(invocation.notices()));
    String outbox = arguments.value(OUTBOX);
    String inbox = arguments.value(INBOX);
    if (arguments.has(DUMP)) {
      arguments.refuseOthers(DUMP.name());
    }
    if (outbox != null && inbox != null) {
      throw ParleyException.invalid(
          "contradiction", "--outbox and --inbox contradict each other.", "Give one of them.");
    }
    if (arguments.has(DUMP)) {
      out.line(dump(bus.dumpAllMessages()));
    } else if (outbox != null) {
      queue(invocation, bus.readOutbox(known(bus, outbox)));
    } else if (inbox != null) {
      queue(invocation, bus.readInbox(known(bus, inbox)));
    } else {
      arguments.refuseOthers("the summary of all queues");
      summary(out, bus);
    }
  }

  private static String known(SwarmMessageBus bus, String agent) {
    if (!bus.agents().contains(agent)) {
      throw ParleyException.refused(
          "no-such-queue",
          "No queue belongs to " + agent + ".",
          "Queues belong to: " + String.join(", ", bus.agents()) + ".");
    }
    return agent;
  }

  private static void queue(Invocation invocation, List<SwarmMessage> messages) {
    Output out = invocation.out();
    String text = invocation.arguments().value(SINCE);
    Times times = Times.system();
    Instant since = text == null ? Instant.MIN : times.past(SINCE.name(), text);
    List<SwarmMessage> shown =
        messages.stream().filter(message -> text == null || isAfter(message, since)).toList();
    if (out.isJson()) {
      shown.forEach(message -> out.line(message.json()));
      return;
    }
    if (shown.isEmpty()) {
      out.line(text == null ? "The queue is empty." : "No messages since then.");
      return;
    }
    Table table = new Table();
    table.row("TIME", "FROM", "TO", "TYPE", "SUBJECT");
    for (SwarmMessage message : shown) {
      Instant sent = Timestamps.parse(message.timestamp());
      table.row(
          sent == null ? "-" : times.clock(sent),
          Printable.text(message.from()),
          Printable.text(message.to()),
          Printable.text(message.type()),
          Printable.headline(message.subject(), message.body()));
    }
    table.print(out);
  }

  private static boolean isAfter(SwarmMessage message, Instant since) {
    Instant sent = Timestamps.parse(message.timestamp());
    return sent != null && sent.isAfter(since);
  }

  private static void summary(Output out, SwarmMessageBus bus) {
    Table table = new Table();
    table.row("AGENT", "INBOX", "OUTBOX");
    bus.getQueueSummary()
        .forEach((agent, sizes) -> {
          if (out.isJson()) {
            out.line(
                Json.object()
                    .put("agent", agent)
                    .put("inbox", sizes.inbox())
                    .put("outbox", sizes.outbox())
                    .build());
          } else {
            table.row(
                Printable.text(agent),
                Integer.toString(sizes.inbox()),
                Integer.toString(sizes.outbox()));
          }
        });
    if (!out.isJson()) {
      table.print(out);
    }
  }

  private static Json dump(SwarmQueues.Dump dump) {
    return Json.object()
        .put("inbox", json(dump.inbox()))
        .put("outbox", json(dump.outbox()))
        .build();
  }

  private static Json json(Map<String, List<SwarmMessage>> queues) {
    Json.ObjectBuilder json = Json.object();
    queues.forEach((agent, messages) ->
        json.put(agent, Json.of(messages.stream().map(SwarmMessage::json).toList())));
    return json.build();
  }
}

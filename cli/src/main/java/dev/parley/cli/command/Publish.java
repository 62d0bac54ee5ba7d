package dev.parley.cli.command;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.ReservedTopic;
import dev.parley.coordination.bulletin.BulletinAlias;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Appends one message to a topic. */
public final class Publish implements Command {
  private static final Parameter TOPIC =
      Parameter.required("topic", "the topic, such as notes or notes.build");
  private static final Option TYPE =
      Option.value("--type", "type", "the message type, such as note").needed();
  private static final Option PAYLOAD =
      Option.value("--payload", "json", "the payload as JSON; - reads stdin ({})");
  private static final Option TO =
      Option.value("--to", "agent", "a recipient; repeatable").repeated();
  private static final Option THREAD = Option.value("--thread", "name", "the thread");
  private static final Option REPLY_TO =
      Option.value("--reply-to", "id", "the id of the message this answers");
  private static final Option PRIORITY =
      Option.value("--priority", "word", "the priority, such as high");
  private static final Option NEEDS_REPLY = Option.flag("--needs-reply", "request an answer");
  private static final Option DEADLINE =
      Option.value("--deadline", "time", "the deadline: 90s, 10m, 2h, 1d from now, or a time");
  private static final Option KEY =
      Option.value(
          "--key", "key", "idempotency key: a second message with the same key is not stored");
  private static final Option RUN = Option.value("--run", "name", "the run");
  private static final Option TASK = Option.value("--task", "name", "the task");

  @Override
  public Description description() {
    return new Description(
        "publish",
        Group.PLUMBING,
        "append a message to a topic",
        "Appends one message to a topic and prints its position. After \"stored\", every reader of"
            + " the bus receives it. Parley's own topics (ledger, mounts, mail.*, receipts.*,"
            + " sent.*, bulletin.*, mount.*, runs.*, dead-letters) are refused. A message needs a"
            + " sender: give --as or set PARLEY_AGENT.",
        List.of(TOPIC),
        List.of(
            TYPE, PAYLOAD, TO, THREAD, REPLY_TO, PRIORITY, NEEDS_REPLY, DEADLINE, KEY, RUN, TASK),
        List.of(
            "parley publish notes --as alice --type note --payload '{\"text\":\"hello\"}'",
            "git diff --stat --format= | jq -R . | jq -s . | parley publish builds --type diff"
                + " --payload -"));
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    Topic named = new Topic(arguments.required(TOPIC));
    ReservedTopic books = ReservedTopic.of(named);
    if (books != null) {
      throw ReservedTopics.refusal(named, books);
    }
    Topic topic = BulletinAlias.topic(named.name());
    Message.Builder message =
        Message.builder(sender(invocation), arguments.required(TYPE))
            .to(arguments.values(TO))
            .thread(arguments.value(THREAD))
            .replyTo(arguments.value(REPLY_TO))
            .priority(arguments.value(PRIORITY))
            .needsReply(arguments.has(NEEDS_REPLY))
            .key(arguments.value(KEY))
            .run(arguments.value(RUN))
            .task(arguments.value(TASK));
    String deadline = arguments.value(DEADLINE);
    if (deadline != null) {
      message.deadline(Times.system().future(DEADLINE.name(), deadline));
    }
    BusFolder bus = invocation.bus();
    message.payload(payload(invocation, bus));
    try (FileLog log = bus.openLog()) {
      answer(invocation.out(), log.append(topic, List.of(message.build())).getFirst());
    }
    return ExitCode.OK;
  }

  private static String sender(Invocation invocation) {
    String agent = invocation.agent();
    if (agent == null) {
      throw ParleyException.invalid(
          "no-identity",
          "No agent name set.",
          "Add --as <agent>, or once for this shell: export " + Invocation.AGENT + "=<agent>");
    }
    return agent;
  }

  private static Json payload(Invocation invocation, BusFolder bus) throws IOException {
    String text = invocation.arguments().value(PAYLOAD, "{}");
    // One byte over the limit of a line is enough to detect that it is too long.
    int most = bus.limits().line() + 1;
    byte[] utf8 =
        text.equals("-")
            ? invocation.shell().in().readNBytes(most)
            : text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length >= most) {
      throw bus.limits().tooLong(utf8.length);
    }
    try {
      return Json.parse(utf8, bus.limits().depth() - 1);
    } catch (JsonException e) {
      throw ParleyException.invalid(
          "bad-payload",
          "The payload is not JSON: " + e.getMessage() + " at byte " + e.offset() + ".",
          text.equals("-")
              ? "Nothing was stored."
              : "Quote it for the shell: " + "'{\"text\":\"…\"}'");
    }
  }

  private static void answer(Output out, Stored stored) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", "stored")
              .put("topic", stored.topic().name())
              .put("position", stored.position().value())
              .put("id", stored.id())
              .build());
    } else {
      out.line("stored " + stored.position().in(stored.topic()) + " (" + stored.id() + ")");
    }
  }
}

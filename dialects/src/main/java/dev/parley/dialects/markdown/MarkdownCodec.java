package dev.parley.dialects.markdown;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.Origin;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * <pre>
 * journal       envelope
 * ------------  --------------------------------------------------------------
 * type          type, by {@link JournalType}
 * agent         sender
 * runId, taskId run, task
 * relatesTo     replyTo
 * body          payload.body
 * artifacts     payload.artifacts
 * files         payload.metadata.files
 * to            to, if the front matter has one: agents, separated by commas
 * all else      origin
 * </pre>
 */
public final class MarkdownCodec implements Codec<JournalMessage> {
  public static final String DIALECT = "markdown";

  /** The format requires a run and a task; this stands for none. */
  static final String NONE = "N/A";

  static final String TO = "to";

  @Override
  public Message.Builder toLog(JournalMessage message) {
    JournalType kind = JournalType.find(message.type());
    String sender = Origin.sender(message.agent(), DIALECT);
    Message.Builder envelope =
        Message.builder(sender, kind == null ? "note" : kind.onTheBus())
            .payload(payload(message))
            .to(to(message))
            .replyTo(message.relatesTo())
            .needsReply(kind == JournalType.QUESTION)
            .run(message.runId())
            .task(message.taskId());
    Map<String, Json> rest = new LinkedHashMap<>();
    rest.put("timestamp", Json.of(message.timestamp()));
    if (kind == null) {
      rest.put("type", Json.of(message.type()));
    }
    if (!sender.equals(message.agent())) {
      rest.put("agent", Json.of(message.agent()));
    }
    if (!message.more().isEmpty()) {
      Json.ObjectBuilder more = Json.object();
      message.more().forEach((name, value) -> more.put(name, value));
      rest.put("more", more.build());
    }
    new Origin(DIALECT, message.messageId(), rest).into(envelope);
    return envelope;
  }

  private static Json payload(JournalMessage message) {
    Json.ObjectBuilder payload = Json.object().put("subject", "").put("body", message.body());
    if (!message.artifacts().isEmpty()) {
      payload.put("artifacts", Json.ofStrings(message.artifacts()));
    }
    if (!message.files().isEmpty()) {
      payload.put("metadata", Json.object().put("files", Json.ofStrings(message.files())).build());
    }
    return payload.build();
  }

  /** The recipients that a message names in {@code to}, a field beyond the format. */
  private static List<String> to(JournalMessage message) {
    String to = message.more().get(TO);
    return to == null
        ? List.of()
        : FrontMatter.list(to).stream().filter(AgentName::isValid).toList();
  }

  @Override
  public JournalMessage fromLog(Envelope envelope) {
    Origin origin = Origin.of(envelope, DIALECT);
    MailContent content = MailContent.of(envelope);
    List<String> files = Fields.of(content.metadata()).texts("files");
    if (origin == null) {
      return fresh(envelope, content, files);
    }
    Fields rest = origin.fields();
    Map<String, String> more = new LinkedHashMap<>();
    rest.object("more")
        .values()
        .forEach((name, value) -> more.put(name, Objects.requireNonNullElse(value.text(), "")));
    return new JournalMessage(
        origin.id(),
        rest.text("type", JournalType.ofEnvelope(envelope.type()).name()),
        rest.text("agent", envelope.sender()),
        rest.text("timestamp", ""),
        envelope.run(),
        envelope.task(),
        envelope.replyTo(),
        files,
        content.artifacts(),
        more,
        content.body());
  }

  private static JournalMessage fresh(Envelope envelope, MailContent content, List<String> files) {
    Instant time = Objects.requireNonNullElse(envelope.time(), Instant.EPOCH);
    Map<String, String> more = new LinkedHashMap<>();
    if (!envelope.to().isEmpty()) {
      more.put(TO, String.join(", ", envelope.to()));
    }
    if (envelope.deadline() != null) {
      more.put("deadline", Timestamps.format(envelope.deadline()));
    }
    JournalType kind = JournalType.ofEnvelope(envelope.type());
    boolean answers = kind == JournalType.ANSWER && envelope.replyTo() == null;
    return new JournalMessage(
        idOf(envelope, time),
        (answers ? JournalType.FACT : kind).name(),
        envelope.sender(),
        JournalIds.time(time),
        given(envelope.run()),
        given(envelope.task()),
        envelope.replyTo(),
        files,
        content.artifacts(),
        more,
        content.subject().isEmpty()
            ? content.body()
            : "**" + content.subject() + "**\n\n" + content.body());
  }

  private static String idOf(Envelope envelope, Instant time) {
    String unique = envelope.id().isEmpty() ? envelope.toString() : envelope.id();
    return JournalIds.id(time, envelope.sender(), Fingerprint.hex(unique, 12));
  }

  private static String given(@Nullable String value) {
    return value == null || value.isEmpty() ? NONE : value;
  }
}

package dev.parley.dialects.gear;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.Origin;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * <pre>
 * gear              envelope
 * ----------------  --------------------------------------------------
 * message_type      type
 * from_agent        sender
 * to_agent          to
 * payload           payload
 * correlation_id    thread
 * requires_response needsReply
 * payload.task_id   task
 * all else          origin
 * </pre>
 */
public final class GearCodec implements Codec<AgentMessage> {
  public static final String DIALECT = "gear";

  private final @Nullable String project;

  /**
   * @param project the run of all messages; null if they belong to none
   */
  public GearCodec(@Nullable String project) {
    this.project = project;
  }

  @Override
  public Message.Builder toLog(AgentMessage message) {
    String sender = Origin.sender(message.fromAgent(), DIALECT);
    List<String> to = AgentName.isValid(message.toAgent()) ? List.of(message.toAgent()) : List.of();
    Message.Builder envelope =
        Message.builder(sender, typeOf(message))
            .payload(message.payload())
            .to(to)
            .thread(message.correlationId())
            .needsReply(message.requiresResponse())
            .run(project)
            .task(message.text("task_id"))
            .key(message.messageId());
    Map<String, Json> rest = new LinkedHashMap<>();
    rest.put("timestamp", Json.of(message.timestamp()));
    if (!typeOf(message).equals(message.messageType())) {
      rest.put("message_type", Json.of(message.messageType()));
    }
    if (!sender.equals(message.fromAgent())) {
      rest.put("from_agent", Json.of(message.fromAgent()));
    }
    if (to.isEmpty()) {
      rest.put("to_agent", Json.of(message.toAgent()));
    }
    if ("".equals(message.correlationId())) {
      rest.put("correlation_id", Json.of("")); // an envelope's thread is never empty
    }
    if (!message.more().isEmpty()) {
      Json.ObjectBuilder more = Json.object();
      message.more().forEach(more::put);
      rest.put("more", more.build());
    }
    new Origin(DIALECT, message.messageId(), rest).into(envelope);
    return envelope;
  }

  private static String typeOf(AgentMessage message) {
    String type = message.messageType();
    return type.length() <= Message.MAX_TYPE ? type : "message";
  }

  @Override
  public AgentMessage fromLog(Envelope envelope) {
    Origin origin = Origin.of(envelope, DIALECT);
    Fields rest = origin == null ? Fields.of(null) : origin.fields();
    String to = envelope.to().isEmpty() ? "" : envelope.to().getFirst();
    return new AgentMessage(
        origin == null ? "msg_" + Fingerprint.hex(envelope.toString(), 32) : origin.id(),
        rest.text("message_type", origin == null ? wordFor(envelope.type()) : envelope.type()),
        rest.text("from_agent", envelope.sender()),
        rest.text("to_agent", to),
        rest.text("timestamp", origin == null ? naive(envelope.time()) : ""),
        envelope.payload(),
        correlation(envelope, rest, origin != null),
        envelope.needsReply(),
        rest.object("more").values());
  }

  private static @Nullable String correlation(Envelope envelope, Fields rest, boolean own) {
    String thread = envelope.thread() != null ? envelope.thread() : rest.text("correlation_id");
    if (thread != null || own) {
      return thread;
    }
    return envelope.replyTo() != null ? envelope.replyTo() : envelope.id();
  }

  /** Gear's name for a mail's type. A type that Gear lacks keeps its name. */
  private static String wordFor(String type) {
    return switch (type) {
      case "task" -> MessageType.TASK_ASSIGNED.value();
      case "result" -> MessageType.TASK_COMPLETED.value();
      case "feedback", "review" -> MessageType.PR_FEEDBACK.value();
      case "error" -> MessageType.AGENT_ERROR.value();
      default -> type;
    };
  }

  private static String naive(@Nullable Instant time) {
    return AgentMessage.timestamp(
        LocalDateTime.ofInstant(Objects.requireNonNullElse(time, Instant.EPOCH), ZoneOffset.UTC));
  }
}

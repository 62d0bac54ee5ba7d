package dev.parley.dialects.swarm;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.mail.Draft;
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
 * For messages that are valid:
 *
 * <pre>
 * swarm            envelope
 * ---------------  --------------------------------------------------------------
 * from, to         sender, to; "broadcast" becomes an empty to
 * type, priority   type, priority
 * content          payload
 * threadId         thread
 * requiresResponse needsReply
 * deadline         deadline; its original spelling goes to origin
 * all else         origin
 * </pre>
 */
public final class SwarmCodec implements Codec<SwarmMessage> {
  public static final String DIALECT = "swarm";
  public static final String BROADCAST = "broadcast";

  private static final String USUAL = "normal";

  @Override
  public Message.Builder toLog(SwarmMessage message) {
    Map<String, Json> rest = new LinkedHashMap<>(message.json().fields());
    String sender = Origin.sender(message.from(), DIALECT);
    boolean directed = AgentName.isValid(message.to()) && !message.to().equals(BROADCAST);
    rest.remove("id");
    rest.remove("content");
    drop(rest, "from", Json.of(sender));
    if (directed) {
      drop(rest, "to", Json.of(message.to()));
    }
    String type = SwarmMessage.TYPES.contains(message.type()) ? message.type() : "message";
    drop(rest, "type", Json.of(type));
    drop(rest, "priority", Json.of(message.priority()));
    String thread = message.threadId();
    if (thread != null && !thread.isEmpty()) {
      rest.remove("threadId"); // an envelope's thread is never empty
    }
    drop(rest, "requiresResponse", Json.of(message.requiresResponse()));
    String deadline = message.deadline();
    Message.Builder envelope =
        Message.builder(sender, type)
            .payload(message.content())
            .to(directed ? List.of(message.to()) : List.of())
            .thread(message.threadId())
            .priority(message.priority().equals(USUAL) ? null : message.priority())
            .needsReply(message.requiresResponse())
            .deadline(deadline == null ? null : Timestamps.parse(deadline))
            .key(message.id());
    new Origin(DIALECT, message.id(), rest).into(envelope);
    return envelope;
  }

  /** Removes a field that the envelope itself has. */
  private static void drop(Map<String, Json> rest, String name, Json said) {
    rest.remove(name, said);
  }

  @Override
  public SwarmMessage fromLog(Envelope envelope) {
    Origin origin = Origin.of(envelope, DIALECT);
    return origin == null ? fresh(envelope) : restored(envelope, origin);
  }

  private static SwarmMessage restored(Envelope envelope, Origin origin) {
    Fields rest = origin.fields();
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of(origin.id()));
    put(fields, "timestamp", rest.json("timestamp"));
    put(fields, "from", rest.json("from"), envelope.sender());
    String to = envelope.to().isEmpty() ? null : envelope.to().getFirst();
    put(fields, "to", rest.json("to"), to);
    put(fields, "type", rest.json("type"), envelope.type());
    String priority = envelope.priority();
    put(fields, "priority", null, priority == null ? USUAL : priority);
    fields.put("content", envelope.payload());
    put(fields, "threadId", rest.json("threadId"), envelope.thread());
    Json requires = rest.json("requiresResponse");
    fields.put("requiresResponse", requires == null ? Json.of(envelope.needsReply()) : requires);
    rest.values().forEach(fields::putIfAbsent);
    return message(Origin.ordered(envelope, fields));
  }

  private static SwarmMessage fresh(Envelope envelope) {
    Instant time = Objects.requireNonNullElse(envelope.time(), Instant.EPOCH);
    String broadcast = Fields.of(envelope.extra().get(Draft.BROADCAST)).text("id");
    String own = envelope.id().isEmpty() ? envelope.toString() : envelope.id();
    String unique = broadcast == null ? own : envelope.sender() + " " + broadcast;
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of(Fingerprint.uuid(unique).toString()));
    fields.put("timestamp", Json.of(SendMessageInput.MILLIS.format(time)));
    fields.put("from", Json.of(envelope.sender()));
    boolean all = broadcast != null || envelope.to().isEmpty();
    String to = all ? BROADCAST : envelope.to().getFirst();
    fields.put("to", Json.of(to));
    fields.put("type", Json.of(wordFor(envelope.type())));
    String priority = envelope.priority();
    boolean known = priority != null && SwarmMessage.PRIORITIES.contains(priority);
    put(fields, "priority", null, known ? priority : USUAL);
    fields.put("content", content(envelope));
    String thread = envelope.thread() != null ? envelope.thread() : envelope.replyTo();
    put(fields, "threadId", null, thread == null ? envelope.id() : thread);
    fields.put("requiresResponse", Json.of(envelope.needsReply()));
    Instant deadline = envelope.deadline();
    put(
        fields,
        "deadline",
        null,
        deadline == null ? null : SendMessageInput.MILLIS.format(deadline));
    return message(fields);
  }

  private static Json content(Envelope envelope) {
    MailContent content = MailContent.of(envelope);
    Json.ObjectBuilder json =
        Json.object().put("subject", content.subject()).put("body", content.body());
    if (!content.artifacts().isEmpty()) {
      json.put("artifacts", Json.ofStrings(content.artifacts()));
    }
    Map<String, Json> metadata = new LinkedHashMap<>(Fields.of(content.metadata()).values());
    if (!SwarmMessage.TYPES.contains(envelope.type())) {
      metadata.putIfAbsent("type", Json.of(envelope.type()));
    }
    if (!metadata.isEmpty()) {
      json.put("metadata", message(metadata).json());
    }
    return json.build();
  }

  private static void put(Map<String, Json> fields, String name, @Nullable Json value) {
    put(fields, name, value, null);
  }

  private static void put(
      Map<String, Json> fields, String name, @Nullable Json value, @Nullable String otherwise) {
    if (value != null) {
      fields.put(name, value);
    } else if (otherwise != null) {
      fields.put(name, Json.of(otherwise));
    }
  }

  private static SwarmMessage message(Map<String, Json> fields) {
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return new SwarmMessage(json.build());
  }

  /** Swarm's name for an envelope's type. The original type is in the metadata. */
  private static String wordFor(String type) {
    if (SwarmMessage.TYPES.contains(type)) {
      return type;
    }
    return switch (type) {
      case "reply", "answer", "task_completed", "improvement_completed" -> "result";
      case "refusal", "pr_feedback" -> "feedback";
      case "task_assigned", "improvement_requested" -> "task";
      case "pr_submitted", "pr_approved" -> "review";
      case "decision" -> "design";
      case "error", "escalation", "undelivered", "agent_error", "agent_ready" -> "status";
      default -> "finding";
    };
  }
}

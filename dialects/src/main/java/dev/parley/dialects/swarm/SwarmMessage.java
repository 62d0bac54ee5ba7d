package dev.parley.dialects.swarm;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.Fingerprint;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One message of a queue, with all its fields, including those that Swarm does not name. */
public final class SwarmMessage {
  /** The message types. */
  public static final List<String> TYPES =
      List.of(
          "task",
          "result",
          "question",
          "feedback",
          "status",
          "finding",
          "artifact",
          "review",
          "design");

  private static final List<String> TEXTS = List.of("id", "timestamp", "from", "to");

  private static final String NO_TYPE = "has no type that is known";
  private static final String NO_PRIORITY = "has no priority that is known";
  private static final String NO_CONTENT = "has no content with a subject and a body";
  private static final String NO_FLAG = "has no requiresResponse that is true or false";

  /** The priorities, most urgent first. */
  public static final List<String> PRIORITIES = List.of("critical", "high", "normal", "low");

  /** The statuses of an agent. */
  public static final List<String> STATUSES =
      List.of("starting", "in_progress", "complete", "error", "blocked");

  /** The verdicts of a reviewer. */
  public static final List<String> VERDICTS = List.of("approved", "needs_revision", "rejected");

  private final Json json;
  private @Nullable Fields fields;
  private @Nullable String mark;

  /**
   * @param json an object
   */
  public SwarmMessage(Json json) {
    this.json = json;
  }

  public Json json() {
    return json;
  }

  /** Cached, because a mirror asks for the id of each of a thousand messages again and again. */
  private Fields fields() {
    Fields known = fields;
    if (known == null) {
      known = Fields.of(json);
      fields = known;
    }
    return known;
  }

  public String id() {
    return fields().text("id", "");
  }

  public String timestamp() {
    return fields().text("timestamp", "");
  }

  public String from() {
    return fields().text("from", "");
  }

  public String to() {
    return fields().text("to", "");
  }

  public String type() {
    return fields().text("type", "");
  }

  public String priority() {
    return fields().text("priority", "");
  }

  /** {@code subject}, {@code body}, and optionally {@code artifacts} and {@code metadata}. */
  public Json content() {
    Json content = fields().json("content");
    return content == null ? Json.EMPTY_OBJECT : content;
  }

  public String subject() {
    return Fields.of(content()).text("subject", "");
  }

  public String body() {
    return Fields.of(content()).text("body", "");
  }

  /** A text in the metadata; null if there is none. */
  public @Nullable String metadata(String name) {
    return Fields.of(content()).object("metadata").text(name);
  }

  public @Nullable String threadId() {
    return fields().text("threadId");
  }

  public boolean requiresResponse() {
    return fields().flag("requiresResponse");
  }

  public @Nullable String deadline() {
    return fields().text("deadline");
  }

  /** One recipient's copy of a message to several. A broadcast stays a broadcast. */
  public SwarmMessage addressedTo(String agent) {
    if (to().equals(agent) || to().equals(SwarmCodec.BROADCAST)) {
      return this;
    }
    Json.ObjectBuilder copy = Json.object();
    json.fields()
        .forEach((name, value) -> copy.put(name, name.equals("to") ? Json.of(agent) : value));
    return new SwarmMessage(copy.build());
  }

  /** Whether another message differs only in its id, its time and the like. */
  public boolean saysTheSame(SwarmMessage other) {
    return from().equals(other.from())
        && type().equals(other.type())
        && content().equals(other.content())
        && Objects.equals(threadId(), other.threadId());
  }

  /**
   * The key under which a mirror remembers the message. The id alone does not do, because agents
   * use made-up ids, UUIDs too, again for other messages.
   */
  public String mark() {
    String known = mark;
    if (known == null) {
      String all = from() + "\n" + to() + "\n" + type() + "\n" + threadId() + "\n" + content();
      known = MessageIds.isOurs(id()) ? id() : id() + " " + Fingerprint.hex(all, 16);
      mark = known;
    }
    return known;
  }

  /** Whether a message is among the marks. Earlier versions noted some by their ids. */
  public boolean isIn(Set<String> marks) {
    return marks.contains(mark()) || marks.contains(id());
  }

  /** The id in a mark. */
  public static String idOf(String mark) {
    int blank = mark.lastIndexOf(' ');
    return blank < 0 ? mark : mark.substring(0, blank);
  }

  /**
   * Why a value is not a message; null if it is one. What is wrong comes before what is missing,
   * because a mirror completes what is missing.
   */
  public static @Nullable String problem(Json value) {
    if (!value.isObject()) {
      return "is not an object";
    }
    Fields fields = Fields.of(value);
    String wrong = wrong(fields);
    return wrong == null ? missing(fields) : wrong;
  }

  private static @Nullable String wrong(Fields fields) {
    for (String name : TEXTS) {
      Json said = given(fields, name);
      if (!said.equals(Json.NULL) && said.text() == null) {
        return "has a field " + name + " that is no text: " + said;
      }
    }
    Json type = given(fields, "type");
    if (!type.equals(Json.NULL) && !TYPES.contains(fields.text("type", ""))) {
      return NO_TYPE + ": " + type;
    }
    Json priority = given(fields, "priority");
    if (!priority.equals(Json.NULL) && !PRIORITIES.contains(fields.text("priority", ""))) {
      return NO_PRIORITY + ": " + priority;
    }
    Json content = given(fields, "content");
    if (!content.equals(Json.NULL) && !content.isObject()) {
      return NO_CONTENT + ": " + content;
    }
    Json requires = given(fields, "requiresResponse");
    return requires.equals(Json.NULL) || isFlag(requires) ? null : NO_FLAG;
  }

  private static @Nullable String missing(Fields fields) {
    for (String name : TEXTS) {
      if (given(fields, name).equals(Json.NULL)) {
        return "has no " + name;
      }
    }
    if (given(fields, "type").equals(Json.NULL)) {
      return NO_TYPE;
    }
    if (given(fields, "priority").equals(Json.NULL)) {
      return NO_PRIORITY;
    }
    Fields content = fields.object("content");
    if (content.text("subject") == null || content.text("body") == null) {
      return NO_CONTENT;
    }
    return isFlag(given(fields, "requiresResponse")) ? null : NO_FLAG;
  }

  private static boolean isFlag(Json value) {
    return value.isTrue() || value.equals(Json.of(false));
  }

  /** A field; null of JSON if it is missing or blank. */
  private static Json given(Fields fields, String name) {
    Json value = fields.json(name);
    return value == null || "".equals(value.text()) ? Json.NULL : value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SwarmMessage message && json.equals(message.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return json.toString();
  }
}

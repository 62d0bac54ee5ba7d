package dev.parley.dialects.message;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an envelope keeps of the foreign message it was: all that it has no place for itself. It
 * stands in the line under the key {@code origin}.
 *
 * <pre>
 * "origin":{"dialect":"swarm","id":"msg_abc123","rest":{"timestamp":"2024-01-15T10:30:00.000Z"}}
 * </pre>
 *
 * @param id what the message is called in its dialect
 * @param rest whatever else only the dialect knows
 */
public record Origin(String dialect, String id, Map<String, Json> rest) {
  static final String KEY = "origin";

  private static final String ORDER = "order";

  /**
   * The origin of an envelope; null if it did not come from a foreign file, or if its full content
   * is kept beside the log: see {@link OversizeStore#whole}.
   */
  public static @Nullable Origin of(Envelope envelope) {
    Fields origin = Fields.of(envelope.extra().get(KEY));
    String dialect = origin.text("dialect");
    String id = origin.text("id");
    return dialect == null || id == null || OversizeStore.reference(origin) != null
        ? null
        : new Origin(dialect, id, origin.object("rest").values());
  }

  /** The time that a foreign message itself gives; null if there is none. */
  public static @Nullable Instant time(Envelope envelope) {
    Json origin = envelope.extra().get(KEY);
    return origin == null ? null : Fields.of(origin).object("rest").time("timestamp");
  }

  /** The origin of an envelope if it is of this dialect; else null. */
  public static @Nullable Origin of(Envelope envelope, String dialect) {
    Origin origin = of(envelope);
    return origin != null && origin.dialect.equals(dialect) ? origin : null;
  }

  /** Adds to an origin the order in which the message's fields were written. */
  static Json withOrder(Json origin, List<String> order) {
    if (order.isEmpty()) {
      return origin;
    }
    Json.ObjectBuilder json = Json.object();
    origin.fields().forEach(json::put);
    return json.put(ORDER, Json.ofStrings(order)).build();
  }

  /** The fields of a message in the order in which they were written, as far as that is known. */
  public static Map<String, Json> ordered(Envelope envelope, Map<String, Json> fields) {
    Map<String, Json> ordered = new LinkedHashMap<>();
    for (String name : Fields.of(envelope.extra().get(KEY)).texts(ORDER)) {
      Json value = fields.get(name);
      if (value != null) {
        ordered.put(name, value);
      }
    }
    fields.forEach(ordered::putIfAbsent);
    return ordered;
  }

  /** Adds the origin to a message. */
  public void into(Message.Builder message) {
    Json.ObjectBuilder origin = Json.object().put("dialect", dialect).put("id", id);
    if (!rest.isEmpty()) {
      Json.ObjectBuilder json = Json.object();
      rest.forEach(json::put);
      origin.put("rest", json.build());
    }
    message.extra(KEY, origin.build());
  }

  /** Writes origins member by member, because a large file has a million of them. */
  static final class Writer {
    private final JsonLine message;
    private final JsonBytes out = new JsonBytes(192);
    private final int id;
    private boolean begun;

    /**
     * @param beginning see {@link #beginning}
     */
    Writer(byte[] beginning, JsonLine message) {
      this.message = message;
      int found = message.find("id");
      boolean given = found != JsonLine.NONE && message.isText(found);
      this.id = given ? found : JsonLine.NONE;
      out.raw(beginning);
      if (id == JsonLine.NONE) {
        out.string("");
      } else {
        message.writeValueTo(out, id);
      }
    }

    /** The first bytes of every origin of a dialect. */
    static byte[] beginning(String dialect) {
      return new JsonBytes(64).ascii("{\"dialect\":").string(dialect).ascii(",\"id\":").toArray();
    }

    /** Whether a member is the id, which the origin has anyway. */
    boolean isId(int member) {
      return member == id;
    }

    void add(int member) {
      out.ascii(begun ? "," : ",\"rest\":{");
      begun = true;
      message.writeTo(out, member);
    }

    void into(Message.Builder envelope) {
      out.ascii(begun ? "}}" : "}");
      envelope.extra(KEY, Json.scanned(out.array(), 0, out.length()));
    }
  }

  /** The fields that only the dialect knows. */
  public Fields fields() {
    return new Fields(rest);
  }

  /**
   * The sender's name on the bus. A name that no agent can have is replaced by the dialect's name.
   */
  public static String sender(String name, String dialect) {
    return AgentName.isValid(name) ? name : dialect;
  }
}

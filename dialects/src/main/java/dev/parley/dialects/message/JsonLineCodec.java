package dev.parley.dialects.message;

import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are one JSON object a line, with an id, a type, a sender and a payload.
 *
 * <p>Agents may add {@code to}, {@code thread} and {@code replyTo}, as our own envelopes have them:
 * so a message can be for somebody in designs that know no recipients.
 */
public abstract class JsonLineCodec implements Codec<Json> {
  private final String dialect;
  private final String senderName;
  private final byte[] originBeginning;

  /**
   * @param senderName what the design calls the sender's field
   */
  protected JsonLineCodec(String dialect, String senderName) {
    this.dialect = dialect;
    this.senderName = senderName;
    this.originBeginning = Origin.Writer.beginning(dialect);
  }

  /** The message that an envelope of another origin becomes. */
  protected abstract Json fresh(Envelope envelope);

  /** What a message is called; it need not be unique for ever, but must be among neighbours. */
  protected abstract String id(JsonLine message);

  public String id(Json message) {
    return id(JsonLine.of(message));
  }

  @Override
  public Message.Builder toLog(Json message) {
    return toLog(JsonLine.of(message));
  }

  Message.Builder toLog(JsonLine message) {
    String named = message.text(senderName, "");
    String sender = Origin.sender(named, dialect);
    String type = message.text("type", "");
    boolean typed = !type.isEmpty() && type.length() <= Message.MAX_TYPE;
    Message.Builder envelope = Message.builder(sender, typed ? type : "message").payload(Json.NULL);
    Origin.Writer origin = new Origin.Writer(originBeginning, message);
    for (int member = 0; member < message.members(); member++) {
      boolean said =
          origin.isId(member)
              || (typed && message.isKey(member, "type"))
              || (sender.equals(named) && message.isKey(member, senderName));
      if (!said && message.isKey(member, "payload")) {
        Json payload = message.value(member);
        envelope.payload(payload);
        said = !payload.equals(Json.NULL);
      }
      if (!said) {
        origin.add(member);
        address(envelope, message, member);
      }
    }
    origin.into(envelope);
    return envelope;
  }

  private static void address(Message.Builder envelope, JsonLine message, int member) {
    if (message.isKey(member, "thread")) {
      envelope.thread(message.text(member));
    } else if (message.isKey(member, "replyTo")) {
      envelope.replyTo(message.text(member));
    } else if (message.isKey(member, "to")) {
      envelope.to(message.texts("to").stream().filter(AgentName::isValid).toList());
    }
  }

  /** Reads the messages of a file. */
  public ForeignMessage.Found<ForeignMessage> read(
      byte[] added, int linesBefore, FileRemark.Sink remarks) {
    return read(added, linesBefore, remarks, List.of());
  }

  /**
   * The same.
   *
   * @param otherwise the agents that messages are for which name nobody
   */
  public ForeignMessage.Found<ForeignMessage> read(
      byte[] added, int linesBefore, FileRemark.Sink remarks, List<String> otherwise) {
    return JsonLinesFormat.read(
        added, linesBefore, remarks, (line, end) -> new Read(this, line, id(line), end, otherwise));
  }

  /** A message that is a line. */
  public static final class Read implements ForeignMessage {
    private final JsonLineCodec codec;
    private final JsonLine line;
    private final String id;
    private final long end;
    private final List<String> otherwise;
    private Message.@Nullable Builder prepared;

    Read(JsonLineCodec codec, JsonLine line, String id, long end, List<String> otherwise) {
      this.codec = codec;
      this.line = line;
      this.id = id;
      this.end = end;
      this.otherwise = otherwise;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public long end() {
      return end;
    }

    public JsonLine line() {
      return line;
    }

    @Override
    public void prepare() {
      try {
        prepared = codec.toLog(line);
      } catch (ParleyException e) {
        // Thrown again when the message is asked for.
      }
    }

    @Override
    public Message.Builder message() {
      Message.Builder message = prepared;
      prepared = null; // its caller goes on with it
      return message == null ? codec.toLog(line) : message;
    }

    @Override
    public List<String> to() {
      List<String> named = line.texts("to");
      return named.isEmpty() ? otherwise : named;
    }

    @Override
    public List<String> order() {
      return List.copyOf(line.json().fields().keySet());
    }

    @Override
    public @Nullable String repliesTo() {
      return line.text("replyTo");
    }
  }

  @Override
  public Json fromLog(Envelope envelope) {
    Origin origin = Origin.of(envelope, dialect);
    if (origin == null) {
      return fresh(envelope);
    }
    Map<String, Json> fields = new LinkedHashMap<>();
    if (!origin.id().isEmpty()) {
      fields.put("id", Json.of(origin.id()));
    }
    fields.putAll(origin.rest());
    fields.putIfAbsent(senderName, Json.of(envelope.sender()));
    fields.putIfAbsent("type", Json.of(envelope.type()));
    if (!envelope.payload().equals(Json.NULL)) {
      fields.put("payload", envelope.payload());
    }
    return object(Origin.ordered(envelope, fields));
  }

  /** What an envelope says beside what the design knows. */
  protected static void addressing(Map<String, Json> fields, Envelope envelope) {
    if (!envelope.to().isEmpty()) {
      fields.put("to", Json.ofStrings(envelope.to()));
    }
    put(fields, "thread", envelope.thread());
    put(fields, "replyTo", envelope.replyTo());
  }

  private static void put(Map<String, Json> fields, String name, @Nullable String value) {
    if (value != null) {
      fields.put(name, Json.of(value));
    }
  }

  /** The same message with a field of another value. */
  public static Json with(Json message, String name, Json value) {
    Map<String, Json> fields = new LinkedHashMap<>(message.fields());
    fields.put(name, value);
    return object(fields);
  }

  protected static Json object(Map<String, Json> fields) {
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return json.build();
  }
}

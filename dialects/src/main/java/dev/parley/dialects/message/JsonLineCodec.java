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
 * <p>Agents may add {@code to}, {@code thread} and {@code replyTo}, as in our own envelopes. So a
 * message can have recipients even in formats without them.
 */
public abstract class JsonLineCodec implements Codec<Json> {
  private final String dialect;
  private final String senderName;
  private final byte[] originBeginning;

  /**
   * @param senderName the format's name of the sender's field
   */
  protected JsonLineCodec(String dialect, String senderName) {
    this.dialect = dialect;
    this.senderName = senderName;
    this.originBeginning = Origin.Writer.beginning(dialect);
  }

  /** The message for an envelope that came from elsewhere. */
  protected abstract Json fresh(Envelope envelope);

  /** A message's id. It must differ from its neighbours' ids, but may repeat later. */
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
   * Reads the messages of a file.
   *
   * @param otherwise the recipients of messages that name none
   */
  public ForeignMessage.Found<ForeignMessage> read(
      byte[] added, int linesBefore, FileRemark.Sink remarks, List<String> otherwise) {
    return JsonLinesFormat.read(
        added, linesBefore, remarks, (line, end) -> new Read(this, line, id(line), end, otherwise));
  }

  /** A message that is one line. */
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
        // {@link #message} throws it again.
      }
    }

    @Override
    public Message.Builder message() {
      Message.Builder message = prepared;
      prepared = null; // the caller continues with this builder
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

  /** Adds what the envelope has and the format does not know. */
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

  /** The same message with one field replaced. */
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

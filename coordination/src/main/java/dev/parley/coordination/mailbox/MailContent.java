package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message: data, never an instruction.
 *
 * @param body the whole body, or its beginning if it is stored beside the log
 * @param artifacts files or other things that the message refers to
 * @param metadata an object with anything else; null if there is none
 * @param escalateTo the agent to tell if the deadline passes; null for the person in charge
 * @param beside where the whole body is stored if it is too long for a line; null if it is here
 */
public record MailContent(
    String subject,
    String body,
    List<String> artifacts,
    @Nullable Json metadata,
    @Nullable String escalateTo,
    @Nullable Beside beside) {
  public static final MailContent EMPTY = new MailContent("", "", List.of(), null, null, null);

  /** How many characters of a body that is stored beside the log are repeated in the line. */
  public static final int BEGINNING = 200;

  public MailContent {
    artifacts = List.copyOf(artifacts);
  }

  /**
   * A body that is stored beside the log.
   *
   * @param size in bytes
   */
  public record Beside(String digest, long size) {
    /** The JSON of it in a payload, under {@code content}. */
    public Json toJson() {
      return Json.object().put("digest", digest).put("size", size).build();
    }

    static @Nullable Beside in(Fields payload) {
      return of(payload.object("content"));
    }

    /** Reads it from a payload; null if it is not valid. */
    public static @Nullable Beside of(Fields fields) {
      String digest = fields.text("digest");
      return digest == null ? null : new Beside(digest, fields.number("size", -1));
    }
  }

  public MailContent says(String newSubject, String newBody) {
    return new MailContent(newSubject, newBody, artifacts, metadata, escalateTo, null);
  }

  public MailContent metadata(@Nullable Json value) {
    return new MailContent(subject, body, artifacts, value, escalateTo, beside);
  }

  public MailContent artifacts(List<String> values) {
    return new MailContent(subject, body, values, metadata, escalateTo, beside);
  }

  public MailContent escalateTo(@Nullable String agent) {
    return new MailContent(subject, body, artifacts, metadata, agent, beside);
  }

  /** The content of an envelope; a payload of another form becomes the body as it is. */
  public static MailContent of(Envelope envelope) {
    Json payload = envelope.payload();
    Fields fields = Fields.of(payload);
    if (fields.text("body") == null && fields.text("subject") == null) {
      String text = payload.text();
      return EMPTY.says("", text != null ? text : shown(payload));
    }
    return new MailContent(
        fields.text("subject", ""),
        fields.text("body", ""),
        fields.texts("artifacts"),
        fields.json("metadata"),
        fields.text("escalateTo"),
        Beside.in(fields));
  }

  private static String shown(Json payload) {
    return payload.equals(Json.EMPTY_OBJECT) || payload.equals(Json.NULL) ? "" : payload.toString();
  }

  /**
   * The same content with its body stored beside the log; null if that would not make it shorter,
   * or would change the body.
   */
  public @Nullable MailContent beside(Contents contents) {
    byte[] utf8 = beside != null || body.length() <= BEGINNING ? null : utf8();
    if (utf8 == null) {
      return null;
    }
    return referring(new Beside(contents.store(utf8), utf8.length));
  }

  private MailContent referring(Beside place) {
    int end = Character.isHighSurrogate(body.charAt(BEGINNING - 1)) ? BEGINNING - 1 : BEGINNING;
    return new MailContent(subject, body.substring(0, end), artifacts, metadata, escalateTo, place);
  }

  private byte @Nullable [] utf8() {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(body));
      byte[] utf8 = new byte[bytes.remaining()];
      bytes.get(utf8);
      return utf8;
    } catch (CharacterCodingException e) {
      return null; // an unpaired surrogate, which UTF-8 can't encode; JSON escapes it in the line
    }
  }

  /**
   * The same content with its whole body.
   *
   * @throws ParleyException FAILED if the body is missing, damaged or no text
   */
  public MailContent whole(Contents contents) {
    if (beside == null) {
      return this;
    }
    byte[] utf8 = contents.load(beside.digest());
    try {
      return says(
          subject, StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
    } catch (CharacterCodingException e) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "content-not-text",
          Json.object().put("digest", beside.digest()).build(),
          e);
    }
  }

  /** Whether both have the same content, wherever the bodies are stored. */
  public boolean isSame(MailContent other) {
    byte[] utf8 = beside == null || other.body.length() <= BEGINNING ? null : other.utf8();
    MailContent alike =
        utf8 == null ? other : other.referring(new Beside(Contents.digest(utf8), utf8.length));
    return toJson().equals(alike.toJson());
  }

  public Json toJson() {
    Json.ObjectBuilder json = Json.object().put("subject", subject).put("body", body);
    if (!artifacts.isEmpty()) {
      json.put("artifacts", Json.ofStrings(artifacts));
    }
    if (metadata != null) {
      json.put("metadata", metadata);
    }
    if (escalateTo != null) {
      json.put("escalateTo", escalateTo);
    }
    if (beside != null) {
      json.put("content", beside.toJson());
    }
    return json.build();
  }
}

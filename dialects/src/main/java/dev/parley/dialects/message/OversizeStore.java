package dev.parley.dialects.message;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.json.JsonScanner;
import dev.parley.core.store.Contents;
import dev.parley.text.Explanation;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes foreign messages in by reference that are too long for a line, or nested too deep: all of
 * it is stored beside the log, and the line has the beginning of its texts.
 *
 * <pre>
 * "payload":{"task_id":"1.1","log":"the first 200 characters"},
 * "origin":{"dialect":"conductor","id":"msg-7","whole":{"digest":"sha256:…","size":3145728}}
 *
 * content  {"payload":{"task_id":"1.1","log":"…"},
 *           "origin":{"dialect":"conductor","id":"msg-7","rest":{…},"order":["id","type",…]}}
 * </pre>
 */
public final class OversizeStore {
  private static final String WHOLE = "whole";

  /** A payload value longer than this, in bytes, is left out of the line. */
  private static final int LONG = 4 * MailContent.BEGINNING;

  private final Contents contents;
  private final Limits limits;

  /**
   * @param limits the log's limits
   */
  public OversizeStore(Contents contents, Limits limits) {
    this.contents = contents;
    this.limits = limits;
  }

  /**
   * Makes a message that can be stored in a topic: unchanged, or by reference.
   *
   * @param order the names of its fields in their order; called only for a message stored by
   *     reference
   * @throws ParleyException INVALID if the message can't be stored: the part that must be in the
   *     line is too long, or the whole is longer than stored content may be
   */
  public Message fit(Topic topic, Message message, Supplier<List<String>> order) {
    try {
      EnvelopeEncoder.check(limits, topic, message);
      return message;
    } catch (ParleyException e) {
      Json origin = message.extra().get(Origin.KEY);
      if (origin == null) {
        throw e;
      }
      Json all =
          Json.object()
              .put("payload", message.payload())
              .put(Origin.KEY, Origin.withOrder(origin, order.get()))
              .build();
      Message shorter = referring(message, origin, store(all.toString()));
      EnvelopeEncoder.check(limits, topic, shorter);
      return shorter;
    }
  }

  private MailContent.Beside store(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new MailContent.Beside(contents.store(utf8), utf8.length);
  }

  private Message referring(Message message, Json origin, MailContent.Beside whole) {
    Fields fields = Fields.of(origin);
    Json reference =
        Json.object()
            .put("dialect", fields.text("dialect", ""))
            .put("id", fields.text("id", ""))
            .put(WHOLE, whole.toJson())
            .build();
    return Message.builder(message.sender(), message.type())
        .payload(beginning(message.payload()))
        .to(message.to())
        .thread(message.thread())
        .replyTo(message.replyTo())
        .priority(message.priority())
        .needsReply(message.needsReply())
        .deadline(message.deadline())
        .key(message.key())
        .run(message.run())
        .task(message.task())
        .extra(Origin.KEY, reference)
        .build();
  }

  /**
   * The part of a payload that stays in the line. A long body can be read in full like that of any
   * mail.
   */
  private Json beginning(Json payload) {
    if (!payload.isObject()) {
      return shortened(payload);
    }
    Json.ObjectBuilder json = Json.object();
    payload.fields().forEach((name, value) -> json.put(name, shortened(value)));
    String body = Fields.of(payload).text("body", "");
    if (body.length() > MailContent.BEGINNING && isWhole(body)) {
      json.put("content", store(body).toJson());
    }
    return json.build();
  }

  /** Whether a text has no lone surrogates, which UTF-8 can't encode. */
  private static boolean isWhole(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static Json shortened(Json value) {
    String text = value.text();
    if (text != null && text.length() > MailContent.BEGINNING) {
      int end = MailContent.BEGINNING;
      return Json.of(
          text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end));
    }
    return text == null && value.length() > LONG ? Json.NULL : value;
  }

  /** Where the full content of a foreign message is; null if it is in its line. */
  static MailContent.@Nullable Beside reference(Fields origin) {
    return MailContent.Beside.of(origin.object(WHOLE));
  }

  /**
   * An envelope with its full content.
   *
   * @throws ParleyException FAILED if the content is missing or damaged
   * @throws JsonException if the content is not a message
   */
  public Envelope whole(Envelope envelope) {
    Fields origin = Fields.of(envelope.extra().get(Origin.KEY));
    MailContent.Beside all = reference(origin);
    if (all != null) {
      return with(envelope, parts(contents.load(all.digest())));
    }
    MailContent content = MailContent.of(envelope);
    return content.beside() == null
        ? envelope
        : with(envelope, Map.of("payload", content.whole(contents).toJson()));
  }

  /** Why the full content can't be read; null if it can. */
  public @Nullable String lost(Envelope envelope) {
    if (reference(Fields.of(envelope.extra().get(Origin.KEY))) == null) {
      return null;
    }
    try {
      var _ = whole(envelope);
      return null;
    } catch (ParleyException | JsonException e) {
      return Explanation.messageOf(e);
    }
  }

  private static Map<String, Json> parts(byte[] stored) {
    JsonLine content = JsonLine.scan(new JsonScanner(Limits.MAX_DEPTH), stored, 0, stored.length);
    Map<String, Json> parts = new LinkedHashMap<>();
    for (String name : List.of("payload", Origin.KEY)) {
      parts.put(name, content.json(name));
    }
    return parts;
  }

  private static Envelope with(Envelope envelope, Map<String, Json> changed) {
    byte[] line = envelope.toLine();
    Map<String, Json> fields = new LinkedHashMap<>(Json.scanned(line, 0, line.length).fields());
    fields.remove("sum"); // belongs to the line as it was
    fields.putAll(changed);
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    byte[] bytes = json.build().toString().getBytes(StandardCharsets.UTF_8);
    return new EnvelopeDecoder(new Limits(Limits.MAX_LINE, Limits.MAX_DEPTH))
        .decode(envelope.topic(), bytes, 0, bytes.length, envelope.position());
  }
}

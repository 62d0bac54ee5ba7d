package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages that an agent has sent lately, with the position of each copy. The recipients'
 * mailboxes tell how far each copy came.
 */
public final class Outbox implements Fold {
  /**
   * The most characters of a subject that a note repeats: a note must fit wherever a message does.
   */
  private static final int LONGEST = 200;

  private MailLimits limits = MailLimits.DEFAULT;
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();

  /** Invariant: the ids of the copies in {@link #sent}; each id is in one of them only. */
  private final Set<String> ids = new HashSet<>();

  /** Nothing was sent. */
  public Outbox() {}

  /** One message that was sent, to one or several agents. */
  public record Sent(
      Position position,
      @Nullable Instant at,
      String type,
      String subject,
      @Nullable String thread,
      boolean needsReply,
      @Nullable Instant deadline,
      List<Copy> copies) {

    Json save() {
      Json.ObjectBuilder json =
          Json.object()
              .put("position", position.value())
              .put("at", at == null ? null : Timestamps.format(at))
              .put("type", type)
              .put("subject", subject)
              .put("thread", thread)
              .put("needsReply", needsReply)
              .put("deadline", deadline == null ? null : Timestamps.format(deadline));
      return json.put("copies", Json.of(copies.stream().map(Copy::toJson).toList())).build();
    }

    static Sent load(Fields saved) {
      return new Sent(
          new Position(saved.number("position", -1)),
          saved.time("at"),
          saved.text("type", ""),
          saved.text("subject", ""),
          saved.text("thread"),
          saved.flag("needsReply"),
          saved.time("deadline"),
          copiesIn(saved));
    }
  }

  /** The position of the copy for one recipient. */
  public record Copy(String to, String id, Position position) {
    Json toJson() {
      return Json.object().put("to", to).put("id", id).put("position", position.value()).build();
    }
  }

  private static List<Copy> copiesIn(Fields fields) {
    return fields.items("copies").stream()
        .map(Fields::of)
        .map(copy ->
            new Copy(
                copy.text("to", ""),
                copy.text("id", ""),
                new Position(Math.max(0, copy.number("position", 0)))))
        .toList();
  }

  /** The topic in which an agent notes what it has sent. */
  public static Topic of(String agent) {
    return Mailbox.topic("sent", agent);
  }

  /** How to fold the outbox of an agent. */
  public static Fold.Kind<Outbox> kind(String agent) {
    return new Fold.Kind<>() {
      @Override
      public String view() {
        return "outbox-2." + agent;
      }

      @Override
      public List<Topic> topics() {
        return List.of(of(agent));
      }

      @Override
      public Outbox begin() {
        return new Outbox();
      }

      @Override
      public Outbox load(Json saved) {
        Outbox outbox = new Outbox();
        Fields fields = Fields.of(saved);
        outbox.limits = outbox.limits.with(fields.object("limits"));
        fields.items("sent").forEach(item -> outbox.add(Sent.load(Fields.of(item))));
        return outbox;
      }
    };
  }

  /** The payload of the note about a message that was sent. */
  public static Json note(String type, String subject, List<Copy> copies) {
    return Json.object()
        .put("type", type)
        .put("subject", noted(subject))
        .put("copies", Json.of(copies.stream().map(Copy::toJson).toList()))
        .build();
  }

  /** The part of a subject that notes and notices repeat. */
  public static String noted(String subject) {
    return subject.length() <= LONGEST ? subject : subject.substring(0, LONGEST);
  }

  @Override
  public void apply(Envelope envelope, Position after) {
    if (!envelope.isNative()) {
      return;
    }
    Fields payload = Fields.of(envelope.payload());
    if (envelope.type().equals(MailTypes.LIMITS)) {
      limits = limits.with(payload);
    } else if (envelope.type().equals(MailTypes.SENT)) {
      sent(envelope, payload);
    }
  }

  private void sent(Envelope envelope, Fields payload) {
    List<Copy> copies = copiesIn(payload).stream().filter(copy -> !knows(copy.id())).toList();
    if (copies.isEmpty()) {
      return; // noted twice: by the sender, and by another process that found it sent
    }
    add(
        new Sent(
            envelope.position(),
            StoredTimes.kept(envelope.time()),
            payload.text("type", ""),
            payload.text("subject", ""),
            envelope.thread(),
            envelope.needsReply(),
            StoredTimes.kept(envelope.deadline()),
            copies));
  }

  private void add(Sent one) {
    sent.add(one);
    one.copies().forEach(copy -> ids.add(copy.id()));
    while (sent.size() > limits.get(MailLimit.SENT)) {
      sent.remove().copies().forEach(copy -> ids.remove(copy.id()));
    }
  }

  /** Whether a copy with this id is among the messages sent lately. */
  public boolean knows(String id) {
    return ids.contains(id);
  }

  /** The messages sent lately, the oldest first. */
  public Collection<Sent> sent() {
    return Collections.unmodifiableCollection(sent);
  }

  @Override
  public Json save() {
    return Json.object()
        .put("limits", limits.save())
        .put("sent", Json.of(sent.stream().map(Sent::save).toList()))
        .build();
  }
}

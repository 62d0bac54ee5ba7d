package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.DeliveryStep;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.core.time.Timestamps;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A message in an inbox with its content.
 *
 * @param state how far it had come when it was read
 * @param again whether an earlier session of the reader was given it, but has not seen it
 */
public record ReceivedMail(
    MailboxEntry entry,
    Envelope envelope,
    MailContent content,
    DeliveryState state,
    boolean again) {
  /** The most urgent first; among those the oldest. */
  public static final Comparator<ReceivedMail> MOST_URGENT =
      (one, other) -> {
        int order = other.entry().priority().compareTo(one.entry().priority());
        return order != 0 ? order : one.entry().position().compareTo(other.entry().position());
      };

  public static final Comparator<ReceivedMail> NEWEST =
      (one, other) -> other.entry().position().compareTo(one.entry().position());

  static ReceivedMail of(MailboxEntry entry, Envelope envelope, @Nullable String session) {
    DeliveryStep delivered = entry.at(DeliveryState.DELIVERED);
    boolean again =
        session != null
            && delivered != null
            && !entry.has(DeliveryState.SEEN)
            && !givenTo(entry, session);
    return new ReceivedMail(
        entry.asItIs(), envelope, MailContent.of(envelope), entry.state(), again);
  }

  ReceivedMail whole(Contents contents) {
    try {
      return new ReceivedMail(entry, envelope, content.whole(contents), state, again);
    } catch (ParleyException e) {
      throw new ParleyException(
          e.kind(),
          e.code(),
          Json.object().put("id", entry.id()).put("from", entry.from()).build(),
          e);
    }
  }

  /** Whether a session has been given a message. */
  static boolean givenTo(MailboxEntry entry, @Nullable String session) {
    return session != null
        && entry.trail().stream()
            .anyMatch(
                step -> step.state() == DeliveryState.DELIVERED && session.equals(step.session()));
  }

  /** The JSON of the message, for programs. */
  public Json toJson() {
    Json.ObjectBuilder json =
        Json.object()
            .put("id", entry.id())
            .put("timestamp", envelope.timestamp())
            .put("from", entry.from())
            .put("to", Json.ofStrings(envelope.to()))
            .put("type", entry.type())
            .put("priority", entry.priority().word())
            .put("subject", content.subject())
            .put("body", content.body())
            .put("thread", entry.thread())
            .put("needsReply", entry.needsReply());
    if (entry.deadline() != null) {
      json.put("deadline", Timestamps.format(entry.deadline()));
    } else {
      json.put("deadline", Json.NULL);
    }
    json.put("state", state.word());
    if (again) {
      json.put("again", true);
    }
    if (entry.replyTo() != null) {
      json.put("replyTo", entry.replyTo());
    }
    if (!content.artifacts().isEmpty()) {
      json.put("artifacts", Json.ofStrings(content.artifacts()));
    }
    if (content.metadata() != null) {
      json.put("metadata", content.metadata());
    }
    if (content.beside() != null) {
      json.put("content", content.beside().toJson());
    }
    return json.put("position", entry.position().value()).build();
  }
}

package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.EndReason;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes the envelopes that {@link Mailbox} reads from its receipts. */
final class ReceiptWriter {
  private ReceiptWriter() {}

  /**
   * A receipt: the messages at these positions were delivered, or also seen. A receipt is
   * cumulative: it repeats what this session was given before, so that the last one tells all. It
   * leaves out messages that only an earlier session was given, because they must be delivered
   * again.
   */
  static Message receipt(
      Mailbox mailbox, String agent, String session, Set<Position> given, boolean seen) {
    Json.ObjectBuilder payload =
        about(mailbox)
            .put("session", session)
            .put(
                "delivered",
                marks(
                    mailbox,
                    entry ->
                        given.contains(entry.position())
                            || entry.has(DeliveryState.SEEN)
                            || ReceivedMail.givenTo(entry, session)));
    if (seen) {
      payload.put(
          "seen",
          marks(
              mailbox, entry -> given.contains(entry.position()) || entry.has(DeliveryState.SEEN)));
    }
    return Message.builder(agent, MailTypes.RECEIPT)
        .payload(payload.build())
        .automatic(true)
        .build()
        .withClock();
  }

  private static Json marks(Mailbox mailbox, Predicate<MailboxEntry> covers) {
    MailboxEntry last = null;
    List<Json> except = new ArrayList<>();
    List<Json> since = new ArrayList<>();
    for (MailboxEntry entry : mailbox.inbox()) {
      if (!entry.isHeld() && covers.test(entry)) {
        last = entry;
        except.addAll(since);
        since.clear();
      } else {
        since.add(Json.of(entry.position().value()));
      }
    }
    Json.ObjectBuilder marks = Json.object();
    if (last != null) {
      marks.put("through", last.position().value()).put("id", last.id());
    }
    return marks.put("except", Json.of(except)).build();
  }

  static Message end(
      Mailbox mailbox,
      String sender,
      @Nullable String session,
      Collection<MailboxEntry> entries,
      EndReason how,
      @Nullable String reason) {
    Json.ObjectBuilder payload =
        about(mailbox)
            .put("how", how.word())
            .put(
                "at",
                Json.of(entries.stream().map(entry -> Json.of(entry.position().value())).toList()))
            .put("ids", Json.ofStrings(entries.stream().map(MailboxEntry::id).toList()));
    if (session != null) {
      payload.put("session", session);
    }
    if (reason != null) {
      payload.put("reason", reason);
    }
    return Message.of(sender, MailTypes.END, payload.build()).withClock();
  }

  static Message overdue(Mailbox mailbox, String sender, MailboxEntry entry) {
    return Message.builder(sender, MailTypes.OVERDUE)
        .payload(
            about(mailbox).put("position", entry.position().value()).put("id", entry.id()).build())
        .automatic(true)
        .build()
        .withClock();
  }

  private static Json.ObjectBuilder about(Mailbox mailbox) {
    return Json.object().put("mailbox", mailbox.first());
  }
}

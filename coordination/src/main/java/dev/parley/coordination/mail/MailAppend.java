package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.MailContent;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.store.Contents;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that is appended to one or several mailboxes. Only the log can tell whether it fits
 * into a line. If it does not, its body is stored beside the log first, and the line refers to it.
 */
final class MailAppend {
  private final @Nullable Draft draft;
  private final String sender;
  private final List<String> recipients;
  private final Contents contents;
  private Message message;

  MailAppend(Draft draft, String sender, List<String> recipients, Contents contents) {
    this.draft = draft;
    this.sender = sender;
    this.recipients = recipients;
    this.contents = contents;
    this.message = draft.message(sender, recipients);
  }

  /** Appends a message as it is, whatever its length. */
  MailAppend(Message message) {
    this.draft = null;
    this.sender = message.sender();
    this.recipients = List.of();
    this.contents = Contents.none();
    this.message = message;
  }

  String sender() {
    return sender;
  }

  @Nullable String key() {
    return message.key();
  }

  Stored appendTo(Log log, Topic topic) {
    try {
      return log.append(topic, List.of(message.withClock())).getFirst();
    } catch (ParleyException e) {
      boolean tooLong = e.code().equals(Limits.TOO_LONG);
      MailContent shorter = draft == null || !tooLong ? null : draft.content().beside(contents);
      if (draft == null || shorter == null) {
        throw e;
      }
      message = draft.content(shorter).message(sender, recipients);
      return log.append(topic, List.of(message.withClock())).getFirst();
    }
  }
}

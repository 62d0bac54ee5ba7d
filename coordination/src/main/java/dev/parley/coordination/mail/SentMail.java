package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.mailbox.Outbox;
import org.jspecify.annotations.Nullable;

/**
 * A sent message and how far it has come, as its sender sees it.
 *
 * @param entry its place in the mailbox; null if it ended so long ago that its way is forgotten
 * @param warning what is to be known of the recipient; null if nothing
 */
public record SentMail(
    Outbox.Sent sent, Outbox.Copy copy, @Nullable MailboxEntry entry, @Nullable String warning) {

  /** How far it has come, in a word; {@code ended} if nobody remembers how. */
  public String state() {
    return entry == null ? "ended" : entry.state().word();
  }
}

package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.mailbox.Outbox;
import org.jspecify.annotations.Nullable;

/**
 * A sent message and how far it has come, as its sender sees it.
 *
 * @param entry its entry in the mailbox; null if it ended too long ago to be remembered
 * @param warning what the sender should know about the recipient; null if nothing
 */
public record SentMail(
    Outbox.Sent sent, Outbox.Copy copy, @Nullable MailboxEntry entry, @Nullable String warning) {

  /** The state in a word; {@code ended} if it is not remembered. */
  public String state() {
    return entry == null ? "ended" : entry.state().word();
  }
}

package dev.parley.coordination.mailbox;

import dev.parley.core.time.BootTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The wall clock and the boot clock, read at one moment.
 *
 * @param own the boot clock; null if there is none
 */
public record ClockReading(@Nullable BootTime own, Instant wall) {
  /** How long it is until an answer is due, negative if it is overdue; null if it never is due. */
  public @Nullable Duration untilDue(Mailbox mailbox, MailboxEntry entry) {
    Duration left = entry.left();
    Duration age = age(entry);
    if (left != null && age != null) {
      return left.minus(age);
    }
    Instant due = mailbox.due(entry);
    return due == null ? null : Duration.between(in(mailbox), due);
  }

  /** The age of a message; null if not known. */
  public @Nullable Duration age(Mailbox mailbox, MailboxEntry entry) {
    Duration age = age(entry);
    Instant stored = age == null ? mailbox.stored(entry) : null;
    return stored == null ? age : Duration.between(stored, in(mailbox));
  }

  /** The age by the boot clock alone, without the time of the receipts. */
  private @Nullable Duration age(MailboxEntry entry) {
    BootTime then = entry.clock();
    return then == null || own == null || !then.boot().equals(own.boot())
        ? null
        : Duration.ofMillis(own.millis() - then.millis());
  }

  /** The present time of a mailbox's receipts. */
  public Instant in(Mailbox mailbox) {
    return mailbox.time().present(own, wall);
  }
}

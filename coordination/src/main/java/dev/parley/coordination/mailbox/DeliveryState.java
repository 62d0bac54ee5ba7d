package dev.parley.coordination.mailbox;

import java.util.Locale;

/** How far a message has come. It only moves forward, in this order; the last two are final. */
public enum DeliveryState {
  /** Stored, but the damper holds it until an agent lets it go. */
  HELD,
  /** In the log, for its recipient to find. */
  STORED,
  /** Given to the recipient's program, which listed it or waited for it. */
  DELIVERED,
  /** Shown to the recipient itself. */
  SEEN,
  /** Not answered by its deadline. An answer is still possible. */
  OVERDUE,
  /** Answered, acknowledged, refused or removed. */
  DONE,
  /** Given up, because no session took it. */
  DEAD;

  /** The word for it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

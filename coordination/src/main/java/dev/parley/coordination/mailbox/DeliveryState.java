package dev.parley.coordination.mailbox;

import java.util.Locale;

/** How far a message has come. It only moves forward, in this order; the last two are ends. */
public enum DeliveryState {
  /** Stored, but kept back by the damper until someone lets it go. */
  HELD,
  /** In the log, for its recipient to find. */
  STORED,
  /** Given to the recipient's program: listed, or handed out by a wait. */
  DELIVERED,
  /** Put before the recipient itself. */
  SEEN,
  /** Not answered by its deadline. It may still be. */
  OVERDUE,
  /** Answered, acknowledged, refused or removed. */
  DONE,
  /** Given up on. */
  DEAD;

  /** How it is written: in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

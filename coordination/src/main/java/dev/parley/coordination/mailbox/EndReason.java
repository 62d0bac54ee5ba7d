package dev.parley.coordination.mailbox;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a message came to its end. */
public enum EndReason {
  ANSWERED,
  ACKNOWLEDGED,
  REFUSED,
  REMOVED,
  /** Nobody was there to take it. */
  DEAD;

  public DeliveryState state() {
    return this == DEAD ? DeliveryState.DEAD : DeliveryState.DONE;
  }

  /** How it is written: in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How it is told on a message's way. */
  public String note(@Nullable String reason) {
    return reason == null ? word() : word() + ": " + reason;
  }

  public static @Nullable EndReason find(String word) {
    for (EndReason how : values()) {
      if (how.word().equals(word)) {
        return how;
      }
    }
    return null;
  }
}

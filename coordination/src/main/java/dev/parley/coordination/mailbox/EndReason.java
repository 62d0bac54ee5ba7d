package dev.parley.coordination.mailbox;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a message ended. */
public enum EndReason {
  ANSWERED,
  ACKNOWLEDGED,
  REFUSED,
  REMOVED,
  /** No session took it. */
  DEAD;

  public DeliveryState state() {
    return this == DEAD ? DeliveryState.DEAD : DeliveryState.DONE;
  }

  /** The word for it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The note of the delivery step that ends a message. */
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

package dev.parley.coordination.mail;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a message came to its end. */
public enum How {
  ANSWERED,
  ACKNOWLEDGED,
  REFUSED,
  REMOVED,
  /** Nobody was there to take it. */
  DEAD;

  public State state() {
    return this == DEAD ? State.DEAD : State.DONE;
  }

  /** How it is written: in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How it is told on a message's way. */
  String note(@Nullable String reason) {
    return reason == null ? word() : word() + ": " + reason;
  }

  static @Nullable How find(String word) {
    for (How how : values()) {
      if (how.word().equals(word)) {
        return how;
      }
    }
    return null;
  }
}

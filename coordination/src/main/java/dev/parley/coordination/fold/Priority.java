package dev.parley.coordination.fold;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How urgent a message or a task is, the least urgent first. */
public enum Priority {
  LOW,
  NORMAL,
  HIGH,
  CRITICAL;

  /** The priority in an envelope; an unknown one counts as normal. */
  public static Priority of(@Nullable String text) {
    for (Priority priority : values()) {
      if (priority.word().equalsIgnoreCase(text == null ? "" : text)) {
        return priority;
      }
    }
    return NORMAL;
  }

  public static Priority named(String name) {
    for (Priority priority : values()) {
      if (priority.word().equals(name)) {
        return priority;
      }
    }
    throw ParleyException.invalid("bad-priority", Json.object().put("priority", name));
  }

  /** The word for it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

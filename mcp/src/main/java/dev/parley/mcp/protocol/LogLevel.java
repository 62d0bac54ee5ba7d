package dev.parley.mcp.protocol;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The levels of log messages, least important first. */
public enum LogLevel {
  DEBUG,
  INFO,
  NOTICE,
  WARNING,
  ERROR,
  CRITICAL,
  ALERT,
  EMERGENCY;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The level with a name; null if there is none. */
  static @Nullable LogLevel find(@Nullable String word) {
    for (LogLevel level : values()) {
      if (level.word().equals(word)) {
        return level;
      }
    }
    return null;
  }
}

package dev.parley.mcp.hook;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The programs that run agents. */
public enum Host {
  CLAUDE,
  CODEX,
  GEMINI,
  CURSOR,
  OPENCODE;

  /** The name in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The host with a name; null if there is none. */
  public static @Nullable Host find(String word) {
    for (Host host : values()) {
      if (host.word().equals(word)) {
        return host;
      }
    }
    return null;
  }
}

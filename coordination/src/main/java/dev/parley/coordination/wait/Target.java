package dev.parley.coordination.wait;

import java.util.function.Predicate;

/** The target of a wait: an agent, a task, a path or a board. */
public record Target(Kind kind, String name) {
  private static final String UNLOCK = "FILE_UNLOCK_";

  /** The kinds of targets. */
  public enum Kind {
    AGENT("agent:"),
    TASK("task:"),
    PATH("path:"),
    BOARD("board:");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }
  }

  /**
   * Reads a target: {@code agent:x}, {@code task:x}, {@code path:x}, {@code board:x}, {@code
   * FILE_UNLOCK_x}, or just x, which is a known agent, else a known task, else a path.
   */
  public static Target of(String text, Predicate<String> isAgent, Predicate<String> isTask) {
    for (Kind kind : Kind.values()) {
      if (text.startsWith(kind.prefix)) {
        return new Target(kind, text.substring(kind.prefix.length()));
      }
    }
    if (text.startsWith(UNLOCK)) {
      return new Target(Kind.PATH, text.substring(UNLOCK.length()));
    }
    Kind kind = isAgent.test(text) ? Kind.AGENT : isTask.test(text) ? Kind.TASK : Kind.PATH;
    return new Target(kind, text);
  }

  @Override
  public String toString() {
    return kind.prefix + name;
  }
}

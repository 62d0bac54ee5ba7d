package dev.parley.core;

import dev.parley.core.names.NameGrammar;
import org.jspecify.annotations.Nullable;

/**
 * The name of one ordered log: parts joined by dots, as in {@code bulletin.wave-1}.
 *
 * <p>A part is made of letters, digits, {@code _} and {@code -}, begins with a letter or digit, and
 * may hold single {@code ~} where an agent's name has dots. Upper and lower case differ.
 */
public record Topic(String name) implements Comparable<Topic> {
  /** The longest part, in characters. */
  public static final int MAX_PART = 64;

  /** The longest name, in characters. */
  public static final int MAX_NAME = 200;

  /**
   * Checks the name.
   *
   * @throws ParleyException if the name does not follow the grammar
   */
  public Topic {
    String problem = problem(name);
    if (problem != null) {
      throw ParleyException.invalid(
          "bad-topic",
          "The topic " + NameGrammar.shown(name) + " is not valid: " + problem + ".",
          "Use letters, digits, _ and -, in parts joined by single dots, such as notes.build.");
    }
  }

  public static boolean isValid(String name) {
    return problem(name) == null;
  }

  private static @Nullable String problem(String name) {
    if (name.length() > MAX_NAME) {
      return name.length() + " characters are more than " + MAX_NAME;
    }
    int from = 0;
    while (true) {
      int dot = name.indexOf('.', from);
      int to = dot < 0 ? name.length() : dot;
      if (to - from > MAX_PART) {
        return "a part of " + (to - from) + " characters is longer than " + MAX_PART;
      }
      if (!NameGrammar.isPieces(name, from, to, '~')) {
        return to == from ? "it has an empty part" : "a part has a character it may not have there";
      }
      if (dot < 0) {
        return null;
      }
      from = dot + 1;
    }
  }

  @Override
  public int compareTo(Topic other) {
    return name.compareTo(other.name);
  }

  // A record's own equals and hashCode are linked at their first use, which every command would
  // pay.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Topic topic && name.equals(topic.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}

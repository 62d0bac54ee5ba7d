package dev.parley.core;

import dev.parley.core.json.Json;
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
    Json.ObjectBuilder problem = problem(name);
    if (problem != null) {
      throw ParleyException.invalid("bad-topic", problem.put("name", NameGrammar.shown(name)));
    }
  }

  public static boolean isValid(String name) {
    return problem(name) == null;
  }

  /** What is wrong with the name, as details of an error; null if nothing is. */
  private static Json.@Nullable ObjectBuilder problem(String name) {
    if (name.length() > MAX_NAME) {
      return problem("long-name", name.length(), MAX_NAME);
    }
    int from = 0;
    while (true) {
      int dot = name.indexOf('.', from);
      int to = dot < 0 ? name.length() : dot;
      if (to - from > MAX_PART) {
        return problem("long-part", to - from, MAX_PART);
      }
      if (!NameGrammar.isPieces(name, from, to, '~')) {
        return Json.object().put("problem", to == from ? "empty-part" : "character");
      }
      if (dot < 0) {
        return null;
      }
      from = dot + 1;
    }
  }

  private static Json.ObjectBuilder problem(String code, int characters, int most) {
    return Json.object().put("problem", code).put("characters", characters).put("most", most);
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

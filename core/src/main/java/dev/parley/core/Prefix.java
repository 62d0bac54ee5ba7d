package dev.parley.core;

import org.jspecify.annotations.Nullable;

/**
 * A topic and everything under it: {@code a} covers {@code a} and {@code a.b}, never {@code ab}.
 *
 * @param root the topmost topic covered, or null for all topics
 */
public record Prefix(@Nullable Topic root) {
  /** Every topic there is. */
  public static final Prefix ALL = new Prefix(null);

  public static Prefix of(String topic) {
    return new Prefix(new Topic(topic));
  }

  public boolean covers(Topic topic) {
    if (root == null) {
      return true;
    }
    String name = topic.name();
    String top = root.name();
    return name.startsWith(top)
        && (name.length() == top.length() || name.charAt(top.length()) == '.');
  }

  @Override
  public String toString() {
    return root == null ? "all topics" : root.name();
  }
}

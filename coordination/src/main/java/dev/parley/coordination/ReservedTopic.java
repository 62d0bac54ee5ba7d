package dev.parley.coordination;

import dev.parley.core.Topic;
import org.jspecify.annotations.Nullable;

/**
 * The topics in which Parley keeps its own state, each with all topics under it. Only the commands
 * that own a topic write there: a made-up line could decide something for all agents.
 */
public enum ReservedTopic {
  LEDGER("ledger"),
  MAIL("mail"),
  RECEIPTS("receipts"),
  SENT("sent"),
  BULLETINS("bulletin"),
  MOUNTS("mounts"),
  MOUNT("mount"),
  RUNS("runs"),
  WAKES("wakes"),
  KEYS("keys"),
  DEAD_LETTERS("dead-letters");

  private static final ReservedTopic[] ALL = values();

  private final String name;

  ReservedTopic(String name) {
    this.name = name;
  }

  /** The reserved topic that contains this topic; null if it is a free one. */
  public static @Nullable ReservedTopic of(Topic topic) {
    String text = topic.name();
    for (ReservedTopic one : ALL) {
      int length = one.name.length();
      if (text.startsWith(one.name) && (text.length() == length || text.charAt(length) == '.')) {
        return one;
      }
    }
    return null;
  }
}

package dev.parley.coordination.bulletin;

import dev.parley.core.Topic;

/**
 * Another name for the bulletin of a wave, which other tools use.
 *
 * <pre>
 * here             there
 * ---------------  ---------------------
 * bulletin.wave-1  parallel.wave-1.board
 * </pre>
 */
public final class BulletinAlias {
  private static final String BEFORE = "parallel.";
  private static final String AFTER = ".board";
  private static final Topic BULLETINS = new Topic("bulletin");

  private BulletinAlias() {}

  /** The topic that a name stands for: the name of a board stands for the bulletin of its wave. */
  public static Topic topic(String name) {
    boolean board =
        name.startsWith(BEFORE)
            && name.endsWith(AFTER)
            && name.length() > BEFORE.length() + AFTER.length();
    return new Topic(
        board
            ? BULLETINS + "." + name.substring(BEFORE.length(), name.length() - AFTER.length())
            : name);
  }

  /** The other name of a topic. */
  public static String board(Topic topic) {
    String name = topic.name();
    String start = BULLETINS + ".";
    return name.startsWith(start) ? BEFORE + name.substring(start.length()) + AFTER : name;
  }

  /** The topic above all bulletins. */
  public static Topic bulletins() {
    return BULLETINS;
  }
}

package dev.parley.coordination;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import java.util.List;
import java.util.Set;

/** A log whose users crash: before or after an append, at will. */
final class UnreliableLog implements Log {
  /** The process is gone. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash", null, false, false);
    }
  }

  private final Log log;
  private int left = -1;
  private boolean stores;

  UnreliableLog(Log log) {
    this.log = log;
  }

  /**
   * Crashes at an append.
   *
   * @param appends how many succeed before that
   * @param after whether it stores its messages first
   */
  void crashAfter(int appends, boolean after) {
    left = appends;
    stores = after;
  }

  void calm() {
    left = -1;
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    boolean crash = left == 0;
    left = Math.max(-1, left - 1);
    if (crash && !stores) {
      throw new Crash();
    }
    List<Stored> stored = log.append(topic, messages);
    if (crash) {
      throw new Crash();
    }
    return stored;
  }

  @Override
  public Batch read(Topic topic, Bookmark after, int limit) {
    return log.read(topic, after, limit);
  }

  @Override
  public Bookmark end(Topic topic) {
    return log.end(topic);
  }

  @Override
  public Bookmark bookmark(Topic topic, Position position) {
    return log.bookmark(topic, position);
  }

  @Override
  public Set<Topic> topics(Prefix under) {
    return log.topics(under);
  }

  @Override
  public Doorbell doorbell(Prefix under) {
    return log.doorbell(under);
  }

  @Override
  public void close() {
    log.close();
  }
}

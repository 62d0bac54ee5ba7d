package dev.parley.coordination.testing;

import dev.parley.core.ForwardingLog;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import java.util.List;

/** A log whose users crash: before or after an append, at will. */
public final class UnreliableLog extends ForwardingLog {
  /** The process is gone. */
  public static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash", null, false, false);
    }
  }

  private int left = -1;
  private boolean stores;

  public UnreliableLog(Log log) {
    super(log);
  }

  /**
   * Crashes at an append.
   *
   * @param appends how many succeed before that
   * @param after whether it stores its messages first
   */
  public void crashAfter(int appends, boolean after) {
    left = appends;
    stores = after;
  }

  public void calm() {
    left = -1;
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    boolean crash = left == 0;
    left = Math.max(-1, left - 1);
    if (crash && !stores) {
      throw new Crash();
    }
    List<Stored> stored = super.append(topic, messages);
    if (crash) {
      throw new Crash();
    }
    return stored;
  }
}

package dev.parley.bench.fanout;

import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import java.util.concurrent.CountDownLatch;

/** One consumer: counts what it gets, until it has all. Called by one thread at a time. */
public final class Tally {
  /** What everything is published to. */
  public static final Topic TOPIC = new Topic("work.build");

  /** What every consumer wants. */
  public static final Prefix PREFIX = Prefix.of("work");

  private final int expected;
  private final CountDownLatch all;
  private int seen;

  Tally(int expected, CountDownLatch all) {
    this.expected = expected;
    this.all = all;
  }

  /** Takes a message whose topic was already looked at. */
  public void routed() {
    if (++seen == expected) {
      all.countDown();
    }
  }

  /** Takes a message if it is of a topic that is wanted. */
  public void accept(Topic topic) {
    if (PREFIX.covers(topic)) {
      routed();
    }
  }
}

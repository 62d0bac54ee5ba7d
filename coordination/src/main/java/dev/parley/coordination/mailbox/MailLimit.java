package dev.parley.coordination.mailbox;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;

/** A limit of a mailbox. */
public enum MailLimit {
  MESSAGES("messages", 1000, "how many messages the inbox takes"),
  CHAIN("chain", 4, "automatic messages in a row before one is held"),
  KEYS("keys", 1024, "how many keys of senders are remembered"),
  DEAD_AFTER("deadAfter", 24 * 60 * 60, "how long a message waits for you"),
  RECENT("recent", 64, "how many messages that have ended are remembered"),
  STEPS("steps", 32, "how long the trail of a message given out again and again gets"),
  THREADS("threads", 1024, "of how many threads it is remembered how long their chains are"),
  SENT("sent", 256, "how many of the messages you sent are remembered");

  private static final long MOST = 1_000_000;
  private static final long LONGEST = Duration.ofDays(3650).toSeconds();

  private final String field;
  private final long usual;
  private final String meaning;

  MailLimit(String field, long usual, String meaning) {
    this.field = field;
    this.usual = usual;
    this.meaning = meaning;
  }

  public String field() {
    return field;
  }

  /** The default; times in seconds. */
  public long usual() {
    return usual;
  }

  public String meaning() {
    return meaning;
  }

  public boolean isTime() {
    return this == DEAD_AFTER;
  }

  /**
   * @throws ParleyException INVALID if the value is out of range
   */
  void check(long value) {
    long most = isTime() ? LONGEST : MOST;
    if (value < 1 || value > most) {
      throw ParleyException.invalid(
          "bad-limit", Json.object().put("limit", field).put("value", value).put("most", most));
    }
  }
}

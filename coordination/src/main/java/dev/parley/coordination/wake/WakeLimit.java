package dev.parley.coordination.wake;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;

/** A limit that keeps agents from being woken too often. */
public enum WakeLimit {
  GATHER("gather", 2, 600, true, "how long more mail is gathered before a wake"),
  COOL_DOWN("coolDown", 20, 86_400, true, "the least time between two wakes"),
  AN_HOUR("anHour", 30, 120, false, "wakes in one hour at most"),
  PAIR("pair", 4, 100, false, "wakes in a row by somebody whom this agent woke, before a pause"),
  PAIR_PAUSE("pairPause", 600, 86_400, true, "how long that pause is"),
  ANSWER("answer", 120, 86_400, true, "after how long without any action a wake has failed");

  private final String field;
  private final long usual;
  private final long most;
  private final boolean isTime;
  private final String meaning;

  WakeLimit(String field, long usual, long most, boolean isTime, String meaning) {
    this.field = field;
    this.usual = usual;
    this.most = most;
    this.isTime = isTime;
    this.meaning = meaning;
  }

  public String field() {
    return field;
  }

  /** The default; times in seconds. */
  public long usual() {
    return usual;
  }

  public boolean isTime() {
    return isTime;
  }

  public String meaning() {
    return meaning;
  }

  boolean allows(long value) {
    return value >= (isTime ? 0 : 1) && value <= most;
  }

  /**
   * @throws ParleyException INVALID if the value is out of range
   */
  void check(long value) {
    if (!allows(value)) {
      throw ParleyException.invalid(
          "bad-limit", Json.object().put("limit", field).put("value", value).put("most", most));
    }
  }
}

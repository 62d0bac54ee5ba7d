package dev.parley.mcp.wake;

import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.WakeWay;
import dev.parley.coordination.wake.Wakes;
import dev.parley.core.json.Json;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether an agent can be woken now, and the result of the last attempt.
 *
 * @param way how to wake it; null if unknown
 * @param able whether a process waits to do so
 * @param why a code if it can't be woken
 * @param last the last attempt; null if there was none
 */
public record Wakefulness(
    @Nullable WakeWay way, boolean able, @Nullable String why, @Nullable Wake last) {

  /** The state of an agent. */
  public static Wakefulness of(Path bus, String agent, Wakes wakes) {
    WakeWay way = wakes.way();
    if (way == null) {
      return new Wakefulness(null, false, "not-known", null);
    }
    if (way == WakeWay.NONE) {
      return new Wakefulness(way, false, wakes.why(), wakes.last());
    }
    boolean able = WaiterLock.isHeld(bus, agent);
    return new Wakefulness(way, able, able ? null : "nobody-waits", wakes.last());
  }

  /** One word: the way, "no", or "-" if unknown. */
  public String word() {
    if (way == null) {
      return "-";
    }
    return able ? way.word() : "no";
  }

  /** As programs get it. */
  public Json toJson() {
    return Json.object()
        .put("able", able)
        .put("way", way == null ? null : way.word())
        .put("why", why)
        .put("last", last == null ? Json.NULL : last.toJson())
        .build();
  }
}

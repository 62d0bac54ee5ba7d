package dev.parley.coordination.fold;

import dev.parley.core.json.Json;

/**
 * A boot clock that was removed because it was impossibly far ahead.
 *
 * @param line the position of the line with that clock
 * @param by the agent that noticed
 * @param position the position of the line that removed it
 */
public record ClockCorrection(long line, String by, long position) {
  Json save() {
    return Json.object().put("line", line).put("by", by).put("position", position).build();
  }

  static ClockCorrection load(Fields saved) {
    return new ClockCorrection(
        saved.number("line", 0), saved.text("by", ""), saved.number("position", 0));
  }
}

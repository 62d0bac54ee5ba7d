package dev.parley.coordination.fold;

import dev.parley.core.json.Json;

/**
 * A clock that was taken out, because it was ahead of what it could be.
 *
 * @param line where the line with it ends
 * @param by who noticed
 * @param position where the line ends that says so
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

package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;

/**
 * Something that an elector made its vote depend on. It is open until a later session says that it
 * is met.
 *
 * @param id the session it comes from and its number there
 */
public record Condition(String id, String director, String text) {
  static Condition of(String session, int number, String director, String text) {
    return new Condition(session + "." + number, director, text);
  }

  /** The session it comes from. */
  public String session() {
    return session(id);
  }

  /** The session that a condition of this id comes from. */
  static String session(String id) {
    return id.substring(0, Math.max(0, id.lastIndexOf('.')));
  }

  public Json toJson() {
    return Json.object().put("id", id).put("director", director).put("condition", text).build();
  }

  static Condition load(Fields saved) {
    return new Condition(
        saved.text("id", ""), saved.text("director", ""), saved.text("condition", ""));
  }

  /**
   * That a condition is met.
   *
   * @param by who says so
   * @param session at which session
   * @param position of the envelope that says so
   */
  public record Check(String condition, String by, String session, long position, String note) {
    public Json toJson() {
      return Json.object()
          .put("condition", condition)
          .put("by", by)
          .put("session", session)
          .put("position", position)
          .put("note", note)
          .build();
    }

    static Check load(Fields saved) {
      return new Check(
          saved.text("condition", ""),
          saved.text("by", ""),
          saved.text("session", ""),
          saved.number("position", 0),
          saved.text("note", ""));
    }
  }
}

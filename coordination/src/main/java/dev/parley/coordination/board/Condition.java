package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;

/**
 * A demand that an elector tied to its vote. It is open until a later session declares it met.
 *
 * @param id the session it comes from and its number there
 */
public record Condition(String id, String director, String text) {
  static Condition of(String session, int number, String director, String text) {
    return new Condition(session + "." + number, director, text);
  }

  public String session() {
    return session(id);
  }

  /** The session that the condition of this id comes from. */
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
   * A declaration that a condition is met.
   *
   * @param by the agent that declared it
   * @param session the session in which it did so
   * @param position of the envelope that declared it
   */
  public record Check(String condition, String by, String session, long position, String note)
      implements Outcome.Accepted {
    @Override
    public Json what() {
      return Json.object().put("condition", condition).put("board", session).build();
    }

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

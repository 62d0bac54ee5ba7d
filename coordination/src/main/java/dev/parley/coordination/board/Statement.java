package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;

/**
 * A remark in a discussion. Its text is only in the log: a state with every word would grow without
 * end.
 *
 * @param to an elector, or {@link #ALL}
 * @param changesVerdict whether the speaker has changed its mind
 * @param after the position before its envelope: reading on from there gives it again
 * @param position the position of its envelope
 */
public record Statement(
    String from,
    String to,
    Kind kind,
    int round,
    boolean changesVerdict,
    long after,
    long position) {

  /** The recipient of a remark to every elector. */
  public static final String ALL = "ALL";

  /** The kinds of remarks. */
  public enum Kind {
    CHALLENGE,
    AGREE,
    QUESTION,
    CLARIFY
  }

  /** Whether the remark is addressed to this elector, alone or with the others. */
  public boolean isFor(String elector) {
    return !from.equals(elector) && (to.equals(elector) || to.equals(ALL));
  }

  Json save() {
    return Json.object()
        .put("from", from)
        .put("to", to)
        .put("kind", kind.name())
        .put("round", round)
        .put("changes", changesVerdict)
        .put("after", after)
        .put("position", position)
        .build();
  }

  static Statement load(Fields saved) {
    Kind kind = saved.choice("kind", Kind.values());
    if (kind == null) {
      throw new IllegalArgumentException("not a remark");
    }
    return new Statement(
        saved.text("from", ""),
        saved.text("to", ""),
        kind,
        (int) saved.number("round", 0),
        saved.flag("changes"),
        saved.number("after", 0),
        saved.number("position", 0));
  }
}

package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;

/**
 * Something that was said in a discussion. What it says stands in the ledger only: a state that
 * holds every word would grow for ever.
 *
 * @param to an elector, or {@link #ALL}
 * @param changesVerdict whether the speaker thinks differently now
 * @param after where to read on in the ledger for the envelope that says it
 * @param position where that ends
 */
public record Statement(
    String from,
    String to,
    Kind kind,
    int round,
    boolean changesVerdict,
    long after,
    long position) {

  /** Whom it is for if it is for everyone. */
  public static final String ALL = "ALL";

  /** What kinds of remarks there are. */
  public enum Kind {
    CHALLENGE,
    AGREE,
    QUESTION,
    CLARIFY
  }

  /** Whether it is addressed to this elector, alone or with the others. */
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

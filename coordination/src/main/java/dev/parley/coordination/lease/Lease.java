package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Times;
import dev.parley.core.Timestamps;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Paths that are held.
 *
 * @param token what shows that it is this lease: the position of the envelope that made it
 * @param until when it ends unless it is renewed, in the ledger's time
 */
public record Lease(long token, Ask ask, Instant since, Instant until) {
  public String holder() {
    return ask.name();
  }

  public List<PathPattern> paths() {
    return ask.paths();
  }

  /** Whether a pattern describes something that lies in these paths, in whatever tree. */
  public boolean touches(PathPattern pattern) {
    return ask.touches(pattern);
  }

  Lease until(Instant time) {
    return new Lease(token, ask, since, time);
  }

  Lease of(List<PathPattern> paths) {
    return new Lease(token, ask.of(paths), since, until);
  }

  Lease movedBack(Duration by) {
    return new Lease(token, ask, Times.earlier(since, by), Times.earlier(until, by));
  }

  /** Who holds it and how, for whoever wants it too. */
  public Json.ObjectBuilder describe() {
    return Json.object()
        .put("holder", holder())
        .put("paths", PathPattern.texts(paths()))
        .put("shared", ask.shared())
        .put("tree", ask.tree())
        .put("since", Timestamps.format(since))
        .put("until", Timestamps.format(until));
  }

  Json save() {
    return ask.save()
        .put("token", token)
        .put("since", Timestamps.format(since))
        .put("until", Timestamps.format(until))
        .build();
  }

  static Lease load(Fields saved) {
    return new Lease(
        saved.number("token", 0), Ask.load(saved), saved.need("since"), saved.need("until"));
  }
}

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
 * @param until when it ends unless it is renewed, in the ledger's time; of one that lasts as long
 *     as a claim a time that never comes
 * @param ofClaim whether it lasts as long as its owner's claim of the task
 */
public record Lease(long token, Ask ask, Instant since, Instant until, boolean ofClaim) {
  private static final Duration NEVER = Duration.ofDays(36_500);

  public Lease(long token, Ask ask, Instant since, Instant until) {
    this(token, ask, since, until, false);
  }

  /** The same, ending at a time. */
  public Lease endingAt(Instant time) {
    return until(time);
  }

  /** One that lasts for the time asked for. */
  static Lease of(long token, Ask ask, Instant now) {
    return new Lease(token, ask, now, Times.later(now, ask.ttl()), false);
  }

  /** As it was, from now on for as long as its owner has claimed the task. */
  Lease lastingAsTheClaim(Instant now) {
    return new Lease(token, ask, since, Times.later(now, NEVER), true);
  }

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
    return new Lease(token, ask, since, time, ofClaim);
  }

  Lease of(List<PathPattern> paths) {
    return new Lease(token, ask.of(paths), since, until, ofClaim);
  }

  Lease movedBack(Duration by) {
    return new Lease(token, ask, Times.earlier(since, by), Times.earlier(until, by), ofClaim);
  }

  /**
   * Who holds it and how, for whoever wants it too.
   *
   * @param end when it ends unless something is said
   */
  public Json.ObjectBuilder describe(Instant end) {
    return Json.object()
        .put("holder", holder())
        .put("paths", PathPattern.texts(paths()))
        .put("shared", ask.shared())
        .put("tree", ask.tree())
        .put("since", Timestamps.format(since))
        .put("until", Timestamps.format(end));
  }

  Json save() {
    Json.ObjectBuilder json =
        ask.save()
            .put("token", token)
            .put("since", Timestamps.format(since))
            .put("until", Timestamps.format(until));
    return (ofClaim ? json.put("ofClaim", true) : json).build();
  }

  static Lease load(Fields saved) {
    return new Lease(
        saved.number("token", 0),
        Ask.load(saved),
        saved.need("since"),
        saved.need("until"),
        saved.flag("ofClaim"));
  }
}

package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A lease on paths.
 *
 * @param token the fencing token: the position of the envelope that made the lease
 * @param until when it ends unless it is renewed, in the ledger's time; far in the future for a
 *     lease of a claim
 * @param ofClaim whether it lasts as long as its owner's claim of the task
 * @param kept whether it would have ended, but for claims of its session that need its paths; then
 *     it has no others
 */
public record Lease(
    long token, LeaseTerms terms, Instant since, Instant until, boolean ofClaim, boolean kept) {
  private static final Duration NEVER = Duration.ofDays(36_500);

  public Lease(long token, LeaseTerms terms, Instant since, Instant until) {
    this(token, terms, since, until, false, false);
  }

  /** A copy that ends at another time. */
  public Lease endingAt(Instant time) {
    return until(time);
  }

  /** A new lease that lasts for the time asked for. */
  static Lease of(long token, LeaseTerms terms, Instant now) {
    return new Lease(token, terms, now, StoredTimes.later(now, terms.ttl()));
  }

  /** A copy that lasts as long as its owner's claim of the task. */
  Lease lastingAsTheClaim(Instant now) {
    return new Lease(token, terms, since, StoredTimes.later(now, NEVER), true, kept);
  }

  /** A copy for claims that need some of its paths. */
  Lease keptFor(ClaimedFiles files) {
    LeaseTerms left = terms.of(files.paths()).forTask(files.task());
    return new Lease(token, left, since, StoredTimes.later(since, NEVER), true, true);
  }

  public String holder() {
    return terms.name();
  }

  public List<PathPattern> paths() {
    return terms.paths();
  }

  /** Whether a pattern overlaps these paths, whatever the working tree. */
  public boolean touches(PathPattern pattern) {
    return terms.touches(pattern);
  }

  Lease until(Instant time) {
    return new Lease(token, terms, since, time, ofClaim, kept);
  }

  Lease of(List<PathPattern> paths) {
    return new Lease(token, terms.of(paths), since, until, ofClaim, kept);
  }

  Lease movedBack(Duration by) {
    return new Lease(
        token,
        terms,
        StoredTimes.earlier(since, by),
        StoredTimes.earlier(until, by),
        ofClaim,
        kept);
  }

  /**
   * The holder and the terms, as details for an agent that wants the same paths.
   *
   * @param end when the lease ends unless it is renewed
   */
  public Json.ObjectBuilder describe(Instant end) {
    return Json.object()
        .put("holder", holder())
        .put("paths", PathPattern.texts(paths()))
        .put("shared", terms.shared())
        .put("tree", terms.tree())
        .put("since", Timestamps.format(since))
        .put("until", Timestamps.format(end));
  }

  Json save() {
    Json.ObjectBuilder json =
        terms
            .save()
            .put("token", token)
            .put("since", Timestamps.format(since))
            .put("until", Timestamps.format(until));
    if (ofClaim) {
      json.put("ofClaim", true);
    }
    return (kept ? json.put("kept", true) : json).build();
  }

  static Lease load(Fields saved) {
    return new Lease(
        saved.number("token", 0),
        LeaseTerms.load(saved),
        saved.need("since"),
        saved.need("until"),
        saved.flag("ofClaim"),
        saved.flag("kept"));
  }
}

package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Timestamps;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What time it is in a topic: what its native envelopes say, guarded so that one bad stamp or one
 * slow clock takes nothing away.
 *
 * <pre>
 * the stamp of an envelope            what it does
 * ----------------------------------  ------------------------------------------------------------
 * the very first                      sets the time, until the next one says something far from it;
 *                                       nothing falls due by it alone
 * at most 5 minutes ahead             moves the time there; a pending proposal is void
 * at most 5 minutes behind            moves nothing; a pending proposal is void
 * further behind                      moves nothing
 * further ahead                       proposes its time
 * further ahead, a tick that names    moves the time there, if both are within 5 minutes
 *   the proposal
 * clock.reset                         proposes to go back to its time
 * clock.reset of another session      goes back there, if both are within 5 minutes; every
 *   that names the first                remaining duration is kept
 * </pre>
 *
 * This does not guard against a clock that is always fast, or against two that are slow.
 */
public final class FoldTime {
  /** How far an envelope may move the time by itself. */
  public static final Duration REACH = Duration.ofMinutes(5);

  private @Nullable Instant now;
  private boolean sure;
  private @Nullable Proposal ahead;
  private @Nullable Proposal back;

  private record Proposal(long position, Instant time, String session) {
    boolean agrees(Instant other) {
      return Duration.between(time, other).abs().compareTo(REACH) <= 0;
    }

    Json save() {
      return Json.object()
          .put("position", position)
          .put("time", Timestamps.format(time))
          .put("session", session)
          .build();
    }

    static @Nullable Proposal load(Fields saved) {
      Instant time = saved.time("time");
      return time == null
          ? null
          : new Proposal(saved.number("position", 0), time, saved.text("session", ""));
    }
  }

  /** The time; null before the first native envelope. */
  public @Nullable Instant now() {
    return now;
  }

  /** Whether it is this time or later, and not by one envelope's word alone. */
  public boolean isAtOrAfter(Instant time) {
    return sure && now != null && !now.isBefore(time);
  }

  /**
   * Where a proposal to move ahead stands that a tick may confirm; 0 if there is none near {@code
   * time}.
   */
  public long proposed(Instant time) {
    return ahead != null && ahead.agrees(time) ? ahead.position : 0;
  }

  /** A proposal to go back to {@code time}, or consent to one of another session. */
  public Message goBack(String sender, String session, Instant time) {
    Json.ObjectBuilder payload = Json.object().put("session", session);
    if (back != null && back.agrees(time) && !back.session.equals(session)) {
      payload.put(TimeTypes.NAMES, back.position);
    }
    return Message.of(sender, TimeTypes.RESET, payload.build());
  }

  /**
   * Takes the stamp of a native envelope.
   *
   * @return how far the time went back, which everything that remains is to be moved by; zero but
   *     for a {@code clock.reset} that counts
   */
  public Duration see(Envelope envelope) {
    Instant stamp = Times.kept(envelope.time());
    if (stamp == null) {
      return Duration.ZERO;
    }
    if (envelope.type().equals(TimeTypes.RESET)) {
      return reset(envelope, stamp);
    }
    if (now == null) {
      now = stamp;
      return Duration.ZERO;
    }
    Duration distance = Duration.between(now, stamp);
    if (distance.abs().compareTo(REACH) <= 0) {
      now = distance.isPositive() ? stamp : now;
      sure = true;
      ahead = null;
    } else if (!sure) {
      now = stamp; // one word against another, and the first may have been the bad one
    } else if (distance.isPositive()) {
      farAhead(envelope, stamp);
    }
    return Duration.ZERO;
  }

  private void farAhead(Envelope envelope, Instant stamp) {
    boolean confirms =
        ahead != null
            && envelope.type().equals(TimeTypes.TICK)
            && Fields.of(envelope.payload()).number(TimeTypes.NAMES, 0) == ahead.position
            && ahead.agrees(stamp);
    if (confirms) {
      now = stamp;
      ahead = null;
    } else {
      ahead = new Proposal(envelope.position().value(), stamp, "");
    }
  }

  private Duration reset(Envelope envelope, Instant stamp) {
    Fields payload = Fields.of(envelope.payload());
    String session = payload.text("session", "");
    boolean counts =
        back != null
            && now != null
            && payload.number(TimeTypes.NAMES, 0) == back.position
            && !session.isEmpty()
            && !back.session.equals(session)
            && back.agrees(stamp);
    if (!counts) {
      back = new Proposal(envelope.position().value(), stamp, session);
      return Duration.ZERO;
    }
    back = null;
    ahead = null;
    Duration moved = Duration.between(stamp, now == null ? stamp : now);
    if (moved.isNegative()) {
      return Duration.ZERO; // it does not go back
    }
    now = stamp;
    return moved;
  }

  public Json save() {
    Json.ObjectBuilder json = Json.object();
    if (now != null) {
      json.put("now", Timestamps.format(now));
    }
    json.put("sure", sure);
    if (ahead != null) {
      json.put("ahead", ahead.save());
    }
    if (back != null) {
      json.put("back", back.save());
    }
    return json.build();
  }

  public static FoldTime load(Fields saved) {
    FoldTime time = new FoldTime();
    time.now = saved.time("now");
    time.sure = saved.flag("sure");
    time.ahead = Proposal.load(saved.object("ahead"));
    time.back = Proposal.load(saved.object("back"));
    return time;
  }
}

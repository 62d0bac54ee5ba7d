package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time of a topic by the wall clocks of its writers, guarded so that one bad stamp or one slow
 * clock can't end what agents hold.
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
 * From rules 2 on, as long as no line has a boot clock:
 *
 * <pre>
 * outside of 2020 to 2100             moves nothing
 * further ahead, of another agent     moves the time there, if both are within 5 minutes
 *   than a proposal
 * further ahead, a tick that names    the same, if nothing of others ends by it
 *   its own agent's proposal
 * </pre>
 *
 * This does not guard against one clock that is always fast, or against two slow ones: a machine
 * that slept and a wrong clock write the same lines. {@link ClockTime} guards against both.
 */
final class WallTime {
  /** A stamp outside of these years is no plausible time. */
  private static final Instant FIRST = Instant.parse("2020-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("2100-01-01T00:00:00Z");

  private @Nullable Instant now;
  private boolean sure;
  private @Nullable Proposal ahead;
  private @Nullable Proposal back;

  /**
   * @param session the session that proposes to go back; for a proposal to go ahead under rules 2,
   *     the agent
   */
  private record Proposal(long position, Instant time, String session) {
    boolean agrees(Instant other) {
      return Duration.between(time, other).abs().compareTo(FoldTime.REACH) <= 0;
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

  /** The wall clock of an envelope; null if it is no plausible time. */
  static @Nullable Instant sane(Envelope envelope) {
    Instant stamp = StoredTimes.kept(envelope.time());
    return stamp == null || stamp.isBefore(FIRST) || !stamp.isBefore(LAST) ? null : stamp;
  }

  /** The wall clock of an envelope, or the nearest plausible time. */
  static Instant nearest(Envelope envelope) {
    Instant stamp = StoredTimes.kept(envelope.time());
    return stamp == null || stamp.isBefore(FIRST) ? FIRST : stamp.isBefore(LAST) ? stamp : LAST;
  }

  @Nullable Instant now() {
    return now;
  }

  boolean isAtOrAfter(Instant time) {
    return sure && now != null && !now.isBefore(time);
  }

  /**
   * Switches to rules 2. An implausible time is given up.
   *
   * @return how far the time went back
   */
  Duration beginAnew(Envelope envelope) {
    ahead = null;
    back = null;
    if (now == null || now.isBefore(LAST)) {
      return Duration.ZERO;
    }
    Instant before = now;
    now = nearest(envelope);
    return Duration.between(now, before);
  }

  long proposed(Instant time) {
    return ahead != null && ahead.agrees(time) ? ahead.position : 0;
  }

  Message goBack(String sender, String session, Instant time) {
    Json.ObjectBuilder payload = Json.object().put("session", session);
    if (back != null && back.agrees(time) && !back.session.equals(session)) {
      payload.put(TimeTypes.NAMES, back.position);
    }
    return Message.of(sender, TimeTypes.RESET, payload.build());
  }

  /** See {@link FoldTime#see} and, with a guard, {@link FoldTime#follow}. */
  Duration see(Envelope envelope, FoldTime.@Nullable Guard guard) {
    Instant stamp = guard == null ? StoredTimes.kept(envelope.time()) : sane(envelope);
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
    if (distance.abs().compareTo(FoldTime.REACH) <= 0) {
      now = distance.isPositive() ? stamp : now;
      sure = true;
      ahead = null;
    } else if (!sure) {
      now = stamp; // two stamps contradict each other, and the first may be the bad one
    } else if (distance.isPositive()) {
      farAhead(envelope, stamp, guard);
    }
    return Duration.ZERO;
  }

  private void farAhead(Envelope envelope, Instant stamp, FoldTime.@Nullable Guard guard) {
    if (ahead != null && ahead.agrees(stamp) && confirms(ahead, envelope, stamp, guard)) {
      now = stamp;
      ahead = null;
    } else {
      String agent = guard == null ? "" : envelope.sender();
      ahead = new Proposal(envelope.position().value(), stamp, agent);
    }
  }

  private static boolean confirms(
      Proposal proposal, Envelope envelope, Instant stamp, FoldTime.@Nullable Guard guard) {
    if (guard != null && !proposal.session.equals(envelope.sender())) {
      return true;
    }
    return envelope.type().equals(TimeTypes.TICK)
        && Fields.of(envelope.payload()).number(TimeTypes.NAMES, 0) == proposal.position
        && (guard == null || guard.endsNothingOfOthers(stamp, envelope.sender()));
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
      return Duration.ZERO; // a reset never moves the time ahead
    }
    now = stamp;
    return moved;
  }

  void saveTo(Json.ObjectBuilder json) {
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
  }

  static WallTime load(Fields saved) {
    WallTime time = new WallTime();
    time.now = saved.time("now");
    time.sure = saved.flag("sure");
    time.ahead = Proposal.load(saved.object("ahead"));
    time.back = Proposal.load(saved.object("back"));
    return time;
  }
}

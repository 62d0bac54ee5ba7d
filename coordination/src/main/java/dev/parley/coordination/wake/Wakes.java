package dev.parley.coordination.wake;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.BootTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one agent can be woken, and what became of the attempts.
 *
 * <pre>
 * wakes.&lt;agent&gt;    condition                                     effect
 * --------------  --------------------------------------------  ------------------------------------
 * wake.way                                                      it is woken this way from now on
 * wake.request    the wake before is open for longer than       that one has failed; then as below
 *                   {@code answer}
 *                 there is no way                               refused: no-way
 *                 the wake before is open                       refused: pending
 *                 some of the mail is from a person             requested
 *                 {@code anHour} were requested in the last      refused: too-many
 *                   hour
 *                 the last is younger than {@code coolDown}       refused: cool-down
 *                 the last {@code pair} were mutual, as is this,  refused: pair
 *                   and the last is younger than {@code pairPause}
 *                 else                                          requested
 * wake.delivered  names a wake that is requested                 delivered
 * wake.failed     names a wake that is open                      failed
 * wake.woken      the last wake is delivered                     woken
 * wake.limits     also of a person; all are in range             those limits are replaced
 * </pre>
 *
 * All but the last count only if the agent itself is the sender: the program that wakes an agent
 * runs on its side.
 */
public final class Wakes implements Fold {
  /** The sender whose mail wakes an agent whatever the limits say. */
  public static final String PERSON = "human";

  /** How many attempts are kept: more than the limit for an hour can be. */
  private static final int REMEMBERED = 256;

  private static final int MOST_NAMED = 32;
  private static final int LONGEST = 200;
  private static final Duration HOUR = Duration.ofHours(1);

  private final String agent;
  private final List<Wake> wakes = new ArrayList<>();
  private FoldTime time = new FoldTime();
  private WakeLimits limits = WakeLimits.DEFAULT;
  private @Nullable WakeWay way;
  private String host = "";
  private @Nullable String why;

  private Wakes(String agent) {
    this.agent = agent;
  }

  /** The topic of an agent's wakes. */
  public static Topic topic(String agent) {
    return new Topic("wakes." + new AgentName(agent).topicPart());
  }

  /** How to fold the wakes of an agent. */
  public static Fold.Kind<Wakes> of(String agent) {
    return new Fold.Kind<>() {
      @Override
      public String view() {
        return "wakes." + agent;
      }

      @Override
      public List<Topic> topics() {
        return List.of(topic(agent));
      }

      @Override
      public Wakes begin() {
        return new Wakes(agent);
      }

      @Override
      public Wakes load(Json saved) {
        Wakes loaded = new Wakes(agent);
        loaded.load(Fields.of(saved));
        return loaded;
      }
    };
  }

  /** The reason against a wake, and until when it holds; null if time alone does not remove it. */
  record Refusal(String code, @Nullable Instant until) {}

  @Override
  public void apply(Envelope envelope, Position after) {
    if (!envelope.isNative()) {
      return;
    }
    var _ = time.follow(envelope, null);
    Instant now = StoredTimes.kept(time.now());
    Fields payload = Fields.of(envelope.payload());
    boolean isOwn = envelope.sender().equals(agent);
    if (envelope.type().equals(WakeTypes.LIMITS)) {
      limits = isOwn || envelope.sender().equals(PERSON) ? limits.with(payload) : limits;
    }
    if (now == null || !isOwn) {
      return;
    }
    long at = envelope.position().value();
    switch (envelope.type()) {
      case WakeTypes.WAY -> {
        WakeWay said = payload.choice("way", WakeWay.values());
        way = said == null ? way : said;
        host = payload.text("host", "");
        why = payload.text("why", LONGEST);
      }
      case WakeTypes.REQUEST -> request(payload, at, now);
      case WakeTypes.DELIVERED ->
          step(payload.number("request", 0), WakeState.REQUESTED, WakeState.DELIVERED, at, now, "");
      case WakeTypes.FAILED -> {
        String code = payload.text("why", LONGEST);
        fail(payload.number("request", 0), at, now, code == null ? "unknown" : code);
      }
      case WakeTypes.WOKEN -> {
        Wake last = last();
        if (last != null) {
          step(last.position(), WakeState.DELIVERED, WakeState.WOKEN, at, now, "");
        }
      }
      default -> {
        // Not about a wake.
      }
    }
  }

  private void request(Fields payload, long position, Instant now) {
    Wake last = last();
    if (last != null && last.state().isOpen() && !isAnswerDue(last, now)) {
      // Still open: refused below.
    } else if (last != null && last.state().isOpen()) {
      fail(last.position(), position, now, "no-answer");
    }
    List<String> from = payload.texts("from", MOST_NAMED, LONGEST);
    boolean mutual = payload.flag("mutual");
    Refusal refusal = refusal(from, mutual, now);
    wakes.add(
        new Wake(
            position,
            way == null ? WakeWay.NONE : way,
            from,
            payload.texts("mail", MOST_NAMED, LONGEST),
            mutual,
            List.of(
                new Wake.Step(
                    refusal == null ? WakeState.REQUESTED : WakeState.REFUSED,
                    position,
                    now,
                    refusal == null ? null : refusal.code()))));
    if (wakes.size() > REMEMBERED) {
      wakes.removeFirst();
    }
  }

  private boolean isAnswerDue(Wake wake, Instant now) {
    return !now.isBefore(wake.requested().plus(limits.time(WakeLimit.ANSWER)));
  }

  /** Whether the host took the notice but the agent has not acted in time. */
  boolean isInVain(Wake wake, Instant now) {
    return switch (wake.state()) {
      case DELIVERED -> isAnswerDue(wake, now);
      case FAILED -> wake.steps().stream().anyMatch(step -> step.state() == WakeState.DELIVERED);
      case REQUESTED, REFUSED, WOKEN -> false;
    };
  }

  /** The reason against a wake at this time; null if there is none. */
  @Nullable Refusal refusal(List<String> from, boolean mutual, Instant now) {
    if (way == null || way == WakeWay.NONE) {
      return new Refusal("no-way", null);
    }
    Wake last = last();
    if (last == null) {
      return null;
    }
    if (last.state().isOpen() && !isAnswerDue(last, now)) {
      return new Refusal("pending", last.requested().plus(limits.time(WakeLimit.ANSWER)));
    }
    if (from.contains(PERSON)) {
      return null;
    }
    Instant hourAgo = now.minus(HOUR);
    List<Wake> lately =
        wakes.stream()
            .filter(wake -> wake.wasGranted() && wake.requested().isAfter(hourAgo))
            .toList();
    long most = limits.get(WakeLimit.AN_HOUR);
    if (lately.size() >= most) {
      Wake oldest = lately.get(lately.size() - (int) most);
      return new Refusal("too-many", oldest.requested().plus(HOUR));
    }
    Instant rested = last.requested().plus(limits.time(WakeLimit.COOL_DOWN));
    if (now.isBefore(rested)) {
      return new Refusal("cool-down", rested);
    }
    Instant paused = last.requested().plus(limits.time(WakeLimit.PAIR_PAUSE));
    return mutual && now.isBefore(paused) && mutualInARow() >= limits.get(WakeLimit.PAIR)
        ? new Refusal("pair", paused)
        : null;
  }

  private int mutualInARow() {
    int count = 0;
    for (Wake one : wakes.reversed()) {
      if (one.wasGranted()) {
        if (!one.mutual()) {
          return count;
        }
        count++;
      }
    }
    return count;
  }

  private void fail(long request, long position, Instant now, String code) {
    step(request, WakeState.REQUESTED, WakeState.FAILED, position, now, code);
    step(request, WakeState.DELIVERED, WakeState.FAILED, position, now, code);
  }

  private void step(
      long request, WakeState from, WakeState to, long position, Instant now, String code) {
    Wake last = last();
    if (last != null && last.position() == request && last.state() == from) {
      Wake.Step step = new Wake.Step(to, position, now, code.isEmpty() ? null : code);
      wakes.set(wakes.indexOf(last), last.then(step));
    }
  }

  /** The last attempt that was not refused; null if there is none. */
  public @Nullable Wake last() {
    for (Wake one : wakes.reversed()) {
      if (one.wasGranted()) {
        return one;
      }
    }
    return null;
  }

  /** All attempts that are kept, the oldest first, also those that were refused. */
  public List<Wake> all() {
    return List.copyOf(wakes);
  }

  /** The attempt that was requested at a position; null if it is not kept. */
  @Nullable Wake at(long position) {
    for (Wake wake : wakes) {
      if (wake.position() == position) {
        return wake;
      }
    }
    return null;
  }

  /** How the agent can be woken; null if never stated. */
  public @Nullable WakeWay way() {
    return way;
  }

  /** The host that offers this way; empty if not known. */
  public String host() {
    return host;
  }

  /** The code of the reason why there is no way; null if not stated. */
  public @Nullable String why() {
    return why;
  }

  public WakeLimits limits() {
    return limits;
  }

  /** The present time of this topic for a program. */
  Instant present(@Nullable BootTime own, Instant wall) {
    return time.present(own, wall);
  }

  /** How far a program's wall clock is ahead of the time of this topic. */
  public Duration wallAhead(@Nullable BootTime own, Instant wall) {
    return time.wallAhead(own, wall);
  }

  @Override
  public Json save() {
    return Json.object()
        .put("time", time.save())
        .put("limits", limits.toJson())
        .put("way", way == null ? null : way.word())
        .put("host", host)
        .put("why", why)
        .put("wakes", Json.of(wakes.stream().map(Wake::toJson).toList()))
        .build();
  }

  private void load(Fields saved) {
    time = FoldTime.load(saved.object("time"));
    limits = limits.with(saved.object("limits"));
    way = saved.choice("way", WakeWay.values());
    host = saved.text("host", "");
    why = saved.text("why");
    saved.objects("wakes").forEach(wake -> wakes.add(Wake.load(wake)));
  }
}

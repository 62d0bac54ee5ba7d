package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.ledger.history.CorrectionNotices;
import dev.parley.coordination.ledger.history.WaitEndLookup;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.wait.Target;
import dev.parley.core.Doorbell;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one owner of the ledger in a process. It appends requests, folds the ledger, and answers each
 * request from the state right after its line.
 *
 * <p>Only the owner has the folded ledger. Callers look at it under the owner's lock, and may keep
 * only immutable values. Requests are appended outside of that lock, so that many threads share one
 * write and one sync.
 *
 * <p>Safe for use by many threads.
 */
public final class LedgerOwner {
  /** The topic of everything that can conflict. */
  public static final Prefix WHERE = new Prefix(Ledger.TOPIC);

  /**
   * How often a waiting thread reads without a ring of the doorbell, because a ring may be lost.
   */
  private static final Duration SWEEP = Duration.ofSeconds(5);

  /**
   * A live session writes a heartbeat this often in the time after which it counts as stale, unless
   * it writes something else.
   */
  private static final int BEATS_PER_STALE = 4;

  private final Log log;
  private final InstantSource clock;
  private final FoldReader<Ledger> ledger;
  private final CorrectionNotices corrections;
  private final PendingRequests pending = new PendingRequests();
  private final RecentDecisions recent = new RecentDecisions();

  /** Opening a doorbell is expensive, so each one serves many waits. */
  private final ConcurrentLinkedQueue<Doorbell> bells = new ConcurrentLinkedQueue<>();

  public LedgerOwner(Log log, Views views, Reporter reporter, InstantSource clock) {
    this.log = log;
    this.clock = clock;
    this.ledger = new FoldReader<>(log, views, reporter, Ledger.KIND);
    ledger.observe((line, state) -> {
      pending.folded(line, state);
      recent.folded(line, state);
    });
    this.corrections = new CorrectionNotices(log, reporter);
  }

  /**
   * The present time of the ledger, which may differ from the wall clock: the time as of the last
   * look plus what the boot clock has gone on since.
   */
  public synchronized Instant now() {
    return now(ledger.lastKnown());
  }

  private Instant now(Ledger state) {
    return state.time().present(log.clock().now(), clock.instant());
  }

  /** The wall clock, for people and for the files of other tools. */
  public Instant wall() {
    return clock.instant();
  }

  /** How far the wall clock is ahead of the ledger's time. */
  public synchronized Duration wallAhead() {
    return ledger.lastKnown().time().wallAhead(log.clock().now(), clock.instant());
  }

  /** Converts a time of the ledger to the wall clock. */
  public Instant shown(Instant time) {
    return StoredTimes.later(time, wallAhead());
  }

  /** Converts a time of the wall clock to the ledger's time. */
  public Instant ofWall(Instant time) {
    return StoredTimes.earlier(time, wallAhead());
  }

  /** Appends a tick if something is over by now and no line has moved the time so far yet. */
  public synchronized void passTime(String sender) {
    Ledger state = ledger.refresh();
    Instant next = state.rules() > Ledger.RULES ? null : state.nextEnd();
    Instant now = now(state);
    if (next != null && !now.isBefore(next)) {
      var _ = ledger.reach(Ledger.TOPIC, sender, now, next, Ledger::time);
    }
  }

  /**
   * Looks at the present ledger while nobody changes it.
   *
   * @param look computes the answer, which must be immutable and no part of the ledger itself
   */
  public synchronized <R> R look(Function<Ledger, R> look) {
    return answer(ledger.refresh(), look);
  }

  /** Keeps what later lines change from leaving the owner's lock. */
  private static <R> R answer(Ledger state, Function<Ledger, R> look) {
    R answer = look.apply(state);
    if (answer != null && state.parts().contains(answer)) {
      throw new IllegalArgumentException(
          answer.getClass().getSimpleName() + " changes with the ledger, so nobody may keep it");
    }
    return answer;
  }

  /** Shows the present ledger to a reader that needs no answer, such as a page. */
  public synchronized void show(Consumer<Ledger> reader) {
    reader.accept(ledger.refresh());
  }

  /** Looks at the ledger as of the last refresh, without reading the log. */
  public synchronized <R> R lookAtLastKnown(Function<Ledger, R> look) {
    return answer(ledger.lastKnown(), look);
  }

  /**
   * Looks up what was decided about lines. One thread at a time may use it; closing it frees its
   * memory.
   */
  public synchronized DecisionLookup decisions() {
    recent.begin();
    return new DecisionLookup(this, log, position());
  }

  /** The decision about a line; null if it is not among the latest lines. */
  synchronized @Nullable Outcome recentDecision(Position line) {
    var _ = ledger.refreshThrough(Ledger.TOPIC, line);
    return recent.at(line.value());
  }

  /** How far the ledger is folded. */
  synchronized Position position() {
    var _ = ledger.refresh();
    return ledger.position(Ledger.TOPIC);
  }

  synchronized void endDecisions() {
    recent.end();
  }

  /** Appends a request of a session, and returns the decision. */
  public Outcome ask(Session session, String type, Json.ObjectBuilder payload) {
    Json json = payload.put("session", session.id()).build();
    Message request = Message.of(session.name(), type, json);
    Outcome outcome = decide(request);
    checkClocks(session.name());
    if (outcome instanceof Outcome.Refused refused && refused.code().equals(Ledger.OUTDATED)) {
      outcome = decide(request); // the wrong clock that made this request look outdated is removed
    }
    return outcome instanceof Outcome.Refused refused ? shown(refused) : outcome;
  }

  /** The same refusal with times as the wall clock shows them: decisions hold the ledger's time. */
  private Outcome shown(Outcome.Refused refused) {
    Duration ahead = wallAhead();
    if (ahead.isZero()) {
      return refused;
    }
    Json.ObjectBuilder details = Json.object();
    for (Map.Entry<String, Json> field : refused.details().fields().entrySet()) {
      boolean isTime = field.getKey().equals("since") || field.getKey().equals("until");
      String text = isTime ? field.getValue().text() : null;
      Instant time = text == null ? null : Timestamps.parse(text);
      if (text == null || time == null) {
        details.put(field.getKey(), field.getValue());
      } else {
        String shown = Timestamps.format(StoredTimes.later(time, ahead));
        details.put(field.getKey(), shown);
      }
    }
    return new Outcome.Refused(refused.code(), details.build());
  }

  /** Removes impossible clocks before anything is decided by them. */
  private synchronized void checkClocks(String sender) {
    for (long line : ledger.correctClocks(Ledger.TOPIC, sender, Ledger::time)) {
      corrections.tell(sender, line);
    }
  }

  /** Appends a request, and returns the decision. */
  Outcome decide(Message message) {
    long request = begin(message.sender());
    try {
      Stored stored = append(message);
      synchronized (this) {
        var _ = ledger.refreshThrough(Ledger.TOPIC, stored.position());
        return pending.answer(stored);
      }
    } finally {
      end(request);
    }
  }

  private synchronized long begin(String sender) {
    prepare(sender);
    return pending.begin();
  }

  private synchronized void end(long request) {
    pending.end(request);
  }

  /** Appends a message that the ledger does not decide about. */
  void say(Message message) {
    prepare(message.sender());
    var _ = append(message);
  }

  /** Appends a message to which the ledger's time does not matter. */
  void sayAsItIs(Message message) {
    var _ = append(message);
  }

  private Stored append(Message message) {
    return log.append(Ledger.TOPIC, List.of(message.withClock())).getFirst();
  }

  /**
   * Makes the ledger ready for a decision: states the rules if no line has, removes impossible
   * clocks, and brings the time near the present.
   */
  private synchronized void prepare(String sender) {
    Ledger known = ledger.lastKnown();
    known.checkRules();
    if (known.rules() < Ledger.RULES && ledger.refresh().rules() < Ledger.RULES) {
      var _ = append(rules(Bus.SYSTEM, ledger.lastKnown().staleAfter()));
      var _ = ledger.refresh();
    }
    // The boot clock is read again: a lease granted by a reading from before the machine slept
    // would end with the next line.
    var _ = log.clock().awake();
    var _ = ledger.refresh();
    checkClocks(sender);
    Ledger state = ledger.lastKnown();
    Instant now = now(state);
    BootTime own = log.clock().now();
    if (state.time().isOfBootClock() && own != null && state.time().at(own) == null) {
      // The machine has booted again, and no line has the new boot clock yet. Until one has,
      // readers go by wall clocks. If one of those was ahead before, the time would stand
      // still, and no stale name would ever become free. So write a line now.
      ledger.tick(Ledger.TOPIC, sender);
      state = ledger.refresh();
      now = now(state);
    }
    // By the boot clock any line brings the time to the present, so the request's own line will
    // do.
    if (!state.time().isOfBootClock() && !state.time().isAtOrAfter(now.minus(NEAR))) {
      ledger.catchUp(Ledger.TOPIC, sender, now, Ledger::time);
    }
    ledger.lastKnown().checkRules();
  }

  /**
   * How near the present a wall-clock time must be: less than one line can move it, with a margin.
   */
  private static final Duration NEAR = Duration.ofMinutes(4);

  static Message rules(String sender, Duration staleAfter) {
    return rules(sender, Json.object().put("staleAfter", staleAfter.toSeconds()));
  }

  static Message rules(String sender, Json.ObjectBuilder settings) {
    Json.ObjectBuilder payload = Json.object().put("rules", Ledger.RULES);
    settings.build().fields().forEach(payload::put);
    return Message.of(sender, LedgerTypes.RULES, payload.build());
  }

  /** A reader that finds the line after a position with which a target was over. */
  public synchronized FoldReader<WaitEndLookup> ending(
      Session session, String target, String tree, Position after) {
    Target what = ledger.refresh().graph().target(target);
    // The owner's own reader has already reported damaged lines.
    return new FoldReader<>(
        log, Views.inMemory(), report -> {}, WaitEndLookup.kind(session.name(), what, tree, after));
  }

  /**
   * What a thread waits for: an answer, and the next time at which the answer may change. The
   * waiting thread must know that time, because nothing ends before a line moves the ledger's time.
   */
  public interface Awaited<R> {
    @Nullable R answer(Ledger ledger);

    @Nullable Instant next(Ledger ledger);
  }

  /**
   * Waits until the ledger has an answer. The thread sleeps while nothing happens, and writes
   * heartbeats for the session.
   *
   * @return null if the time is over
   */
  public <R> @Nullable R await(Session session, Duration atMost, Awaited<R> awaited)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    Doorbell bell = bells.poll();
    if (bell == null) {
      bell = log.doorbell(WHERE);
    }
    try {
      while (true) {
        Look<R> look = look(session, awaited);
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (look.answer != null || !left.isPositive()) {
          return look.answer;
        }
        Duration pause = look.pause.compareTo(left) < 0 ? look.pause : left;
        if (pause.isPositive()) {
          var _ = bell.await(pause);
        }
      }
    } finally {
      bells.add(bell);
    }
  }

  /**
   * @param pause how long the thread may sleep
   */
  private record Look<R>(@Nullable R answer, Duration pause) {}

  private synchronized <R> Look<R> look(Session session, Awaited<R> awaited) {
    var _ = present(session);
    Ledger state = ledger.lastKnown();
    R answer = awaited.answer(state);
    if (answer != null) {
      return new Look<>(answer, Duration.ZERO);
    }
    Instant next = awaited.next(state);
    if (next == null) {
      return new Look<>(null, SWEEP);
    }
    Instant now = now(state);
    if (now.isBefore(next)) {
      Duration until = Duration.between(now, next);
      return new Look<>(null, until.compareTo(SWEEP) < 0 ? until : SWEEP);
    }
    // Several threads may wait for the same end, and one tick is enough for all. If a tick of
    // ours does not move the time, another one at once would not either, so the thread sleeps.
    boolean reached = ledger.reach(Ledger.TOPIC, session.name(), now, next, Ledger::time);
    return new Look<>(null, reached ? Duration.ZERO : SWEEP);
  }

  /**
   * Checks that a session has its name, and writes a heartbeat if its last envelope is old: every
   * action of an agent counts as a sign of life.
   *
   * @throws ParleyException REFUSED if the session does not have its name any more
   */
  public synchronized Member present(Session session) {
    var _ = ledger.refresh();
    checkClocks(session.name());
    Ledger state = ledger.lastKnown();
    Member member = owner(state, session);
    // Dividing the Duration itself would load BigDecimal: a quarter of a command's time.
    long shortest = Math.min(state.staleAfter().toMillis(), state.claimAfter().toMillis());
    Duration beat = Duration.ofMillis(shortest / BEATS_PER_STALE);
    if (latest(state).isBefore(member.heard().plus(beat))) {
      return member;
    }
    say(
        Message.builder(session.name(), LedgerTypes.HEARTBEAT)
            .payload(Json.object().put("session", session.id()).build())
            .automatic(true)
            .build());
    return owner(ledger.refresh(), session);
  }

  /**
   * The later of our time and the ledger's. Ours may be slow, but the ledger's decides who is
   * stale; the ledger's stands still while nobody appends.
   */
  private Instant latest(Ledger state) {
    Instant time = state.time().now();
    Instant ours = now(state);
    return time == null || time.isBefore(ours) ? ours : time;
  }

  /** The member whose session keeps a name from others now; null if the name is free. */
  synchronized @Nullable Member holder(String name) {
    prepare(name);
    Ledger state = ledger.lastKnown();
    Member member = state.roster().member(name);
    return member == null || member.givesWay(latest(state), state.staleAfter()) ? null : member;
  }

  static Member owner(Ledger state, Session session) {
    state.checkRules();
    Member member = state.roster().member(session.name());
    if (member == null || !session.id().equals(member.session())) {
      throw ParleyException.refused("session-ended", Json.object().put("name", session.name()));
    }
    return member;
  }
}

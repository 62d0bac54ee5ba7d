package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.ledger.history.CorrectionNotices;
import dev.parley.coordination.ledger.history.WaitEnding;
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
 * The one owner of the ledger in a process: appends requests, folds the ledger, and answers each
 * request from the state right after its line.
 *
 * <p>Nobody else has the folded ledger. It is looked at under the owner's lock, and what a look
 * gives away is immutable. A request is appended outside that lock, so the requests of many threads
 * share a write and a sync.
 *
 * <p>Safe for use by many threads.
 */
public final class LedgerOwner {
  /** Where everything that can conflict stands. */
  public static final Prefix WHERE = new Prefix(Ledger.TOPIC);

  /** How often a waiting thread reads without a ring, because a ring may be lost. */
  private static final Duration SWEEP = Duration.ofSeconds(5);

  /** A session that does anything is taken to live; it says so at most this often. */
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
   * What time it is in the ledger, which is not what a wall clock says: as of the last look, or as
   * long after it as the boot clock has gone on since.
   */
  public synchronized Instant now() {
    return now(ledger.lastKnown());
  }

  private Instant now(Ledger state) {
    return state.time().present(log.clock().now(), clock.instant());
  }

  /** What the wall clock says, for people and for the files of other tools. */
  public Instant wall() {
    return clock.instant();
  }

  /** How far the wall clock is ahead of the ledger's time. */
  public synchronized Duration wallAhead() {
    return ledger.lastKnown().time().wallAhead(log.clock().now(), clock.instant());
  }

  /** A time of the ledger as our wall clock shows it. */
  public Instant shown(Instant time) {
    return StoredTimes.later(time, wallAhead());
  }

  /** A time of our wall clock as it is in the ledger. */
  public Instant ofWall(Instant time) {
    return StoredTimes.earlier(time, wallAhead());
  }

  /** Says what time it is if something is over by now, and no line has said so yet. */
  public synchronized void passTime(String sender) {
    Ledger state = ledger.refresh();
    Instant next = state.rules() > Ledger.RULES ? null : state.nextEnd();
    Instant now = now(state);
    if (next != null && !now.isBefore(next)) {
      var _ = ledger.reach(Ledger.TOPIC, sender, now, next, Ledger::time);
    }
  }

  /**
   * Looks at the ledger as it is now, while nobody changes it.
   *
   * @param look what to find out; its answer is immutable, and no part of the ledger itself
   */
  public synchronized <R> R look(Function<Ledger, R> look) {
    return look.apply(ledger.refresh());
  }

  /** Shows the ledger as it is now to a reader that needs no answer, such as a page. */
  public synchronized void show(Consumer<Ledger> reader) {
    reader.accept(ledger.refresh());
  }

  /** Looks at the ledger as it was last known, which needs no look at the log. */
  public synchronized <R> R lookAtLastKnown(Function<Ledger, R> look) {
    return look.apply(ledger.lastKnown());
  }

  /**
   * Gives each line of the ledger with what was decided about it. One thread uses it at a time;
   * closing it frees what it keeps.
   */
  public synchronized DecisionLookup decisions() {
    recent.begin();
    return new DecisionLookup(this, log, position());
  }

  /** What was decided about a line, if it is one of the latest; null if it is not. */
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

  /** Asks for something in the name of a session, and answers what was decided. */
  public Outcome ask(Session session, String type, Json.ObjectBuilder payload) {
    Json json = payload.put("session", session.id()).build();
    Message request = Message.of(session.name(), type, json);
    Outcome outcome = decide(request);
    checkClocks(session.name());
    if (outcome instanceof Outcome.Refused refused && refused.code().equals(Ledger.OUTDATED)) {
      outcome = decide(request); // what was in the way is corrected
    }
    return outcome instanceof Outcome.Refused refused ? shown(refused) : outcome;
  }

  /** The ledger speaks of its own time; who is refused is told by the wall clock. */
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

  /** Nobody decides by a time that can't be right, nor leaves it to others. */
  private synchronized void checkClocks(String sender) {
    for (long line : ledger.correctClocks(Ledger.TOPIC, sender, Ledger::time)) {
      corrections.tell(sender, line);
    }
  }

  /** Appends a request, and answers what was decided by it. */
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

  /** Appends something that is not decided upon. */
  void say(Message message) {
    prepare(message.sender());
    var _ = append(message);
  }

  /** Appends something that the state of the ledger's time does not matter for. */
  void sayAsItIs(Message message) {
    var _ = append(message);
  }

  private Stored append(Message message) {
    return log.append(Ledger.TOPIC, List.of(message.withClock())).getFirst();
  }

  /**
   * Makes sure that the rules are stated, and the time of the ledger is right and near the present,
   * so that something can be decided.
   */
  private synchronized void prepare(String sender) {
    Ledger known = ledger.lastKnown();
    known.checkRules();
    if (known.rules() < Ledger.RULES && ledger.refresh().rules() < Ledger.RULES) {
      var _ = append(rules(Bus.SYSTEM, ledger.lastKnown().staleAfter()));
      var _ = ledger.refresh();
    }
    // What is granted by a reading from before the machine slept would be over with the next line.
    var _ = log.clock().awake();
    var _ = ledger.refresh();
    checkClocks(sender);
    Ledger state = ledger.lastKnown();
    Instant now = now(state);
    BootTime own = log.clock().now();
    if (state.time().isOfBootClock() && own != null && state.time().at(own) == null) {
      // The machine has begun anew. Until a line says so only wall clocks tell how late it is, and
      // if one was ahead before, time would stand still: no name would ever be free.
      ledger.tick(Ledger.TOPIC, sender);
      state = ledger.refresh();
      now = now(state);
    }
    // By the boot clock any line brings the time to the present: that of the request will do.
    if (!state.time().isOfBootClock() && !state.time().isAtOrAfter(now.minus(NEAR))) {
      ledger.catchUp(Ledger.TOPIC, sender, now, Ledger::time);
    }
    ledger.lastKnown().checkRules();
  }

  /** As near as a time must be to the present: within what one line can move it by, and some. */
  private static final Duration NEAR = Duration.ofMinutes(4);

  static Message rules(String sender, Duration staleAfter) {
    return rules(sender, Json.object().put("staleAfter", staleAfter.toSeconds()));
  }

  static Message rules(String sender, Json.ObjectBuilder settings) {
    Json.ObjectBuilder payload = Json.object().put("rules", Ledger.RULES);
    settings.build().fields().forEach(payload::put);
    return Message.of(sender, LedgerTypes.RULES, payload.build());
  }

  /** Where something is over since a position, up to date whenever it is refreshed. */
  public synchronized FoldReader<WaitEnding> ending(
      Session session, String target, String tree, Position after) {
    Target what = ledger.refresh().graph().target(target);
    // The owner's own reader has already reported damaged lines.
    return new FoldReader<>(
        log, Views.inMemory(), report -> {}, WaitEnding.kind(session.name(), what, tree, after));
  }

  /**
   * What to wait for: an answer, once there is one, and the next time at which something ends that
   * the answer depends on, because nothing ends before a line moves the ledger's time.
   */
  public interface Awaited<R> {
    @Nullable R answer(Ledger ledger);

    @Nullable Instant next(Ledger ledger);
  }

  /**
   * Waits until the ledger has an answer; it costs nothing while nothing happens. The session is
   * said to live meanwhile.
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
   * @param pause how long there is nothing to do but listen
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
    // Two who wait for the same need not both say what time it is; and should the ledger's time
    // not be moved by ours, trying again at once would not help.
    boolean reached = ledger.reach(Ledger.TOPIC, session.name(), now, next, Ledger::time);
    return new Look<>(null, reached ? Duration.ZERO : SWEEP);
  }

  /**
   * Makes sure that a session has its name, and says now and then that it lives: everything an
   * agent does is a sign of life.
   *
   * @throws ParleyException REFUSED if the session does not have its name any more
   */
  public synchronized Member present(Session session) {
    var _ = ledger.refresh();
    checkClocks(session.name());
    Ledger state = ledger.lastKnown();
    Member member = owner(state, session);
    // Dividing the Duration itself would load big numbers: a quarter of a command's time.
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
   * The later of our time and the ledger's: a session with a slow clock is still called stale by
   * the ledger's, and the ledger's stands still while nobody appends.
   */
  private Instant latest(Ledger state) {
    Instant time = state.time().now();
    Instant ours = now(state);
    return time == null || time.isBefore(ours) ? ours : time;
  }

  /** The session that has a name and keeps it from others now; null if the name is free. */
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

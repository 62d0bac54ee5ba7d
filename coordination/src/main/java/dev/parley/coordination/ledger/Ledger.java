package dev.parley.coordination.ledger;

import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.Boards;
import dev.parley.coordination.fold.Bound;
import dev.parley.coordination.fold.Bounds;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.Times;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.wait.Target;
import dev.parley.coordination.wait.Wait;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.coordination.wait.Waits;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Timestamps;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger has come to: its time, its rules, who is here, who holds what, what is to be
 * done, who waits, and what boards have come to.
 *
 * <p>For every native envelope time moves first, then what is over by that ends, then the envelope
 * takes effect. What a session asks for that has ended or was superseded is refused. Foreign
 * envelopes decide nothing, unknown types are passed over. Under rules that this program does not
 * know it reads on, but {@link #checkRules} refuses to decide anything.
 */
public final class Ledger implements Fold {
  public static final Topic TOPIC = new Topic("ledger");

  /** The rules that this program knows. */
  public static final long RULES = 3;

  /** The first rules under which the time is the boot clock's. */
  private static final long OF_BOOT_CLOCK = 2;

  /**
   * The first rules under which names can be taken over, leases cover the repository, and a claim
   * takes its files.
   */
  private static final long OF_DAILY_USE = 3;

  /** Whatever ends ends no sooner after it began. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  /** How long a session may be silent before its name is free. */
  public static final Duration STALE_AFTER = Duration.ofMinutes(10);

  /** The types that only a session with its name may use, and that can be refused. */
  private static final Set<String> TYPES =
      Set.of(
          LeaseTypes.REQUEST,
          LeaseTypes.ACCEPT,
          LeaseTypes.RENEW,
          LeaseTypes.RELEASE,
          LeaseTypes.CANCEL,
          LeaseTypes.BREAK,
          LeaseTypes.REPORT,
          TaskTypes.ADD,
          TaskTypes.CLAIM,
          TaskTypes.NEXT,
          TaskTypes.PROGRESS,
          TaskTypes.BLOCK,
          TaskTypes.DONE,
          TaskTypes.FAIL,
          TaskTypes.RELEASE,
          TaskTypes.RETRY,
          TaskTypes.CANCEL,
          WaitTypes.BEGIN,
          WaitTypes.REPORT,
          WaitTypes.END,
          BoardTypes.OPEN,
          BoardTypes.ASSESS,
          BoardTypes.DISCUSS,
          BoardTypes.VOTE,
          BoardTypes.ADVANCE,
          BoardTypes.RESOLVE,
          BoardTypes.CHECK_CONDITION);

  /** Whether a line of this type is decided upon, and only a session with its name may write it. */
  static boolean isDecided(String type) {
    return TYPES.contains(type);
  }

  /** Whether a line of this type does anything in a ledger. */
  static boolean isKnown(String type) {
    return isDecided(type)
        || type.equals(LedgerTypes.RULES)
        || type.equals(LedgerTypes.JOIN)
        || type.equals(LedgerTypes.LEAVE)
        || type.equals(LedgerTypes.EXPECT)
        || type.equals(LedgerTypes.UNDO);
  }

  /** The shortest and longest silence that can be set. */
  public static final Duration LEAST_STALE = Duration.ofSeconds(1);

  public static final Duration MOST_STALE = Duration.ofDays(365);

  private final FoldTime time;
  private final Roster roster;
  private final Leases leases;
  private final Tasks tasks;
  private final Waits waits;
  private final Boards boards;
  private final WaitGraph graph = new WaitGraph(this);
  private Outcome outcome = Outcome.none();

  /**
   * So that not every envelope needs a look at everyone: who claims was heard of, and time flies.
   */
  private @Nullable Instant nobodySilentBefore;

  private final Bounds bounds = new Bounds();

  /** How often leases had ended when it was last asked which waits that ends. */
  private long endings;

  /** Whether a circle may have closed by something that nobody could refuse. */
  private boolean closes;

  private final RulesInForce rules = new RulesInForce();

  /** Whether the time is the boot clock's. That stays, whichever rules are undone. */
  private boolean byClock;

  private Duration staleAfter = STALE_AFTER;

  /** The lines that set how long sessions may be silent, and limits; 0 if none did. */
  private long staleAfterAt;

  private long limitsAt;

  public Ledger() {
    this(new FoldTime(), new Roster(), new Leases(), new Tasks(), new Waits(), new Boards());
  }

  private Ledger(
      FoldTime time, Roster roster, Leases leases, Tasks tasks, Waits waits, Boards boards) {
    this.time = time;
    this.roster = roster;
    this.leases = leases;
    this.tasks = tasks;
    this.waits = waits;
    this.boards = boards;
  }

  /** How the ledger is folded. */
  public static final Fold.Kind<Ledger> KIND =
      new Fold.Kind<>() {
        @Override
        public String view() {
          return "ledger-6";
        }

        @Override
        public List<Topic> topics() {
          return List.of(TOPIC);
        }

        @Override
        public Ledger begin() {
          return new Ledger();
        }

        @Override
        public Ledger load(Json saved) {
          return Ledger.load(Fields.of(saved));
        }
      };

  @Override
  public void apply(Envelope envelope, Position after) {
    outcome = Outcome.none();
    if (!envelope.isNative()) {
      return;
    }
    if (byClock && time.isOutdated(envelope)) {
      outcome = TYPES.contains(envelope.type()) ? outdated() : outcome;
      return;
    }
    moveBack(byClock ? time.follow(envelope, this::endsNothingOfOthers) : time.see(envelope));
    if (envelope.type().equals(LedgerTypes.RULES)) {
      applyRules(Fields.of(envelope.payload()), envelope.position().value());
      if (!byClock && rules.number() >= OF_BOOT_CLOCK) {
        byClock = true;
        moveBack(time.begin(envelope));
      }
    }
    Instant now = time.now();
    boolean undoes = envelope.type().equals(LedgerTypes.UNDO);
    Outcome undone = Outcome.none();
    if (undoes && now != null) {
      undone = Undo.apply(envelope, (position, reason) -> undo(position, reason, now));
      outcome = undone;
    }
    if (now != null && rules.number() <= RULES) {
      Request request = Request.of(envelope, after, now);
      boolean accepts = request.type().equals(LeaseTypes.ACCEPT);
      pass(request.position(), now, accepts ? request.payload().number("request", 0) : 0);
      String before = roster.session(request.name());
      roster.apply(request, staleAfter, rules.number() >= OF_DAILY_USE);
      if (request.type().equals(LedgerTypes.LEAVE)) {
        waits.touch(Target.Kind.AGENT, request.name());
      }
      if (before != null && !before.equals(roster.session(request.name()))) {
        end(before, request.name() + "'s session has ended", now);
      }
      outcome = undoes ? undone : decide(request);
      pass(request.position(), now, 0);
    }
  }

  /** Keeps every remaining duration when the time goes back. */
  private void moveBack(Duration by) {
    if (by.isPositive()) {
      nobodySilentBefore = null;
      roster.moveBack(by);
      leases.moveBack(by);
      tasks.moveBack(by);
      waits.moveBack(by);
      boards.moveBack(by);
    }
  }

  private static Outcome outdated() {
    return Outcome.refused(OUTDATED);
  }

  /** What a request is refused with whose clock is of a boot that others have since left behind. */
  static final String OUTDATED = "earlier-boot";

  private boolean endsNothingOfOthers(Instant to, String agent) {
    return leases.all().stream()
            .allMatch(lease -> isSpared(lease.holder(), agent, lease.until(), to))
        && leases.waiters().stream()
            .allMatch(waiter -> isSpared(waiter.ask().name(), agent, waiter.end(), to))
        && waits.all().stream().allMatch(wait -> isSpared(wait.name(), agent, wait.until(), to))
        && boards.all().stream()
            .allMatch(meeting -> isSpared("", agent, meeting.stage().ends(), to))
        && tasks.owners().stream()
            .flatMap(session -> tasks.of(session).stream())
            .allMatch(task -> isSpared(task.owner(), agent, endOfClaim(task), to));
  }

  private static boolean isSpared(
      @Nullable String owner, String agent, @Nullable Instant end, Instant to) {
    return agent.equals(owner) || end == null || end.isAfter(to);
  }

  /** Ends what is over by now. */
  private void pass(long position, Instant now, long spared) {
    if (nobodySilentBefore == null || time.isAtOrAfter(nobodySilentBefore)) {
      endSilentClaims(now);
    }
    for (Task task : tasks.over(time)) {
      giveBack(task, task.owner() + " said nothing about it for too long", now);
    }
    leases.pass(time, spared);
    boards.pass(time, position);
    passWaits();
  }

  /** Only those are looked at that wait for something that has changed. */
  private void passWaits() {
    if (endings != leases.endings()) {
      endings = leases.endings();
      waits.touch(Target.Kind.PATH);
    }
    tasks.whatEnded(id -> waits.touch(Target.Kind.TASK, id));
    boards.whatChanged(id -> waits.touch(Target.Kind.BOARD, id));
    boards.whatTurned(id -> closes |= graph.isInACircle(id));
    if (closes) {
      waits.touch(Target.Kind.BOARD);
      graph.changed();
    }
    waits.pass(
        time,
        wait -> {
          boolean over = graph.isOver(wait) || (closes && graph.isStuck(wait));
          if (over && closes) {
            graph.changed();
          }
          return over;
        });
    closes = false;
  }

  private void endSilentClaims(Instant now) {
    Instant earliest = now.plus(staleAfter);
    for (String session : tasks.owners()) {
      String name = tasks.of(session).getFirst().owner();
      Member owner = name == null ? null : roster.member(name);
      if (owner == null) {
        continue;
      }
      Instant silent = owner.heard().plus(staleAfter);
      if (time.isAtOrAfter(silent)) {
        endClaims(session, name + " was silent for too long", now);
      } else if (silent.isBefore(earliest)) {
        earliest = silent;
      }
    }
    // A time that is not sure may yet turn out to have been far ahead.
    nobodySilentBefore = time.isAtOrAfter(now) ? earliest : null;
  }

  private void end(String session, String why, Instant now) {
    leases.endSession(session);
    waits.endSession(session);
    endClaims(session, why, now);
  }

  private void endClaims(String session, String why, Instant now) {
    for (Task task : tasks.of(session)) {
      giveBack(task, why, now);
    }
  }

  private void giveBack(Task task, String why, Instant now) {
    String session = task.session();
    tasks.giveBack(task, why, now);
    if (session != null) {
      var _ = leases.endTask(session, task.id());
    }
  }

  private Outcome decide(Request request) {
    if (request.type().equals(LedgerTypes.JOIN)) {
      return roster.owns(request.name(), request.session()) ? Outcome.none() : nameTaken(request);
    }
    if (!TYPES.contains(request.type())) {
      return Outcome.none();
    }
    if (!roster.owns(request.name(), request.session())) {
      return Outcome.refused("session-ended", Json.object().put("name", request.name()));
    }
    if (rules.number() >= OF_BOOT_CLOCK
        && !Times.later(request.now(), LEAST).isAfter(request.now())) {
      return Outcome.refused("end-of-time");
    }
    return switch (request.type()) {
      case LeaseTypes.REQUEST ->
          leases.request(request, bounds, toward -> graph.cycle(request.name(), toward));
      case LeaseTypes.ACCEPT -> leases.accept(request);
      case LeaseTypes.RENEW -> leases.renew(request);
      case LeaseTypes.RELEASE -> leases.release(request);
      case LeaseTypes.CANCEL -> leases.cancel(request);
      case LeaseTypes.BREAK -> leases.breakOff(request);
      case LeaseTypes.REPORT -> {
        closes |= !leases.waiters().isEmpty();
        yield leases.report(request, bounds);
      }
      case TaskTypes.ADD -> tasks.add(request, bounds, this::cycleOfPlan);
      case TaskTypes.CLAIM ->
          tasks.claim(request, task -> graph.cycleOfClaim(request.name(), task));
      case TaskTypes.NEXT -> next(request);
      case TaskTypes.PROGRESS -> tasks.progress(request);
      case TaskTypes.BLOCK -> block(request);
      case TaskTypes.DONE -> ending(request, tasks.done(request));
      case TaskTypes.FAIL -> ending(request, tasks.fail(request));
      case TaskTypes.RELEASE -> ending(request, tasks.release(request));
      case TaskTypes.RETRY -> tasks.retry(request);
      case TaskTypes.CANCEL -> cancel(request);
      case WaitTypes.BEGIN, WaitTypes.REPORT -> wait(request);
      case WaitTypes.END -> waits.end(request);
      case BoardTypes.OPEN -> boards.open(request);
      case BoardTypes.ASSESS -> boards.assess(request);
      case BoardTypes.DISCUSS -> boards.discuss(request);
      case BoardTypes.VOTE -> boards.vote(request);
      case BoardTypes.ADVANCE -> boards.advance(request);
      case BoardTypes.RESOLVE -> boards.resolve(request);
      case BoardTypes.CHECK_CONDITION -> boards.checkCondition(request);
      default -> throw new IllegalStateException(request.type());
    };
  }

  private Outcome nameTaken(Request request) {
    Member owner = roster.member(request.name());
    if (owner == null) {
      return Outcome.refused("bad-join");
    }
    return Outcome.refused(
        NAME_TAKEN,
        Json.object()
            .put("name", request.name())
            .put("heard", Timestamps.format(owner.heard()))
            .put("staleAfter", staleAfter.toSeconds()));
  }

  /** What a session is refused with whose name another session has. */
  static final String NAME_TAKEN = "name-taken";

  private Outcome next(Request request) {
    return tasks.next(request, nextFor(request.name(), request.payload().texts("can")));
  }

  /**
   * The task that an agent gets who asks for the next now; null if there is none for it.
   *
   * @param can abilities beside those that it joined with
   */
  public @Nullable Task nextFor(String name, List<String> can) {
    Member member = roster.member(name);
    List<String> abilities = new ArrayList<>(can);
    abilities.addAll(member == null ? List.of() : member.can());
    for (Task task : tasks.ready()) {
      if (abilities.containsAll(task.plan().needs())
          && graph.cycleOfClaim(name, task.id()) == null) {
        return task;
      }
    }
    return null;
  }

  private Outcome block(Request request) {
    Target target = graph.target(request.payload().text("on", ""));
    if (!graph.isKnown(target)) {
      return unknown(target);
    }
    Outcome tooComplex = graph.tooComplex(target, bounds);
    if (tooComplex != null) {
      return tooComplex;
    }
    Wait wait = Waits.of(request, target);
    return tasks.block(request, target, () -> graph.cycle(wait.name(), graph.toward(wait)));
  }

  /** Somebody may wait already, through another task or not, for one that is only now added. */
  private @Nullable List<String> cycleOfPlan(Plan plan) {
    if (tasks.dependents(plan.id()).isEmpty() && !waits.isForTask(plan.id())) {
      return null; // nothing leads to it
    }
    return graph.cycle(
        WaitGraph.node(plan.id()), plan.after().stream().map(WaitGraph::node).toList());
  }

  /** What ends a claim ends its owner's leases for the task. */
  private Outcome ending(Request request, Outcome outcome) {
    if (outcome.isAccepted()) {
      var _ = leases.endTask(request.session(), request.payload().text("task", ""));
    }
    return outcome;
  }

  private Outcome cancel(Request request) {
    String id = request.payload().text("task", "");
    Task before = tasks.task(id);
    Outcome outcome = tasks.cancel(request);
    String session = before == null ? null : before.session();
    if (outcome.isAccepted() && session != null) {
      var _ = leases.endTask(session, id);
    }
    return outcome;
  }

  private Outcome wait(Request request) {
    Target target = graph.target(request.payload().text("for", ""));
    boolean later = target.kind() == Target.Kind.TASK && request.payload().flag("later");
    if (!later && !graph.isKnown(target)) {
      return unknown(target);
    }
    Outcome tooComplex = graph.tooComplex(target, bounds);
    if (tooComplex != null) {
      return tooComplex;
    }
    Wait wait = Waits.of(request, target);
    if (graph.isOver(wait)) {
      return Outcome.accepted(Json.object().put("over", true));
    }
    Outcome refused = bounds.refusal(Bound.WAITS, waits.size() + 1L);
    if (refused != null) {
      return refused;
    }
    List<String> toward = graph.toward(wait);
    List<String> closed = graph.cycle(wait.name(), toward);
    if (closed != null && !wait.reported()) {
      return Leases.wouldDeadlock(closed);
    }
    closes |= closed != null;
    return waits.begin(wait, toward);
  }

  private static Outcome unknown(Target target) {
    return Outcome.refused("unknown-target", Json.object().put("target", target.toString()));
  }

  private void applyRules(Fields payload, long position) {
    rules.say(payload.number("rules", 0), position);
    bounds.follow(rules.number());
    if (!payload.object("limits").values().isEmpty()) {
      bounds.set(payload.object("limits"));
      limitsAt = position;
    }
    long seconds = payload.number("staleAfter", -1);
    if (seconds >= LEAST_STALE.toSeconds() && seconds <= MOST_STALE.toSeconds()) {
      staleAfter = Duration.ofSeconds(seconds);
      staleAfterAt = position;
      nobodySilentBefore = null;
    }
  }

  /** Takes back what a line has done; whether there was anything. */
  private boolean undo(long position, String reason, Instant now) {
    boolean undone = undoRules(position);
    Member member = roster.joinedAt(position);
    if (member != null && member.session() != null) {
      roster.undo(member, now, reason);
      waits.touch(Target.Kind.AGENT, member.name());
      end(member.session(), reason, now);
    }
    undone |= member != null;
    undone |= roster.undoExpected(position);
    undone |= leases.undo(position);
    undone |= waits.undo(position);
    undone |= boards.undo(position);
    Task claimed = tasks.claimedAt(position);
    if (claimed != null) {
      String session = claimed.session();
      tasks.undoClaim(claimed, reason, now);
      endLeases(session, claimed.id());
    }
    Task added = tasks.addedAt(position);
    if (added != null) {
      tasks.undo(added, reason, now);
      endLeases(added.session(), added.id());
    }
    return undone || claimed != null || added != null;
  }

  private void endLeases(@Nullable String session, String task) {
    if (session != null) {
      var _ = leases.endTask(session, task);
    }
  }

  private boolean undoRules(long position) {
    boolean undone = rules.undo(position);
    bounds.follow(rules.number());
    if (limitsAt == position) {
      bounds.reset();
      limitsAt = 0;
      undone = true;
    }
    if (staleAfterAt == position) {
      staleAfter = STALE_AFTER;
      staleAfterAt = 0;
      nobodySilentBefore = null;
      undone = true;
    }
    return undone;
  }

  public FoldTime time() {
    return time;
  }

  public Roster roster() {
    return roster;
  }

  public Leases leases() {
    return leases;
  }

  public Tasks tasks() {
    return tasks;
  }

  public Waits waits() {
    return waits;
  }

  public Boards boards() {
    return boards;
  }

  public WaitGraph graph() {
    return graph;
  }

  /** When the next claim ends whose owner says nothing more; null if nobody has one. */
  public @Nullable Instant nextEndOfAClaim() {
    Instant next = null;
    for (String session : tasks.owners()) {
      for (Task task : tasks.of(session)) {
        next = earlier(next, endOfClaim(task));
      }
    }
    return next;
  }

  private @Nullable Instant endOfClaim(Task task) {
    Member owner = task.owner() == null ? null : roster.member(task.owner());
    return earlier(owner == null ? null : owner.heard().plus(staleAfter), task.claim().until());
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }

  /** What was decided about the last envelope. */
  public Outcome outcome() {
    return outcome;
  }

  /** The rules in force; 0 if nobody has said yet. */
  public long rules() {
    return rules.number();
  }

  /** Where the line stands that put these rules in force; 0 if nobody has said any. */
  public long rulesAt() {
    return rules.position();
  }

  public Duration staleAfter() {
    return staleAfter;
  }

  /**
   * Refuses to decide under rules that this program does not know.
   *
   * @throws ParleyException REFUSED
   */
  public void checkRules() {
    if (rules.number() > RULES) {
      throw ParleyException.refused(
          "unknown-rules", Json.object().put("rules", rules.number()).put("known", RULES));
    }
  }

  @Override
  public Json save() {
    Json.ObjectBuilder json = Json.object();
    if (byClock && rules.number() < OF_BOOT_CLOCK) {
      json.put("byClock", true);
    }
    return json.put("time", time.save())
        .put("roster", roster.save())
        .put("leases", leases.save())
        .put("tasks", tasks.save())
        .put("done", tasks.saveDone())
        .put("waits", waits.save())
        .put("boards", boards.save())
        .put("rules", rules.number())
        .put("rulesSaid", rules.save())
        .put("staleAfter", staleAfter.toSeconds())
        .put("staleAfterAt", staleAfterAt)
        .put("limits", bounds.save())
        .put("limitsAt", limitsAt)
        .build();
  }

  private static Ledger load(Fields saved) {
    Ledger ledger =
        new Ledger(
            FoldTime.load(saved.object("time")),
            Roster.load(saved.object("roster")),
            Leases.load(saved.object("leases")),
            Tasks.load(saved.items("tasks"), saved.object("done")),
            Waits.load(saved.json("waits")),
            Boards.load(saved.object("boards")));
    ledger.rules.load(saved.items("rulesSaid"));
    ledger.staleAfterAt = saved.number("staleAfterAt", 0);
    ledger.limitsAt = saved.number("limitsAt", 0);
    ledger.byClock = saved.flag("byClock") || ledger.rules.number() >= OF_BOOT_CLOCK;
    ledger.bounds.follow(ledger.rules.number());
    ledger.bounds.set(saved.object("limits"));
    ledger.staleAfter = Duration.ofSeconds(saved.number("staleAfter", STALE_AFTER.toSeconds()));
    return ledger;
  }
}

package dev.parley.coordination.ledger;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.Boards;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseRules;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Roster;
import dev.parley.coordination.task.HeldTask;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskRules;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.wait.Target;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.coordination.wait.Waits;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the ledger: time, rules, roster, leases, tasks, waits and boards.
 *
 * <p>Each native envelope has three effects, in this order: the time moves, everything whose time
 * is over ends, and the envelope itself takes effect. Requests of a session that has ended or was
 * superseded are refused. Foreign envelopes and unknown types are ignored. Under rules that this
 * program does not know it reads on, but {@link #checkRules} refuses every request.
 */
public final class Ledger implements Fold {
  public static final Topic TOPIC = new Topic("ledger");

  /** The newest rules that this program knows. */
  public static final long RULES = 4;

  /** The shortest duration of anything that ends by time. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  /** How long a session may be silent before its name is free. */
  public static final Duration STALE_AFTER = Duration.ofMinutes(10);

  /** How long a task's owner may be silent before its claim ends; from rules 3 on. */
  public static final Duration CLAIM_AFTER = Duration.ofMinutes(30);

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

  private final LedgerSettings settings = new LedgerSettings();
  private final LeaseRules leaseRules;
  private final TaskRules taskRules;
  private final TaskClaims claims;
  private final WaitRules waitRules;

  /**
   * Whether the boot clock drives the time. This stays so even if the line with the rules is
   * undone.
   */
  private boolean byClock;

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
    this.leaseRules = new LeaseRules(leases);
    this.taskRules = new TaskRules(tasks);
    this.claims =
        new TaskClaims(time, roster, leases, leaseRules, tasks, taskRules, graph, settings);
    this.waitRules = new WaitRules(time, leases, tasks, taskRules, waits, boards, graph, settings);
    leases.endAsSaidBy(claims::endOf);
    leases.keepFor(claims::filesOf);
  }

  /** How the ledger is folded. */
  public static final Fold.Kind<Ledger> KIND =
      new Fold.Kind<>() {
        @Override
        public String view() {
          return "ledger-8";
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
      outcome = LedgerTypes.isDecided(envelope.type()) ? outdated() : outcome;
      return;
    }
    moveBack(byClock ? time.follow(envelope, this::endsNothingOfOthers) : time.see(envelope));
    if (envelope.type().equals(LedgerTypes.RULES)) {
      settings.set(Fields.of(envelope.payload()), envelope.position().value());
      claims.forgetSilence();
      if (!byClock && settings.areOfBootClock()) {
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
    if (now != null && settings.rules() <= RULES) {
      Request request = Request.of(envelope, after, now);
      boolean accepts = request.type().equals(LeaseTypes.ACCEPT);
      pass(request.position(), now, accepts ? request.payload().number("request", 0) : 0);
      String before = roster.session(request.name());
      roster.apply(request, settings.staleAfter(), settings.areOfDailyUse());
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

  /** Moves all times back with the ledger's time, so that every remaining duration is kept. */
  private void moveBack(Duration by) {
    if (by.isPositive()) {
      claims.forgetSilence();
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

  /** The code of the refusal when the request's clock is from a boot that is over. */
  static final String OUTDATED = "earlier-boot";

  private boolean endsNothingOfOthers(Instant to, String agent) {
    return leases.all().stream()
            .allMatch(lease -> isSpared(lease.holder(), agent, lease.until(), to))
        && leases.waiters().stream()
            .allMatch(waiter -> isSpared(waiter.terms().name(), agent, waiter.end(), to))
        && waits.all().stream().allMatch(wait -> isSpared(wait.name(), agent, wait.until(), to))
        && boards.all().stream()
            .allMatch(meeting -> isSpared("", agent, meeting.stage().ends(), to))
        && tasks.owners().stream()
            .flatMap(session -> tasks.of(session).stream())
            .allMatch(task -> isSpared(task.owner(), agent, claims.endOfClaim(task), to));
  }

  private static boolean isSpared(
      @Nullable String owner, String agent, @Nullable Instant end, Instant to) {
    return agent.equals(owner) || end == null || end.isAfter(to);
  }

  /** Ends what is over by now. */
  private void pass(long position, Instant now, long spared) {
    claims.pass(now);
    leases.pass(time, spared);
    boards.pass(time, position);
    waitRules.pass();
  }

  private void end(String session, String why, Instant now) {
    leases.endSession(session);
    waits.endSession(session);
    claims.endAll(session, why, now);
  }

  private Outcome decide(Request request) {
    if (request.type().equals(LedgerTypes.JOIN)) {
      return roster.owns(request.name(), request.session()) ? Outcome.none() : nameTaken(request);
    }
    if (!LedgerTypes.isDecided(request.type())) {
      return Outcome.none();
    }
    if (!roster.owns(request.name(), request.session())) {
      return Outcome.refused("session-ended", Json.object().put("name", request.name()));
    }
    if (settings.areOfBootClock()
        && !StoredTimes.later(request.now(), LEAST).isAfter(request.now())) {
      return Outcome.refused("end-of-time");
    }
    return switch (request.type()) {
      case LeaseTypes.REQUEST ->
          leaseRules.request(
              request,
              settings.cover(),
              settings.limits(),
              toward -> graph.cycle(request.name(), toward));
      case LeaseTypes.ACCEPT -> leaseRules.accept(request);
      case LeaseTypes.RENEW -> leaseRules.renew(request);
      case LeaseTypes.RELEASE -> leaseRules.release(request);
      case LeaseTypes.CANCEL -> leaseRules.cancel(request);
      case LeaseTypes.BREAK -> leaseRules.breakOff(request);
      case LeaseTypes.REPORT -> {
        waitRules.leaseReported();
        yield leaseRules.report(request, settings.limits());
      }
      case TaskTypes.ADD -> taskRules.add(request, settings.limits(), waitRules::cycleOfPlan);
      case TaskTypes.CLAIM -> claims.claim(request);
      case TaskTypes.NEXT -> claims.next(request);
      case TaskTypes.PROGRESS -> taskRules.progress(request);
      case TaskTypes.BLOCK -> waitRules.block(request);
      case TaskTypes.DONE -> claims.ending(request, taskRules.done(request));
      case TaskTypes.FAIL -> claims.ending(request, taskRules.fail(request));
      case TaskTypes.RELEASE -> claims.ending(request, taskRules.release(request));
      case TaskTypes.RETRY -> taskRules.retry(request);
      case TaskTypes.CANCEL -> claims.cancel(request);
      case WaitTypes.BEGIN, WaitTypes.REPORT -> waitRules.begin(request);
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
            .put("staleAfter", settings.staleAfter().toSeconds()));
  }

  /** The code of the refusal when another session has the name. */
  static final String NAME_TAKEN = "name-taken";

  /** Takes back the effect of a line; false if it had none that is still there. */
  private boolean undo(long position, String reason, Instant now) {
    boolean undone = settings.undo(position);
    claims.forgetSilence();
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
      taskRules.undoClaim(claimed, reason, now);
      claims.endLeases(session, claimed.id());
    }
    Task added = tasks.addedAt(position);
    if (added != null) {
      taskRules.undo(added, reason, now);
      claims.endLeases(added.session(), added.id());
    }
    return undone || claimed != null || added != null;
  }

  /** All that lines change. */
  List<Object> parts() {
    return List.of(this, time, roster, leases, tasks, waits, boards, graph, limits());
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

  /** When the next claim ends unless its owner writes something; null if there is no claim. */
  public @Nullable Instant nextEndOfAClaim() {
    return claims.nextEnd();
  }

  /** When the next claim, lease or phase of a board ends by time alone. */
  @Nullable Instant nextEnd() {
    Instant next = TaskClaims.earlier(claims.nextEnd(), leases.firstEnd());
    for (BoardSession meeting : boards.all()) {
      next = TaskClaims.earlier(next, meeting.phase().isDecided() ? null : meeting.stage().ends());
    }
    return next;
  }

  /** When the claim of a task ends unless its owner writes something; null if nobody owns it. */
  public @Nullable Instant endOfClaim(Task task) {
    return task.state().hasOwner() ? claims.endOfClaim(task) : null;
  }

  /** When a lease ends unless it is renewed. */
  public Instant endOf(Lease lease) {
    return claims.endOf(lease);
  }

  /**
   * The task that an agent would get now; null if there is none for it.
   *
   * @param but tasks to pass over
   * @param held receives the tasks that were passed over because others hold their files
   */
  public @Nullable Task nextFor(Claimant who, Set<String> but, List<HeldTask> held) {
    return claims.nextFor(who, but, held);
  }

  /** The cover of a lease that does not name one. */
  public LeaseScope cover() {
    return settings.cover();
  }

  /** How long the owner of a task may be silent before its claim ends. */
  public Duration claimAfter() {
    return settings.claimAfter();
  }

  /** The decision about the last envelope. */
  public Outcome outcome() {
    return outcome;
  }

  /** The rules in force; 0 if no line has set any. */
  public long rules() {
    return settings.rules();
  }

  /** The position of the line that put these rules in force; 0 if no line has set any. */
  public long rulesAt() {
    return settings.rulesAt();
  }

  public LedgerLimits limits() {
    return settings.limits();
  }

  public Duration staleAfter() {
    return settings.staleAfter();
  }

  /**
   * Refuses to decide under rules that this program does not know.
   *
   * @throws ParleyException REFUSED
   */
  public void checkRules() {
    if (settings.rules() > RULES) {
      throw ParleyException.refused(
          "unknown-rules", Json.object().put("rules", settings.rules()).put("known", RULES));
    }
  }

  @Override
  public Json save() {
    Json.ObjectBuilder json = Json.object();
    if (byClock && !settings.areOfBootClock()) {
      json.put("byClock", true);
    }
    settings.saveOptional(json);
    json.put("time", time.save())
        .put("roster", roster.save())
        .put("leases", leases.save())
        .put("tasks", tasks.save())
        .put("done", tasks.saveDone())
        .put("waits", waits.save())
        .put("boards", boards.save());
    settings.save(json);
    return json.build();
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
    ledger.settings.load(saved);
    ledger.byClock = saved.flag("byClock") || ledger.settings.areOfBootClock();
    return ledger;
  }
}

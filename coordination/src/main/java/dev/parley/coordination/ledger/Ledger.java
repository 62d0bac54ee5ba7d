package dev.parley.coordination.ledger;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.Boards;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.lease.Cover;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Roster;
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
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
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

  /** How long the owner of a task may be silent before its claim ends: from rules 3 on. */
  public static final Duration CLAIM_AFTER = Duration.ofMinutes(30);

  /** How many tasks whose files are held one request for the next looks at, and names. */
  private static final int MOST_LOOKED_AT = 1_000;

  private static final int MOST_NAMED = 16;

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

  private final LedgerLimits bounds = new LedgerLimits();

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

  private Duration claimAfter = CLAIM_AFTER;
  private long claimAfterAt;

  /** Where leases are meant that do not say it. */
  private Cover usualCover = Cover.REPOSITORY;

  private long usualCoverAt;

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
    leases.endAsSaidBy(this::endOf);
  }

  /** How the ledger is folded. */
  public static final Fold.Kind<Ledger> KIND =
      new Fold.Kind<>() {
        @Override
        public String view() {
          return "ledger-7";
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
      roster.apply(request, staleAfter, isOfDailyUse());
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
            .allMatch(waiter -> isSpared(waiter.terms().name(), agent, waiter.end(), to))
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
    Duration silence = claimAfter();
    Instant earliest = now.plus(silence);
    for (String session : tasks.owners()) {
      String name = tasks.of(session).getFirst().owner();
      Member owner = name == null ? null : roster.member(name);
      if (owner == null) {
        continue;
      }
      Instant silent = owner.heard().plus(silence);
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
        && !StoredTimes.later(request.now(), LEAST).isAfter(request.now())) {
      return Outcome.refused("end-of-time");
    }
    return switch (request.type()) {
      case LeaseTypes.REQUEST ->
          leases.request(request, cover(), bounds, toward -> graph.cycle(request.name(), toward));
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
      case TaskTypes.CLAIM -> claim(request);
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

  private Outcome claim(Request request) {
    Claimant who = Claimant.of(request);
    Outcome outcome =
        tasks.claim(
            request,
            task -> graph.cycleOfClaim(request.name(), task),
            task -> refusalOfFiles(who, task));
    return withFiles(request, who, outcome, List.of());
  }

  private Outcome next(Request request) {
    Claimant who = Claimant.of(request);
    List<Json> held = new ArrayList<>();
    Task first = nextFor(who, Set.of(), held);
    return withFiles(request, who, tasks.next(request, first, held), held);
  }

  /**
   * The task that an agent gets who asks for the next now; null if there is none for it.
   *
   * @param but those that are passed over
   * @param held takes those that it would get, but others hold their files
   */
  public @Nullable Task nextFor(Claimant who, Set<String> but, List<Json> held) {
    Member member = roster.member(who.name());
    List<String> abilities = new ArrayList<>(who.can());
    abilities.addAll(member == null ? List.of() : member.can());
    int looked = 0;
    for (Task task : tasks.ready()) {
      if (but.contains(task.id())
          || !abilities.containsAll(task.plan().needs())
          || graph.cycleOfClaim(who.name(), task.id()) != null) {
        continue;
      }
      Outcome refusal = refusalOfFiles(who, task);
      if (refusal == null) {
        return task;
      }
      if (held.size() < MOST_NAMED && refusal instanceof Outcome.Refused refused) {
        held.add(held(task, refused));
      }
      if (++looked == MOST_LOOKED_AT) {
        break; // so that no line takes long to fold
      }
    }
    return null;
  }

  private static Json held(Task task, Outcome.Refused why) {
    Fields details = Fields.of(why.details());
    Json.ObjectBuilder json = Json.object().put("task", task.id()).put("why", why.code());
    String holder = details.text("holder");
    return holder == null
        ? json.build()
        : json.put("holder", holder).put("paths", Json.ofStrings(details.texts("paths"))).build();
  }

  /** What keeps somebody from the files of a task; null if nothing does. */
  private @Nullable Outcome refusalOfFiles(Claimant who, Task task) {
    LeaseTerms files = isOfDailyUse() ? who.files(task, cover()) : null;
    if (files == null) {
      return null;
    }
    if (!LeaseTerms.isFit(files.paths())) {
      return Outcome.refused("bad-paths", Json.object().put("task", task.id()));
    }
    Outcome refused = leases.refusalOfClaim(files, bounds);
    return refused instanceof Outcome.Refused why
        ? Outcome.refused(why.code(), copy(why.details()).put("forTask", task.id()))
        : refused;
  }

  /** Takes the files of a task that was just claimed, and says until when it is claimed. */
  private Outcome withFiles(Request request, Claimant who, Outcome outcome, List<Json> held) {
    if (!isOfDailyUse() || !(outcome instanceof Outcome.Accepted accepted)) {
      return outcome;
    }
    Json.ObjectBuilder what = copy(accepted.what());
    Task task = tasks.task(Fields.of(accepted.what()).text("task", ""));
    if (task != null) {
      LeaseTerms files = who.files(task, cover());
      boolean begins = task.claim().token() == request.position();
      if (begins && who.takesFiles()) {
        leases.keepForClaim(request.session(), task.id(), request.now());
      }
      if (begins && files != null) {
        leases.takeForClaim(request.position(), files, request.now());
        what.put("files", PathPattern.texts(files.paths()));
      }
      Instant until = endOfClaim(task);
      if (until != null) {
        what.put("until", Timestamps.format(until));
      }
    }
    if (!held.isEmpty()) {
      what.put("held", Json.of(held));
    }
    return Outcome.accepted(what);
  }

  private static Json.ObjectBuilder copy(Json object) {
    Json.ObjectBuilder copy = Json.object();
    object.fields().forEach(copy::put);
    return copy;
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
    Outcome refused = bounds.refusal(LedgerLimit.WAITS, waits.size() + 1L);
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
    long claims = payload.number("claimAfter", -1);
    if (claims >= LEAST_STALE.toSeconds() && claims <= MOST_STALE.toSeconds()) {
      claimAfter = Duration.ofSeconds(claims);
      claimAfterAt = position;
      nobodySilentBefore = null;
    }
    Cover cover = Cover.named(payload.text("leases"));
    if (cover != null) {
      usualCover = cover;
      usualCoverAt = position;
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
    if (claimAfterAt == position) {
      claimAfter = CLAIM_AFTER;
      claimAfterAt = 0;
      nobodySilentBefore = null;
      undone = true;
    }
    if (usualCoverAt == position) {
      usualCover = Cover.REPOSITORY;
      usualCoverAt = 0;
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

  /** When the next thing is over by time alone: a claim, a lease, a phase of a board. */
  @Nullable Instant nextEnd() {
    Instant next = earlier(nextEndOfAClaim(), leases.firstEnd());
    for (BoardSession meeting : boards.all()) {
      next = earlier(next, meeting.phase().isDecided() ? null : meeting.stage().ends());
    }
    return next;
  }

  private @Nullable Instant endOfClaim(Task task) {
    Member owner = task.owner() == null ? null : roster.member(task.owner());
    return earlier(owner == null ? null : owner.heard().plus(claimAfter()), task.claim().until());
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }

  /** When a lease ends unless something is said. */
  public Instant endOf(Lease lease) {
    String id = lease.terms().task();
    Task task = lease.ofClaim() && id != null ? tasks.task(id) : null;
    Instant end = task == null ? null : endOfClaim(task);
    return end == null ? lease.until() : end;
  }

  /** When a claim ends unless something is said; null if it is none. */
  public @Nullable Instant endOf(Task task) {
    return task.state().hasOwner() ? endOfClaim(task) : null;
  }

  private boolean isOfDailyUse() {
    return rules.number() >= OF_DAILY_USE;
  }

  /** In which working trees a lease is meant that does not say it. */
  public Cover cover() {
    return isOfDailyUse() ? usualCover : Cover.TREE;
  }

  /** How long the owner of a task may be silent before its claim ends. */
  public Duration claimAfter() {
    return isOfDailyUse() ? claimAfter : staleAfter;
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
    if (claimAfterAt != 0) {
      json.put("claimAfter", claimAfter.toSeconds()).put("claimAfterAt", claimAfterAt);
    }
    if (usualCoverAt != 0) {
      json.put("leasesCover", usualCover.word()).put("leasesCoverAt", usualCoverAt);
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
    ledger.claimAfter = Duration.ofSeconds(saved.number("claimAfter", CLAIM_AFTER.toSeconds()));
    ledger.claimAfterAt = saved.number("claimAfterAt", 0);
    Cover cover = Cover.named(saved.text("leasesCover"));
    ledger.usualCover = cover == null ? Cover.REPOSITORY : cover;
    ledger.usualCoverAt = saved.number("leasesCoverAt", 0);
    ledger.byClock = saved.flag("byClock") || ledger.rules.number() >= OF_BOOT_CLOCK;
    ledger.bounds.follow(ledger.rules.number());
    ledger.bounds.set(saved.object("limits"));
    ledger.staleAfter = Duration.ofSeconds(saved.number("staleAfter", STALE_AFTER.toSeconds()));
    return ledger;
  }
}

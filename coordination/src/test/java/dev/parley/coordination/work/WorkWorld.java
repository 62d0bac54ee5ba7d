package dev.parley.coordination.work;

import dev.parley.coordination.Simulation;
import dev.parley.coordination.Simulation.Violation;
import dev.parley.coordination.Team;
import dev.parley.coordination.WorldClocks;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.QueuedRequest;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.ledger.Sessions.Profile;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.testing.UnreliableLog;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A few agents who share paths and tasks, with clocks and troubles of their own. */
final class WorkWorld implements Simulation.World {
  private static final List<String> NAMES = List.of("ann", "ben", "cid", "dan");
  private static final List<String> PATTERNS = List.of("a", "b", "src/", "src/*", "**/x", "{a,b}");
  private static final List<String> PATHS = List.of("a", "b", "src", "src/x", "a/x", "b/x", "x");
  private static final List<String> TARGETS = List.of("task:t1", "task:t2", "path:a", "path:src/");

  /**
   * Who reports for another tool what its workers hold: nobody can refuse that, and it waits for
   * nothing.
   */
  private static final String REPORTER = "tool";

  private static final Instant BAD_STAMP = Instant.parse("2099-01-01T00:00:00Z");
  private static final Reporter QUIET = report -> {};

  /** What is refused to those who come second, ask for nonsense or were away for too long. */
  private static final Set<String> EXPECTED =
      Set.of(
          "held",
          "would-deadlock",
          "not-held",
          "not-offered",
          "not-waiting",
          "no-reason",
          "claimed",
          "not-ready",
          "over",
          "not-yours",
          "no-retry",
          "nothing-ready",
          "unknown-task",
          "unknown-target",
          "task-exists",
          "task-cycle",
          "name-taken");

  private static final class Agent {
    final String name;
    Team team;
    Session session;
    Duration skew = Duration.ZERO;
    int paused;

    /** Positions of requests that it waits with. */
    final List<Long> inLine = new ArrayList<>();

    Agent(String name) {
      this.name = name;
    }

    Locks locks() {
      return team.locks(session);
    }

    TaskList tasks() {
      return team.tasks(session);
    }
  }

  private final WorldClocks clocks;
  private Instant latestClock;
  private boolean badStamp;
  private boolean hadBadStamp;
  private Agent current;
  private final boolean reports;
  private final MemoryLog memory;
  private final UnreliableLog log;
  private final List<Agent> agents = new ArrayList<>();
  private final List<Session> zombies = new ArrayList<>();
  private final WorkWatcher watcher = new WorkWatcher(PATHS);

  /** How many sessions were begun: their secrets are counted, so a world can be repeated. */
  private int sessions;

  WorkWorld(Random random) {
    clocks = new WorldClocks(random);
    latestClock = clocks.time();
    memory = new MemoryLog(Limits.DEFAULT, this::stamp, clocks, QUIET);
    log = new UnreliableLog(memory);
    // In some worlds other tools report waits that nobody could refuse, in others leases.
    reports = random.nextInt(4) == 0;
    List<String> names = new ArrayList<>(NAMES);
    if (random.nextInt(3) == 0) {
      names.add(REPORTER);
    }
    for (String name : names) {
      Agent agent = new Agent(name);
      agent.team = newTeam();
      agent.skew = Duration.ofSeconds(random.nextInt(241) - 120L);
      agents.add(agent);
    }
    current = agents.getFirst();
    for (Agent agent : agents) {
      current = agent;
      join(agent);
    }
  }

  WorkWatcher watcher() {
    return watcher;
  }

  private Team newTeam() {
    return new Team(log, Views.inMemory(), QUIET, this::clock);
  }

  /** The clock of whoever's turn it is. */
  private Instant clock() {
    return clocks.time().plus(current.skew);
  }

  /** What the log stamps lines with. */
  private Instant stamp() {
    if (badStamp) {
      badStamp = false;
      return BAD_STAMP;
    }
    return clock();
  }

  private void noteClocks() {
    for (Agent agent : agents) {
      Instant clock = clocks.time().plus(agent.skew);
      latestClock = clock.isAfter(latestClock) ? clock : latestClock;
    }
  }

  @Override
  public void turn(Random random) throws InterruptedException {
    pass(random);
    current = agents.get(random.nextInt(agents.size()));
    trouble(random);
    if (current.paused > 0) {
      current.paused--;
      return;
    }
    if (random.nextInt(16) == 0) {
      log.crashAfter(random.nextInt(3), random.nextBoolean());
    }
    attempt(() -> act(current, random));
    watch();
  }

  private interface Deed {
    void happens() throws InterruptedException;
  }

  private void attempt(Deed deed) throws InterruptedException {
    try {
      deed.happens();
    } catch (UnreliableLog.Crash e) {
      restart(current, current.name.hashCode() % 2 == 0);
    } catch (ParleyException e) {
      if (e.code().equals("session-ended")) {
        forget(current);
      } else if (!EXPECTED.contains(e.code())) {
        throw e;
      }
    } finally {
      log.calm();
    }
  }

  private void pass(Random random) {
    clocks.pass(
        Duration.ofMillis(
            switch (random.nextInt(40)) {
              case 0 -> random.nextInt(3_600_000);
              case 1, 2 -> random.nextInt(400_000);
              default -> random.nextInt(2_000);
            }));
    if (random.nextInt(100) == 0) {
      clocks.reboot(Duration.ofSeconds(random.nextInt(3600)));
      agents.forEach(agent -> restart(agent, false));
    }
    noteClocks();
  }

  private void trouble(Random random) {
    switch (random.nextInt(60)) {
      case 0 -> current.skew = clocks.skew(random);
      case 6 -> settings(random);
      case 1 -> current.skew = Duration.ofSeconds(random.nextInt(20) - 10L);
      case 2 -> current.paused = random.nextInt(8);
      case 3 -> restart(current, false);
      case 4 -> restart(current, true);
      case 5 -> undo(random);
      default -> {
        // All is well.
      }
    }
    if (!hadBadStamp && random.nextInt(20) == 0) {
      badStamp = true;
      hadBadStamp = true; // against two that agree on a wrong time there is no help
    }
    noteClocks();
  }

  /** A person sets something else. */
  private void settings(Random random) {
    Json.ObjectBuilder settings = Json.object().put("rules", Ledger.RULES);
    if (random.nextBoolean()) {
      settings.put("leases", any(random, List.of(LeaseScope.values())).word());
    } else {
      settings.put("claimAfter", 60 + random.nextInt(3600));
    }
    var _ =
        memory.append(
            Ledger.TOPIC, List.of(Message.of("person", "rules", settings.build()).withClock()));
  }

  /** A person takes back what one of the last lines did, whichever it was. */
  private void undo(Random random) {
    long line = Math.max(1, watcher.position() - random.nextInt(30));
    Json payload =
        Json.object()
            .put("positions", Json.of(List.of(Json.of(line))))
            .put("reason", "not ours")
            .build();
    var _ = memory.append(Ledger.TOPIC, List.of(Message.of("person", "undo", payload)));
  }

  /** A new process, which has the token of its session unless that is lost. */
  private void restart(Agent agent, boolean loseToken) {
    agent.team = newTeam();
    agent.inLine.clear();
    if (loseToken) {
      forget(agent);
    }
  }

  private void forget(Agent agent) {
    if (agent.session != null) {
      zombies.add(agent.session);
    }
    agent.session = null;
    agent.inLine.clear();
  }

  private void join(Agent agent) {
    Session session = new Session(agent.name, "secret" + ++sessions);
    Profile profile = new Profile(null, agent.name.equals("ann") ? List.of("java") : List.of());
    var _ = agent.team.sessions().join(session, profile);
    agent.session = session;
  }

  private void act(Agent agent, Random random) throws InterruptedException {
    if (agent.session == null) {
      join(agent);
      return;
    }
    if (agent.name.equals(REPORTER)) {
      report(agent, random);
      return;
    }
    switch (random.nextInt(20)) {
      case 0, 1, 2 -> told(agent, agent.locks().lock(wanted(random)).token());
      case 3, 4, 5 -> lineUp(agent, wanted(random), 1 + random.nextInt(900));
      case 6, 7, 8 -> look(agent);
      case 9 -> endALease(agent, random);
      case 10, 11, 12, 13 -> aboutATask(agent, random);
      case 14, 15, 16 -> waitFor(agent, random);
      case 17 -> cancelOne(agent);
      case 18 -> leaveOrSay(agent, random);
      default -> zombie(random);
    }
  }

  private void report(Agent agent, Random random) {
    if (random.nextInt(3) > 0) {
      Outcome outcome =
          agent.team.ledger().ask(agent.session, LeaseTypes.REPORT, wanted(random).write());
      told(agent, ((Grant) RefusedException.check(outcome)).token());
    } else {
      endALease(agent, random);
    }
  }

  private static <T> T any(Random random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static LockRequest wanted(Random random) {
    String one = any(random, PATTERNS);
    LockRequest wanted =
        random.nextInt(3) == 0 ? LockRequest.of(one, any(random, PATTERNS)) : LockRequest.of(one);
    return wanted
        .shared(random.nextInt(3) == 0)
        .in(tree(random), false)
        .covering(cover(random))
        .lasting(Duration.ofSeconds(1 + random.nextInt(random.nextBoolean() ? 20 : 1200)))
        .forTask(random.nextInt(4) == 0 ? "t" + random.nextInt(4) : null);
  }

  private static String tree(Random random) {
    return random.nextInt(5) == 0 ? "tree" : "";
  }

  /** Half of them say nothing, and mean what the bus says. */
  private static @Nullable LeaseScope cover(Random random) {
    return random.nextBoolean() ? null : any(random, List.of(LeaseScope.values()));
  }

  private void told(Agent agent, long token) {
    watch();
    watcher.told(agent.session.id(), token);
  }

  /** As a process does that then waits: {@link #look} is what it does when the bell rings. */
  private void lineUp(Agent agent, LockRequest wanted, int seconds) {
    Outcome outcome =
        agent
            .team
            .ledger()
            .ask(agent.session, LeaseTypes.REQUEST, wanted.write().put("wait", seconds));
    Outcome.Accepted accepted = RefusedException.check(outcome);
    if (accepted instanceof QueuedRequest queued) {
      agent.inLine.add(queued.position());
    } else {
      told(agent, ((Grant) accepted).token());
    }
  }

  /** Looks at its places in lines; gives back whether one of them came to a lease. */
  private boolean look(Agent agent) throws InterruptedException {
    boolean granted = false;
    for (long request : List.copyOf(agent.inLine)) {
      Locks.Turn turn =
          agent.team.ledger().await(agent.session, Duration.ZERO, new Locks.InLine(request));
      if (turn != null) {
        agent.inLine.remove(request);
      }
      if (turn == Locks.Turn.OFFERED) {
        Json.ObjectBuilder accept = Json.object().put("request", request);
        Outcome outcome = agent.team.ledger().ask(agent.session, LeaseTypes.ACCEPT, accept);
        if (outcome instanceof Outcome.Accepted accepted) {
          told(agent, Fields.of(accepted.what()).number("token", 0));
          granted = true;
        }
      }
    }
    return granted;
  }

  private void endALease(Agent agent, Random random) {
    List<Lease> all = List.copyOf(watcher.ledger().leases().all());
    if (all.isEmpty()) {
      return;
    }
    Lease lease = any(random, all);
    boolean own = lease.terms().session().equals(agent.session.id());
    switch (random.nextInt(own ? 4 : 8)) {
      case 0 -> agent.locks().renew(lease.token(), null);
      case 1 -> agent.locks().release(lease.token(), List.of(lease.paths().getFirst().toString()));
      case 2 -> agent.locks().release(lease.token());
      case 3 -> agent.locks().breakOff(lease.token(), "it is in the way");
      default -> {
        // It is another's, and stays so.
      }
    }
  }

  private void aboutATask(Agent agent, Random random) {
    String id = "t" + random.nextInt(4);
    TaskList tasks = agent.tasks();
    Terms terms =
        (random.nextBoolean() ? Terms.NONE : new Terms(List.of(), Duration.ofSeconds(60)))
            .in(tree(random), cover(random))
            .takingFiles(random.nextInt(5) > 0);
    switch (random.nextInt(13)) {
      case 0, 1, 2 -> tasks.add(plan(id, random), random.nextBoolean());
      case 3, 4 -> tasks.claim(id, terms);
      case 5, 6 -> tasks.next(terms);
      case 7 -> tasks.progress(id, random.nextInt(100), null);
      case 8 -> tasks.block(id, any(random, random.nextBoolean() ? NAMES : TARGETS), null);
      case 9 -> tasks.done(id, null, List.of(), null);
      case 10 -> tasks.fail(id, "why", random.nextBoolean());
      case 11 -> tasks.release(id, null);
      default -> {
        if (random.nextInt(4) == 0) {
          tasks.cancel(id, "not needed");
        } else {
          tasks.retry(id);
        }
      }
    }
  }

  private static Plan plan(String id, Random random) {
    List<String> after = random.nextInt(3) == 0 ? List.of("t" + random.nextInt(4)) : List.of();
    List<String> needs = random.nextInt(6) == 0 ? List.of("java") : List.of();
    int tries = 1 + random.nextInt(3);
    List<String> files =
        random.nextBoolean() ? List.of() : List.of(any(random, PATTERNS), any(random, PATTERNS));
    return new Plan(id, "", "", after, List.of(), files, needs, any(random, PRIORITIES), tries);
  }

  private static final List<Priority> PRIORITIES = List.of(Priority.values());

  private void waitFor(Agent agent, Random random) {
    String target = any(random, random.nextBoolean() ? NAMES : TARGETS);
    if (reports && random.nextInt(3) == 0) {
      Json.ObjectBuilder payload = Json.object().put("for", target);
      var _ =
          RefusedException.check(agent.team.ledger().ask(agent.session, WaitTypes.REPORT, payload));
    } else {
      WaitService waiting = agent.team.waits(agent.session);
      long begun = waiting.begin(target, "", null, Duration.ofSeconds(random.nextInt(3600)));
      if (random.nextInt(6) == 0) {
        waiting.end(begun);
      }
    }
  }

  private static void cancelOne(Agent agent) {
    if (!agent.inLine.isEmpty()) {
      Json.ObjectBuilder payload = Json.object().put("request", agent.inLine.removeFirst());
      var _ = agent.team.ledger().ask(agent.session, LeaseTypes.CANCEL, payload);
    }
  }

  private void leaveOrSay(Agent agent, Random random) {
    if (random.nextInt(3) == 0) {
      agent.team.sessions().leave(agent.session, null);
      forget(agent);
    } else {
      var _ = agent.team.sessions().heartbeat(agent.session, Beat.ALIVE);
    }
  }

  /** A session that nobody knows of any more, but whose process does not know that, comes back. */
  private void zombie(Random random) {
    if (zombies.isEmpty()) {
      return;
    }
    Session zombie = any(random, zombies);
    watch();
    boolean ended = !watcher.ledger().roster().owns(zombie.name(), zombie.id());
    try {
      var _ = current.team.locks(zombie).lock(LockRequest.of("x").lasting(Duration.ofSeconds(1)));
    } catch (ParleyException e) {
      return;
    }
    if (ended) {
      throw new Violation("a session that ended has nothing", zombie + " took x");
    }
  }

  private void watch() {
    List<Envelope> lines =
        memory
            .read(
                Ledger.TOPIC,
                memory.bookmark(Ledger.TOPIC, new Position(watcher.position())),
                1 << 20)
            .envelopes();
    lines.forEach(line -> watcher.see(line, ledger -> clocks.latest(ledger.time(), latestClock)));
  }

  /**
   * Half of them never come back. The others, with true clocks now, wait for all paths and want to
   * do all tasks; the time goes on, and all of it must come to them.
   */
  @Override
  public void settle() throws InterruptedException {
    badStamp = false;
    agents.forEach(agent -> agent.skew = Duration.ZERO);
    Duration until = Duration.between(clocks.time(), latestClock);
    clocks.pass((clocks.hasBootClock() ? Duration.ZERO : until).plusSeconds(1));
    noteClocks();
    List<Agent> live = agents.subList(0, 2);
    for (Agent agent : live) {
      current = agent;
      agent.paused = 0;
      attempt(() -> comeBack(agent));
    }
    // Every lease and every wait of these worlds is over by then, and whoever is dead is stale.
    for (int minutes = 0; minutes < 80 && !(goOn(live) && forgotten().isEmpty()); minutes++) {
      for (Agent agent : live) {
        current = agent;
        attempt(() -> workOff(agent));
      }
      watch();
      clocks.pass(Duration.ofMinutes(1));
      noteClocks();
    }
    if (!goOn(live)) {
      throw new Violation("every live waiter goes on in the end", live.getLast().inLine.toString());
    }
    if (!forgotten().isEmpty()) {
      throw new Violation("no task is forgotten", forgotten().toString());
    }
  }

  private static boolean goOn(List<Agent> live) {
    return live.stream().allMatch(agent -> agent.session != null && agent.inLine.isEmpty());
  }

  private void comeBack(Agent agent) throws InterruptedException {
    if (agent.session == null) {
      join(agent);
    }
    agent.inLine.clear();
    var _ = agent.locks().releaseAll();
    lineUp(agent, LockRequest.of("**"), (int) Waiter.MOST_WAIT.toSeconds());
  }

  private void workOff(Agent agent) throws InterruptedException {
    if (agent.session == null) {
      comeBack(agent);
    }
    if (look(agent)) {
      var _ = agent.locks().releaseAll();
    }
    for (Task task : watcher.ledger().tasks().all()) {
      if (agent.session.id().equals(task.session())) {
        agent.tasks().done(task.id(), null, List.of(), null);
      } else if (task.canBeRetried()) {
        agent.tasks().retry(task.id());
      }
    }
    TaskList.Ready ready = new TaskList.Ready(Terms.NONE.of(agent.session));
    if (agent.team.ledger().await(agent.session, Duration.ZERO, ready) != null) {
      var _ = agent.tasks().next(Terms.NONE);
    }
  }

  /** What is not over, though all that it depends on was added, or waits for that itself. */
  private List<Task> forgotten() {
    Tasks tasks = watcher.ledger().tasks();
    return tasks.all().stream()
        .filter(task -> !task.state().isOver() || task.canBeRetried())
        .filter(task ->
            task.state() != TaskState.PENDING
                || !tasks.missing(task).stream().allMatch(this::isNotAdded))
        .toList();
  }

  private boolean isNotAdded(String id) {
    Task task = watcher.ledger().tasks().task(id);
    return task == null || task.state() == TaskState.PENDING;
  }

  @Override
  public String wholeLog() {
    return memory.read(Ledger.TOPIC, Bookmark.START, 1 << 20).envelopes().stream()
        .map(line -> line.position().value() + " " + line)
        .collect(Collectors.joining("\n"));
  }
}

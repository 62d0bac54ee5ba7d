package dev.parley.coordination.work;

import dev.parley.coordination.Simulation;
import dev.parley.coordination.Simulation.Violation;
import dev.parley.coordination.Team;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions.Profile;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.Bookmark;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Views;
import dev.parley.core.time.BootClock;
import dev.parley.core.time.BootTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A few sessions on one machine that take turns with one path. All their wall clocks are wrong,
 * drift and step as they like; the machine sleeps and begins anew, and now and then somebody forges
 * a clock. Only the world knows the true time, and what each was promised by it.
 */
final class ClockWorld implements Simulation.World {
  private static final List<String> NAMES = List.of("ann", "ben", "cid", "dan");
  private static final Reporter QUIET = report -> {};

  /** The clock tells milliseconds. */
  private static final long ROUNDING = 2;

  private static final class Agent {
    final String name;
    Team team;
    Session session;

    /** Its wall clock: so far off, in milliseconds, and so much faster, in percent. */
    long off;

    int drift;

    /** What its process last read of the boot clock, and when; it looks up the next a second on. */
    @Nullable BootTime read;

    long readAt;

    Agent(String name) {
      this.name = name;
    }
  }

  /**
   * What somebody was promised: the path until then, by the true time.
   *
   * @param most when it must be over; later than until if it was taken before the machine began
   */
  private record Promise(Agent agent, long token, long until, long most) {}

  private final List<Agent> agents = new ArrayList<>();
  private final MemoryLog log = new MemoryLog(Limits.DEFAULT, this::wall, new Clock(), QUIET);
  private final FoldReader<Ledger> watched =
      new FoldReader<>(log, Views.inMemory(), QUIET, Ledger.KIND);

  /** True milliseconds: since the world began, awake since then, since the machine began. */
  private long now = 1_000_000;

  private long awake = 1_000_000;
  private long booted;
  private int boots = 1;
  private @Nullable BootTime forged;
  private Agent current;
  private @Nullable Promise promise;
  private int grants;

  ClockWorld(Random random) {
    for (String name : NAMES) {
      Agent agent = new Agent(name);
      agent.off = off(random);
      agent.drift = random.nextInt(21) - 10;
      agents.add(agent);
    }
    current = agents.getFirst();
    agents.forEach(this::begin);
  }

  /** A process reads the clock at most once a second, and a timer that stands still in sleep. */
  private final class Clock implements BootClock {
    @Override
    public @Nullable BootTime now() {
      if (forged != null) {
        return forged;
      }
      BootTime read = current.read;
      if (read == null || awake - current.readAt >= 1000) {
        return lookUp();
      }
      return new BootTime(read.boot(), read.millis() + awake - current.readAt);
    }

    @Override
    public @Nullable BootTime lookUp() {
      current.read = new BootTime("boot" + boots, now - booted);
      current.readAt = awake;
      return current.read;
    }
  }

  private static long off(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> random.nextInt(20_000);
      case 1 -> (random.nextInt(40) - 20) * 3_600_000L;
      default -> (random.nextInt(40_000) - 20_000) * 86_400_000L;
    };
  }

  private Instant wall() {
    return Instant.parse("2026-11-15T12:00:00Z")
        .plusMillis(now + current.off + now * current.drift / 100);
  }

  /** A new process of an agent. */
  private void begin(Agent agent) {
    agent.team = new Team(log, Views.inMemory(), QUIET, this::wall);
    agent.read = null;
  }

  @Override
  public void turn(Random random) {
    current = agents.get(random.nextInt(agents.size()));
    switch (random.nextInt(40)) {
      case 0, 1, 2 -> current.off = off(random);
      case 3 -> current.drift = random.nextInt(2001) - 1000;
      case 4, 5 -> now += random.nextInt(8 * 3_600_000); // the machine sleeps
      case 6 -> reboot(random);
      case 7 -> forge(random);
      default -> pass(random.nextInt(8000));
    }
    act(random);
  }

  private void pass(long millis) {
    now += millis;
    awake += millis;
  }

  /** All processes end. Whatever was promised is good for no longer than that from here on. */
  private void reboot(Random random) {
    pass(random.nextInt(3_600_000));
    boots++;
    booted = now;
    agents.forEach(this::begin);
    promise = null;
  }

  private void forge(Random random) {
    String boot = random.nextInt(3) == 0 ? "forged" + random.nextInt(2) : "boot" + boots;
    forged = new BootTime(boot, now - booted + 6000 + random.nextInt(40_000_000));
    try {
      var _ = log.append(Ledger.TOPIC, Message.of("zed", "tick", Json.EMPTY_OBJECT).withClock());
    } finally {
      forged = null;
    }
    promise = null; // what it ended stays ended
    join(current);
    if (watched.refresh().time().wrong(new BootTime("boot" + boots, now - booted)) != 0) {
      throw new Violation("the next command notices a forged clock", current.name);
    }
  }

  private void join(Agent agent) {
    if (agent.session == null) {
      agent.session = new Session(agent.name, "secret of " + agent.name);
    }
    var _ = agent.team.sessions().join(agent.session, Profile.NONE);
  }

  private void act(Random random) {
    join(current);
    long ttl = 1L + random.nextInt(random.nextBoolean() ? 10 : 3600);
    Promise before = promise;
    boolean isOwn = before != null && before.agent.equals(current);
    long asked = now;
    try {
      if (isOwn && random.nextInt(3) == 0) {
        current.team.locks(current.session).release(before.token);
        promise = null;
        return;
      }
      var grant =
          current
              .team
              .locks(current.session)
              .lock(LockRequest.of("a").lasting(Duration.ofSeconds(ttl)));
      if (before != null && !isOwn && now < before.until) {
        throw new Violation("nothing is taken from a live holder", before + " at " + now);
      }
      if (isOwn && grant.token() != before.token && now < before.until) {
        throw new Violation("nothing is taken from a live holder", before + " at " + now);
      }
      boolean isSame = isOwn && grant.token() == before.token;
      grants += isSame ? 0 : 1;
      // Who asks again for longer has it for as long.
      long until = Math.max(isSame ? before.until : 0, asked + 1000 * ttl - ROUNDING);
      boolean isOlder = !isSame && grant.isReentered();
      long most = isOlder ? Long.MAX_VALUE : isSame ? Math.max(before.most, until) : until;
      promise = new Promise(current, grant.token(), until, most);
    } catch (ParleyException e) {
      if (e.code().equals("not-held") && before != null && now >= before.until) {
        promise = null; // it has ended
      } else if (!e.code().equals("held")) {
        throw e;
      } else if (before != null && !isBehind() && now - ROUNDING > before.most) {
        throw new Violation("no lease lasts longer than it should", before + " at " + now);
      }
    }
  }

  /** Whether the process does not know yet that the machine slept: for a second at most. */
  private boolean isBehind() {
    return log.clock().now().millis() < now - booted;
  }

  @Override
  public void settle() {
    // Whatever came before, nothing lasts for longer than the longest that anybody asked for.
    pass(3_700_000);
    promise = null;
    current = agents.getFirst();
    join(current);
    var _ = current.team.locks(current.session).releaseAll();
    var _ = current.team.locks(current.session).lock(LockRequest.of("a"));
  }

  int grants() {
    return grants;
  }

  int corrections() {
    return watched.refresh().time().corrections().size();
  }

  /** How many were told by mail that they lost something. */
  long told() {
    Map<String, Long> told = new HashMap<>();
    for (String name : NAMES) {
      told.put(
          name,
          log.read(Mailbox.mailOf(name), Bookmark.START, 1 << 20).envelopes().stream()
              .filter(line -> line.type().equals("clock-corrected"))
              .count());
    }
    return told.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public String wholeLog() {
    return log.read(Ledger.TOPIC, Bookmark.START, 1 << 20).envelopes().stream()
        .map(line -> line.position().value() + " " + line)
        .collect(Collectors.joining("\n"));
  }
}

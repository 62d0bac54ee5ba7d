package dev.parley.bench.figure;

import dev.parley.bench.agent.Locking;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Actor;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A path locked and unlocked by one process, beside what people build locks from. */
final class LockFigure implements Figure {
  private static final String OURS = "Parley";
  private static final String SQLITE = "SQLite WAL, one row a lock";
  private static final String REDIS = "Redis, SET NX PX and a script";

  @Override
  public String name() {
    return "lock";
  }

  @Override
  public String title() {
    return "Lock and unlock a path";
  }

  @Override
  public String method() {
    return """
    One process locks a path and unlocks it, again and again, nobody else wants it. Ours: `Locks.lock` and `Locks.release`: \
    two lines in the ledger, each read back and folded before it is answered. SQLite: `synchronous=NORMAL`, a row inserted and deleted, a transaction each. \
    Redis: a key set if absent with a time to live, deleted by a script if it is one's own. The first half of each round is not timed: a round begins with a new folder, for which the JVM compiles part of it anew.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(50_000, 2_000);
    try (Race race = new Race(lab)) {
      race.enter(OURS, in -> new Pairs(in, "parley", null, count))
          .enter(SQLITE, in -> new Pairs(in, "sqlite", null, count / 4))
          .enter(
              REDIS, in -> new Pairs(in, "redis", Integer.toString(in.redis().port()), count / 8))
          .run(lab.rounds());
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "pairs");
      outcome.verdict(
          Bar.atLeast("lock and unlock", 5, SQLITE).judge(race.ratio(OURS, SQLITE, Sample.RATE)));
      outcome.explain(race, OURS);
    }
  }

  private static final class Pairs implements Contestant {
    private final Lab lab;
    private final Actor actor;
    private final String what;
    private final @Nullable String place;
    private final int count;

    Pairs(Lab lab, String what, @Nullable String place, int count) throws IOException {
      this.lab = lab;
      this.actor = lab.actor(Locking.class);
      this.what = what;
      this.place = place;
      this.count = count;
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder();
      long nanos = actor.ask("done", what, place == null ? folder : place, count).time();
      Lab.delete(folder);
      return Sample.rate(count, nanos);
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}

package dev.parley.bench.figure;

import dev.parley.bench.agent.Contending;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Four processes that want the same path. */
final class HandOverFigure implements Figure {
  private static final int PROCESSES = 4;
  private static final String TIME = "time";
  private static final String OURS = "Parley, four processes";

  @Override
  public String name() {
    return "handover";
  }

  @Override
  public String title() {
    return "Four processes want one path: from unlock to the next holder";
  }

  @Override
  public String method() {
    return """
    Each of four processes locks the same path (`Locks.lock` with a wait), counts on in a file as only someone can who is alone, and unlocks. \
    The time is from just before the unlock in one process to the return of `lock` in the next: the median of each process, and of those the largest. \
    A round in which the file does not hold every count fails.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    try (Race race = new Race(lab)) {
      race.enter(OURS, Four::new).run(lab.rounds());
      outcome.take(race, TIME, Unit.MICROS, "unlock to next holder, p50");
      outcome.verdict(
          Bar.absolute("hand-over to the next waiter, p50", Bar.Sense.AT_MOST, 1000, "µs")
              .judge(race.median(OURS, TIME)));
      outcome.explain(race, OURS);
    }
  }

  private static final class Four implements Contestant {
    private final Lab lab;
    private final List<Actor> actors = new ArrayList<>();
    private final int count;

    Four(Lab lab) throws IOException {
      this.lab = lab;
      this.count = lab.size(1_000, 50);
      for (int i = 0; i < PROCESSES; i++) {
        actors.add(lab.actor(Contending.class));
      }
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder().resolve("bus");
      Files.createDirectories(folder);
      int name = 0;
      for (Actor actor : actors) {
        var _ = actor.ask("ready", folder, "agent-" + name++, count);
      }
      long slowest = 0;
      for (Actor actor : actors) {
        slowest = Math.max(slowest, actor.hear("done").time());
      }
      long counted = Contending.count(folder);
      if (counted != (long) count * PROCESSES) {
        throw new IllegalStateException("not alone: " + counted + " counts");
      }
      Lab.delete(folder);
      return Sample.of(TIME, slowest / 1e3);
    }

    @Override
    public void close() {
      actors.forEach(Actor::close);
    }
  }
}

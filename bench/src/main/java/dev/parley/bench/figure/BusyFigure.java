package dev.parley.bench.figure;

import dev.parley.bench.agent.Busy;
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

/** A ledger in which much is held and much is to be done. */
final class BusyFigure implements Figure {
  private static final String TIME = "time";
  private static final String LEASES = "10,000 leases";
  private static final String TASKS = "100,000 tasks";

  @Override
  public String name() {
    return "busy";
  }

  @Override
  public String title() {
    return "10,000 leases held, 100,000 tasks to be done";
  }

  @Override
  public String method() {
    return """
    Leases: a path or a pattern is compared with all that are held, in a process that has folded the ledger. \
    Tasks: `TaskList.next`, the append and the fold included. Medians of single operations.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    try (Race race = new Race(lab)) {
      race.enter(LEASES, in -> new Work(in, "leases", in.size(10_000, 1_000)))
          .enter(TASKS, in -> new Work(in, "tasks", in.size(100_000, 2_000)))
          .run(lab.size(3, 1));
      outcome.take(race, TIME, Unit.MICROS, "look for overlaps; claim the next task");
      outcome.verdict(
          Bar.absolute("overlap check with 10,000 leases", Bar.Sense.AT_MOST, 50, "µs")
              .judge(race.median(LEASES, TIME)));
      outcome.verdict(
          Bar.absolute("claim the next of 100,000 tasks", Bar.Sense.AT_MOST, 1000, "µs")
              .judge(race.median(TASKS, TIME)));
    }
  }

  private static final class Work implements Contestant {
    private final Lab lab;
    private final Actor actor;
    private final String what;
    private final int count;

    Work(Lab lab, String what, int count) throws IOException {
      this.lab = lab;
      this.actor = lab.actor(Busy.class);
      this.what = what;
      this.count = count;
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder();
      long nanos = actor.ask("done", what, folder, count, 1_000).time();
      Lab.delete(folder);
      return Sample.of(TIME, nanos / 1e3);
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}

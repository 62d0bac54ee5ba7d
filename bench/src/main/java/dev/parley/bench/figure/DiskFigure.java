package dev.parley.bench.figure;

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

/** One publish at a time in each of 16 threads, waiting for the disk. */
final class DiskFigure implements Figure {
  private static final int THREADS = 16;
  private static final String OURS = "Parley, setting `disk`";
  private static final String BARE = "bare group-commit loop";

  @Override
  public String name() {
    return "disk";
  }

  @Override
  public String title() {
    return "One publish at a time, waiting for the disk, 16 threads";
  }

  @Override
  public String method() {
    return """
    16 threads of one process publish and wait until the line is synced to the disk. \
    Bare: one thread takes what all others have queued, writes it, syncs (`force(false)`) and wakes them.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(32_000, 3_200);
    try (Race race = new Race(lab)) {
      race.enter(OURS, in -> new Committing(in, "parley", count))
          .enter(BARE, in -> new Committing(in, "bare", count))
          .run(lab.rounds());
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "synced publishes");
      outcome.verdict(
          Bar.atLeast("waiting for the disk, 16 threads", 0.8, BARE)
              .judge(race.ratio(OURS, BARE, Sample.RATE)));
      outcome.explain(race, OURS);
    }
  }

  private static final class Committing implements Contestant {
    private final Lab lab;
    private final String who;
    private final int count;
    private final Actor actor;

    Committing(Lab lab, String who, int count) throws IOException {
      this.lab = lab;
      this.who = who;
      this.count = count;
      this.actor = lab.actor(GroupCommit.class);
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder();
      long nanos = actor.ask("committed", "commit", who, folder, THREADS, count).time();
      Lab.delete(folder);
      return Sample.rate(count, nanos);
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}

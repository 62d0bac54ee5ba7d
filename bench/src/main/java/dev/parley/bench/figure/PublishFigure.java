package dev.parley.bench.figure;

import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;

/** One publish at a time, waiting for the append. */
final class PublishFigure implements Figure {
  private static final String OURS = "Parley";
  private static final String BARE = "bare loop (write, lseek)";
  private static final String SQLITE = "SQLite WAL";
  private static final String JETSTREAM = "JetStream, sync publish";

  @Override
  public String name() {
    return "publish";
  }

  @Override
  public String title() {
    return "One publish at a time, waiting for the append";
  }

  @Override
  public String method() {
    return """
    One thread of one process publishes and waits for each answer (ours: `Bus.publish`). \
    Bare: a write of 200 bytes and the question where it ended, in a loop, by the same calls through the foreign function interface. \
    SQLite: `synchronous=NORMAL`, one insert a transaction. JetStream: file storage, default sync interval.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(500_000, 20_000);
    try (Race race = new Race(lab)) {
      race.enter(OURS, in -> Senders.one(in, "parley", 1, count))
          .enter(BARE, in -> Senders.one(in, "bare", 1, count))
          .enter(SQLITE, in -> Senders.one(in, "sqlite", 1, count / 10))
          .enter(JETSTREAM, in -> Senders.one(in, "jetstream", 1, count / 50))
          .run(lab.rounds());
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "publishes");
      String what = "one publish at a time";
      outcome.verdict(Bar.atLeast(what, 0.6, BARE).judge(race.ratio(OURS, BARE, Sample.RATE)));
      outcome.verdict(Bar.atLeast(what, 8, SQLITE).judge(race.ratio(OURS, SQLITE, Sample.RATE)));
      outcome.verdict(
          Bar.atLeast(what, 50, JETSTREAM).judge(race.ratio(OURS, JETSTREAM, Sample.RATE)));
      outcome.explain(race, OURS);
    }
  }
}

package dev.parley.bench.figure;

import dev.parley.bench.carrier.Carrier;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;

/** Two processes, durable log, asynchronous publisher, end to end. */
final class StreamFigure implements Figure {
  private static final String OURS = "Parley, asynchronous";
  private static final String CHRONICLE = "Chronicle Queue";
  private static final String REDIS = "Redis Streams pipelined by 64";
  private static final String BARE = "bare batched append + raw read";

  @Override
  public String name() {
    return "stream";
  }

  @Override
  public String title() {
    return "Two processes, durable log, asynchronous publisher, end to end";
  }

  @Override
  public String method() {
    return """
    One process publishes as fast as it can (ours: `Bus.publishAsync`, each message built anew), \
    another takes every message (ours: a `Feed`); from the first publish until the reader has the last. \
    Bare: `FileChannel` writes of 64 lines, the reader reads bytes and counts newlines. \
    Chronicle's reader spins. Redis keeps its append-only file, synced every second.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(1_000_000, 50_000);
    int few = lab.size(200_000, 10_000);
    try (Race race = new Race(lab)) {
      race.enter(OURS, in -> new EndToEnd(in, "parley", Carrier.ASYNCHRONOUS, count))
          .enter(CHRONICLE, in -> new EndToEnd(in, "chronicle", 1, count))
          .enter(REDIS, in -> new EndToEnd(in, "redis", 64, few))
          .enter(BARE, in -> new EndToEnd(in, "bare", 64, count))
          .runCrowded();
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "messages");
      String what = "two processes, asynchronous, end to end";
      outcome.verdict(
          Bar.atLeast(what, 1, CHRONICLE).judge(race.ratio(OURS, CHRONICLE, Sample.RATE)));
      outcome.verdict(Bar.atLeast(what, 8, REDIS).judge(race.ratio(OURS, REDIS, Sample.RATE)));
      outcome.verdict(Bar.atLeast(what, 0.6, BARE).judge(race.ratio(OURS, BARE, Sample.RATE)));
      outcome.explain(race, OURS);
    }
  }
}

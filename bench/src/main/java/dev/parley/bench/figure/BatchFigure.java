package dev.parley.bench.figure;

import dev.parley.bench.measure.Chart;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Throughput of one publisher against how many messages it stores at once. */
final class BatchFigure implements Figure {
  /** A contestant and how many messages it gets through a round, at one and at many at once. */
  private record Load(String carrier, int single, int batched) {}

  private static final int[] BATCHES = {1, 8, 64, 512};
  private static final Map<String, Load> CONTESTANTS = new LinkedHashMap<>();

  static {
    CONTESTANTS.put("Parley", new Load("parley", 200_000, 400_000));
    CONTESTANTS.put("bare append", new Load("bare", 200_000, 1_000_000));
    CONTESTANTS.put("Chronicle Queue (no batches)", new Load("chronicle", 400_000, 400_000));
    CONTESTANTS.put("Redis Streams", new Load("redis", 10_000, 80_000));
    CONTESTANTS.put("SQLite WAL", new Load("sqlite", 20_000, 100_000));
    CONTESTANTS.put("JetStream", new Load("jetstream", 4_000, 25_000));
  }

  @Override
  public String name() {
    return "batch";
  }

  @Override
  public String title() {
    return "Throughput against batch size";
  }

  @Override
  public String method() {
    return """
    One thread of one process stores n messages together, waits for the answer, and goes on; nobody reads. \
    Ours: `Bus.publish` of a list. Redis: pipelined; SQLite: a transaction; JetStream: n unanswered at most.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    Chart chart =
        new Chart("batch", "Throughput against batch size", "messages at once", "messages/s");
    for (int batch : BATCHES) {
      chart.label(batch, "" + batch);
      try (Race race = new Race(lab)) {
        CONTESTANTS.forEach((name, load) -> {
          int count = batch == 1 ? load.single : load.batched;
          race.enter(name, in -> Senders.one(in, load.carrier, batch, in.size(count, count / 20)));
        });
        race.run(lab.size(3, 1));
        outcome.take(race, Sample.RATE, Unit.PER_SECOND, "at once: " + batch);
        for (String name : race.names()) {
          chart.add(name, batch, race.median(name, Sample.RATE));
        }
      }
    }
    outcome.chart(chart);
  }
}

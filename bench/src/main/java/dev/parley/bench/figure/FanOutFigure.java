package dev.parley.bench.figure;

import dev.parley.bench.fanout.FanOut;
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
import java.util.List;

/** In process, 1→3 and 4→3, prefix routing included. */
final class FanOutFigure implements Figure {
  private static final List<String> HEAP = List.of("-Xms2g", "-Xmx2g");
  private static final String LIVE = "Parley, live subscriptions";
  private static final String BUS = "Parley, subscriptions";
  private static final String SUBMISSION = "SubmissionPublisher";
  private static final String VERTX = "Vert.x event bus";
  private static final String DISRUPTOR = "Disruptor, yielding";
  private static final String JCTOOLS = "JCTools queues, yielding";

  @Override
  public String name() {
    return "fanout";
  }

  @Override
  public String title() {
    return "In process, 1→3 and 4→3, prefix routing included";
  }

  @Override
  public String method() {
    return """
    One or four threads publish, three consumers each get everything; messages published a second, \
    until the last consumer has the last. Ours: `MemoryLog.append` and \
    `live` subscriptions whose buffers hold a whole round, so that nothing is dropped (a round in which \
    anything was is void), or `Bus.publish` and `Bus.subscribe`, which never drops; the faster of the two \
    is held against the bars. Either way the log also keeps every message. \
    Peers get an object ready-made and look at the topic's prefix in the consumer; Vert.x routes by address. \
    Disruptor and JCTools are for reference: they burn their cores while they wait.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    for (int publishers : new int[] {1, 4}) {
      String what = "in process, " + publishers + "→3";
      try (Race race = new Race(lab)) {
        race.enter(LIVE, in -> new Fanning(in, "live", publishers, in.size(1_000_000, 50_000)))
            .enter(BUS, in -> new Fanning(in, "subscribe", publishers, in.size(1_000_000, 50_000)))
            .enter(
                SUBMISSION,
                in -> new Fanning(in, "submission", publishers, in.size(2_000_000, 50_000)))
            .enter(VERTX, in -> new Fanning(in, "vertx", publishers, in.size(400_000, 20_000)))
            .enter(
                DISRUPTOR,
                in -> new Fanning(in, "disruptor", publishers, in.size(4_000_000, 50_000)))
            .enter(
                JCTOOLS, in -> new Fanning(in, "jctools", publishers, in.size(4_000_000, 50_000)))
            .runCrowded();
        outcome.take(race, Sample.RATE, Unit.PER_SECOND, publishers + "→3");
        String ours = race.median(LIVE, Sample.RATE) > race.median(BUS, Sample.RATE) ? LIVE : BUS;
        outcome.verdict(
            Bar.atLeast(what, 1, SUBMISSION).judge(race.ratio(ours, SUBMISSION, Sample.RATE)));
        outcome.verdict(Bar.atLeast(what, 4, VERTX).judge(race.ratio(ours, VERTX, Sample.RATE)));
        outcome.explain(race, ours);
      }
    }
  }

  private static final class Fanning implements Contestant {
    private final String name;
    private final int publishers;
    private final int count;
    private final Actor actor;

    Fanning(Lab lab, String name, int publishers, int count) throws IOException {
      this.name = name;
      this.publishers = publishers;
      this.count = count;
      this.actor = lab.actor(FanOut.class, HEAP);
    }

    @Override
    public Sample round() throws Exception {
      long nanos = actor.ask("delivered", "fan", name, publishers, count).time();
      return Sample.rate(count, nanos);
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}

package dev.parley.bench.figure;

import dev.parley.bench.carrier.CarrierClient;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Chart;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Actor;
import dev.parley.bench.process.Cpu;
import dev.parley.bench.process.Cue;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Published in one process, handler called in another, 2,000 a second. */
final class LatencyFigure implements Figure {
  private static final int PER_SECOND = 2_000;
  private static final String IDLE = "idle";
  private static final String OURS = "Parley";
  private static final String BARE = "bare WatchService ping";
  private static final String CHRONICLE = "Chronicle Queue, parked";
  private static final String REDIS = "Redis Streams";
  private static final String JETSTREAM = "JetStream";
  private static final Map<String, String> CARRIERS =
      Map.of(
          OURS,
          "parley",
          BARE,
          "bare",
          CHRONICLE,
          "chronicle",
          REDIS,
          "redis",
          JETSTREAM,
          "jetstream");

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String title() {
    return "Published in one process → handler called in another, 2,000 a second";
  }

  @Override
  public String method() {
    return """
    One process publishes 2,000 messages a second, each with the time in it, taken just before publishing; \
    another looks at the clock when its handler is called (CLOCK_MONOTONIC, the same for both). \
    Bare: a write, and a thread in `WatchService.take` that then reads the new bytes. \
    Chronicle's reader parks 50 µs between looks; Redis: XREAD BLOCK; JetStream: ordered push consumer. \
    Idle CPU: of the listening process, from /proc, while nothing is published.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(3 * PER_SECOND, PER_SECOND / 2);
    try (Race race = new Race(lab)) {
      for (String name : new String[] {OURS, BARE, CHRONICLE, REDIS, JETSTREAM}) {
        race.enter(name, in -> new Listening(in, String.valueOf(CARRIERS.get(name)), count));
      }
      race.run(lab.rounds());
      for (int permille : CarrierClient.PERMILLE) {
        outcome.take(race, percentile(permille), Unit.MICROS, percentile(permille));
      }
      judge(race, outcome);
      outcome.chart(chart(race));
    }
    try (Race idle = new Race(lab)) {
      Duration time = Duration.ofSeconds(lab.size(10, 6));
      for (String name : new String[] {OURS, BARE, CHRONICLE}) {
        idle.enter(name, in -> new Idling(in, String.valueOf(CARRIERS.get(name)), time));
      }
      idle.run(lab.size(2, 1));
      outcome.take(idle, IDLE, Unit.PERCENT, "listener's idle CPU");
      outcome.verdict(
          Bar.absolute("idle listener", Bar.Sense.AT_MOST, 1, "% CPU")
              .judge(idle.median(OURS, IDLE)));
    }
  }

  private static void judge(Race race, FigureResult outcome) {
    String what = "publish → handler, p50";
    String p50 = percentile(500);
    outcome.verdict(Bar.atMost(what, 1.5, BARE).judge(race.ratio(OURS, BARE, p50)));
    outcome.verdict(Bar.atMost(what, 1, CHRONICLE).judge(race.ratio(OURS, CHRONICLE, p50)));
    outcome.verdict(Bar.below(what, REDIS).judge(race.ratio(OURS, REDIS, p50)));
    outcome.verdict(Bar.below(what, JETSTREAM).judge(race.ratio(OURS, JETSTREAM, p50)));
    outcome.explain(race, OURS);
  }

  private static Chart chart(Race race) {
    Chart chart =
        new Chart("latency", "Published → handled, 2,000 a second", "percentile", "microseconds");
    for (int i = 0; i < CarrierClient.PERMILLE.size(); i++) {
      // Each nine gets the same room: 50 %, 90 %, 99 %, …
      double x = Math.pow(2, i);
      chart.label(x, percentile(CarrierClient.PERMILLE.get(i)));
      for (String name : race.names()) {
        chart.add(name, x, race.median(name, percentile(CarrierClient.PERMILLE.get(i))));
      }
    }
    return chart;
  }

  private static String percentile(int permille) {
    if (permille == 1000) {
      return "max";
    }
    return permille % 10 == 0 ? "p" + permille / 10 : "p" + permille / 10.0;
  }

  /** A paced sender and a listener. */
  private static final class Listening implements Contestant {
    private final FreshPlace ground;
    private final int count;
    private final Actor sender;
    private final Actor listener;
    private boolean warm;

    Listening(Lab lab, String carrier, int count) throws IOException, InterruptedException {
      this.ground = new FreshPlace(lab, carrier);
      this.count = count;
      ground.clear(ground.prepare()); // fails now if the server can't be had
      this.sender = lab.actor(CarrierClient.class);
      this.listener = lab.actor(CarrierClient.class);
    }

    @Override
    public Sample round() throws Exception {
      // At this pace code would stay cold for long: the first round, which does not count, is a
      // run.
      Sample sample = warm ? round(PER_SECOND, count) : round(10 * PER_SECOND, 5 * count);
      warm = true;
      return sample;
    }

    private Sample round(int perSecond, int messages) throws Exception {
      String place = ground.prepare();
      var _ = listener.ask("ready", "listen", ground.carrier(), place, messages);
      sender.tell("pace", ground.carrier(), place, perSecond, messages);
      Cue heard = listener.hear("heard");
      Sample sample = new Sample(Map.of());
      for (int permille : CarrierClient.PERMILLE) {
        sample = sample.and(percentile(permille), heard.time() / 1e3);
      }
      var _ = sender.hear("sent");
      ground.clear(place);
      return sample;
    }

    @Override
    public void close() {
      sender.close();
      listener.close();
    }
  }

  /** A listener that hears nothing, until a last message ends it. */
  private static final class Idling implements Contestant {
    private static final Duration TO_SETTLE = Duration.ofSeconds(1);

    private final FreshPlace ground;
    private final Duration time;
    private final Actor listener;
    private final Actor sender;

    Idling(Lab lab, String carrier, Duration time) throws IOException {
      this.ground = new FreshPlace(lab, carrier);
      this.time = time;
      this.listener = lab.actor(CarrierClient.class);
      this.sender = lab.actor(CarrierClient.class);
    }

    @Override
    public Sample round() throws Exception {
      String place = ground.prepare();
      var _ = listener.ask("ready", "listen", ground.carrier(), place, 1);
      Thread.sleep(TO_SETTLE);
      Sample sample = Sample.of(IDLE, Cpu.percent(listener.pid(), time));
      var _ = sender.ask("sent", "pace", ground.carrier(), place, PER_SECOND, 1);
      var _ = listener.hear("heard");
      ground.clear(place);
      return sample;
    }

    @Override
    public void close() {
      sender.close();
      listener.close();
    }
  }
}

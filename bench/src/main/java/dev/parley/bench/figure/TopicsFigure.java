package dev.parley.bench.figure;

import dev.parley.bench.agent.Attending;
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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** 10,000 topics; a prefix subscription over them. */
final class TopicsFigure implements Figure {
  private static final int[] TOPICS = {1, 1_000, 10_000};
  private static final int MOST = 10_000;
  private static final String IDLE = "idle";
  private static final String APPEND = "append";
  private static final String DELIVERY = "delivery";
  private static final String OPEN = "open";

  /** What idle topics may cost, all together: what /proc can tell from nothing. */
  private static final double IDLE_GROWTH = 0.5;

  @Override
  public String name() {
    return "topics";
  }

  @Override
  public String title() {
    return "10,000 topics; a prefix subscription over them";
  }

  @Override
  public String method() {
    return """
    A process subscribes to the prefix of all topics, each with one message. Idle: its CPU while nothing \
    is published, over more than two of the feed's sweeps, once the compiler has come to rest (or after 20 s). Append: the median of single publishes to one of \
    the topics by the same process, after ten times as many that are not timed; publish → handler: until its own subscription has it, the median of 2,000, and of nine such medians the least, \
    because threads wake each other on one core or across two, and that makes more difference than anything else. Open: subscribing, which has to look at every topic once.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    Chart chart =
        new Chart(
            "growth-topics", "Cost against number of topics", "topics", "µs, % or ms: see legend");
    try (Race race = new Race(lab)) {
      for (int topics : TOPICS) {
        race.enter(name(topics), in -> new Watching(in, topics));
      }
      race.run(lab.size(3, 1));
      outcome.take(race, IDLE, Unit.PERCENT, "idle subscription");
      outcome.take(race, APPEND, Unit.MICROS, "one append");
      outcome.take(race, DELIVERY, Unit.MICROS, "publish → handler");
      outcome.take(race, OPEN, Unit.MILLIS, "subscribing");
      outcome.verdict(
          Bar.absolute(
                  "10,000 idle topics instead of 1: more CPU",
                  Bar.Sense.AT_MOST,
                  IDLE_GROWTH,
                  "% CPU")
              .judge(race.median(name(MOST), IDLE) - race.median(name(1), IDLE)));
      outcome.verdict(
          Bar.atMost("10,000 idle topics: one append", 1.3, "with 1 topic")
              .judge(race.ratio(name(MOST), name(1), APPEND)));
      outcome.verdict(
          Bar.atMost("10,000 idle topics: publish → handler", 1.3, "with 1 topic")
              .judge(race.ratio(name(MOST), name(1), DELIVERY)));
      for (int topics : TOPICS) {
        chart.label(topics, "" + topics);
        chart.add("one append, µs", topics, race.median(name(topics), APPEND));
        chart.add("publish → handler, µs", topics, race.median(name(topics), DELIVERY));
        chart.add("idle, % of a core", topics, race.median(name(topics), IDLE));
        chart.add("subscribing, ms", topics, race.median(name(topics), OPEN));
      }
      outcome.chart(chart);
      outcome.explain(race, name(MOST));
    }
  }

  private static String name(int topics) {
    return "Parley, topics: " + topics;
  }

  private static final class Watching implements Contestant {
    private static final Duration TO_SETTLE = Duration.ofSeconds(1);
    private static final int MOST_TO_SETTLE = 20;
    private static final double SETTLED = 1;
    private static final int DELIVERIES = 9;

    private final Path folder;
    private final Actor actor;
    private final Duration time;
    private final int appends;
    private boolean warm;

    Watching(Lab lab, int topics) throws Exception {
      this.folder = lab.newFolder();
      this.actor = lab.actor(Attending.class);
      this.time = Duration.ofSeconds(lab.size(11, 6));
      this.appends = lab.size(20_000, 2_000);
      // By this process: making them is not what is measured, nor profiled.
      Attending.makeTopics(folder.toString(), topics);
    }

    @Override
    public Sample round() throws Exception {
      double open = actor.ask("attending", "attend", folder).time() / 1e6;
      settle();
      // The first round does not count, and nothing gets warm by waiting.
      double idle = warm ? Cpu.percent(actor.pid(), time) : 0;
      warm = true;
      double delivery = Double.POSITIVE_INFINITY;
      for (int i = 0; i < DELIVERIES; i++) {
        delivery =
            Math.min(delivery, actor.ask("heard", "deliver", folder, appends / 10).time() / 1e3);
      }
      var _ = actor.ask("appended", "append", folder, 10 * appends, 0);
      double append = actor.ask("appended", "append", folder, appends, 0).time() / 1e3;
      var _ = actor.ask("left", "leave", folder);
      return Sample.of(IDLE, idle).and(APPEND, append).and(DELIVERY, delivery).and(OPEN, open);
    }

    /** What the compiler still does about opening the topics is not what idle topics cost. */
    private void settle() throws Exception {
      int waited = 1;
      while (Cpu.percent(actor.pid(), TO_SETTLE) > SETTLED && waited < MOST_TO_SETTLE) {
        waited++;
      }
    }

    @Override
    public void close() throws IOException {
      actor.close();
      Lab.delete(folder);
    }
  }
}

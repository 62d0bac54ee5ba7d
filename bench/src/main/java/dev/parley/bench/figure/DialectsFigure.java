package dev.parley.bench.figure;

import dev.parley.bench.foreign.Bridging;
import dev.parley.bench.foreign.Filing;
import dev.parley.bench.foreign.Taking;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Actor;
import dev.parley.bench.process.Cue;
import dev.parley.dialects.mount.Dialect;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Other tools' files and the bus: how soon, how fast, at what price. */
final class DialectsFigure implements Figure {
  private static final List<String> WAYS = List.of("in", "back");
  private static final String PULL = "pull of a queue.jsonl";
  private static final String REPLAY = "bare replay of the same messages";
  private static final String UPDATE = "one more message in an inbox of 1,000";
  private static final String WRITE = "writing that file once";
  private static final String TIME = "time";
  private static final int MEGABYTE = 1_000_000;
  private static final double SOON = 100;

  @Override
  public String name() {
    return "dialects";
  }

  @Override
  public String title() {
    return "Other tools' files: across a bridge, a large queue, a full inbox";
  }

  @Override
  public String method() {
    return """
    In: a tool writes a message to its files, another process keeps the mount current (`Bridge`, as `parley bridge` does), and a feed of a third gives it; \
    back: published on the bus, and looked for in the tool's files every 0.2 ms. One message at a time, 5 ms after the one before. \
    Pull: `Mounts.sync` on a new bus takes a Conductor `queue.jsonl` of 100 MB; replay: a feed over the topic that it became. \
    Inbox: `MessageBus.addToInbox`, under the design's lock, which reads, checks and replaces the file; \
    beside it the same bytes written to a temporary file and renamed.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) throws Exception {
    across(lab, outcome);
    queue(lab, outcome);
    inbox(lab, outcome);
  }

  private static void across(Lab lab, FigureResult outcome) {
    int count = lab.size(300, 40);
    try (Race race = new Race(lab)) {
      for (Dialect dialect : EnumSet.complementOf(EnumSet.of(Dialect.GEAR))) {
        race.enter(dialect.word(), in -> new Across(in, dialect, count));
      }
      race.run(lab.size(3, 1));
      for (String way : WAYS) {
        outcome.take(race, way + " p50", Unit.MILLIS, way + ", p50");
        outcome.take(race, way + " p99", Unit.MILLIS, way + ", p99");
      }
      for (String dialect : race.names()) {
        for (String way : WAYS) {
          outcome.verdict(
              Bar.absolute(dialect + ", " + way + ", p99", Bar.Sense.AT_MOST, SOON, "ms")
                  .judge(race.median(dialect, way + " p99")));
        }
      }
    }
  }

  private static void queue(Lab lab, FigureResult outcome) throws IOException {
    Path queue = lab.newFolder().resolve("queue");
    int count = Taking.fill(queue, (long) lab.size(100, 2) * MEGABYTE);
    Path[] last = new Path[1];
    try (Race race = new Race(lab)) {
      race.enter(PULL, in -> new Pull(in, queue, count, last))
          .enter(REPLAY, in -> new Replay(in, count, last))
          .runCrowded();
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "messages");
      outcome.verdict(
          Bar.atLeast("pull of a 100 MB queue.jsonl", 0.5, REPLAY)
              .judge(race.ratio(PULL, REPLAY, Sample.RATE)));
      outcome.explain(race, PULL);
    }
    Lab.delete(queue);
  }

  private static void inbox(Lab lab, FigureResult outcome) {
    int times = lab.size(2_000, 200);
    try (Race race = new Race(lab)) {
      race.enter(UPDATE, in -> new Inbox(in, "update", times))
          .enter(WRITE, in -> new Inbox(in, "write", times))
          .run(lab.rounds());
      outcome.take(race, TIME, Unit.MICROS, "median");
      outcome.verdict(
          Bar.atMost("update of a 1,000-message swarm inbox", 2, WRITE)
              .judge(race.ratio(UPDATE, WRITE, TIME)));
      outcome.explain(race, UPDATE);
    }
  }

  /** A bridge in one process, and those who write to each other across it in another. */
  private static final class Across implements Contestant {
    private final Path folder;
    private final String dialect;
    private final int count;
    private final Actor bridge;
    private final Actor both;

    Across(Lab lab, Dialect dialect, int count) throws IOException, InterruptedException {
      this.folder = lab.newFolder();
      this.dialect = dialect.word();
      this.count = count;
      this.bridge = lab.actor(Bridging.class);
      this.both = lab.actor(Bridging.class);
      var _ = bridge.ask("ready", "mount", folder, this.dialect);
      var _ = bridge.ask("ready", "bridge", folder);
    }

    @Override
    public Sample round() throws Exception {
      Sample sample = new Sample(Map.of());
      for (String way : WAYS) {
        Cue took = both.ask("took", way, folder, dialect, count);
        sample = sample.and(way + " p50", took.time() / 1e6).and(way + " p99", took.time() / 1e6);
      }
      return sample;
    }

    @Override
    public void close() {
      both.close();
      bridge.close();
    }
  }

  private static final class Pull implements Contestant {
    private final Lab lab;
    private final Path queue;
    private final int count;
    private final Path[] last;
    private final Actor actor;

    Pull(Lab lab, Path queue, int count, Path[] last) throws IOException {
      this.lab = lab;
      this.queue = queue;
      this.count = count;
      this.last = last;
      this.actor = lab.actor(Taking.class);
    }

    @Override
    public Sample round() throws Exception {
      if (last[0] != null) {
        Lab.delete(last[0]);
      }
      last[0] = lab.newFolder();
      return Sample.rate(count, actor.ask("pulled", "pull", last[0], queue).time());
    }

    @Override
    public void close() {
      actor.close();
    }
  }

  private static final class Replay implements Contestant {
    private final int count;
    private final Path[] last;
    private final Actor actor;

    Replay(Lab lab, int count, Path[] last) throws IOException {
      this.count = count;
      this.last = last;
      this.actor = lab.actor(Taking.class);
    }

    @Override
    public Sample round() throws Exception {
      Cue read = actor.ask("replayed", "replay", last[0]);
      Sample sample = Sample.rate(count, read.time());
      if (read.time() != count) {
        throw new IllegalStateException("not every message was pulled once");
      }
      return sample;
    }

    @Override
    public void close() {
      actor.close();
    }
  }

  private static final class Inbox implements Contestant {
    private final Lab lab;
    private final String what;
    private final int times;
    private final Actor actor;

    Inbox(Lab lab, String what, int times) throws IOException {
      this.lab = lab;
      this.what = what;
      this.times = times;
      this.actor = lab.actor(Filing.class);
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder();
      long nanos = actor.ask("done", what, folder, 1_000, times).time();
      Lab.delete(folder);
      return Sample.of(TIME, nanos / 1e3);
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}

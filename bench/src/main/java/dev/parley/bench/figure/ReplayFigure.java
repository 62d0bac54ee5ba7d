package dev.parley.bench.figure;

import dev.parley.bench.agent.Replaying;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Stats;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Actor;
import dev.parley.bench.process.Cue;
import java.nio.file.Path;
import java.util.List;

/** Replay of 1,000,000 envelopes, filtered by type. */
final class ReplayFigure implements Figure {
  private static final String OURS = "Parley, replay filtered by type";
  private static final String BARE = "raw scan that counts newlines";

  /** How much more heap at the end is still flat: what the collector may not have found yet. */
  private static final double FLAT = 4;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public String title() {
    return "Replay of 1,000,000 envelopes, filtered by type";
  }

  @Override
  public String method() {
    return """
    A feed from the beginning of a topic with messages of ten types, and a look at the type of each; \
    one type is counted. Beside it a loop over the same file that only counts newlines. \
    Heap: in use after a full collection, when a tenth and when all was read.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) throws Exception {
    int count = lab.size(1_000_000, 50_000);
    String what = "replay of 1,000,000, filtered by type";
    Path folder = lab.newFolder();
    Replaying.fill(folder.toString(), count);
    try (Actor reader = lab.actor(Replaying.class)) {
      Cue heap = reader.ask("heap", "heap", folder, count);
      double early = heap.time() / 1e6;
      double late = heap.time() / 1e6;
      outcome.row(OURS, "heap after 10 %", Unit.MEGABYTES, Stats.of(List.of(early)));
      outcome.row(OURS, "heap after 100 %", Unit.MEGABYTES, Stats.of(List.of(late)));
      outcome.verdict(
          Bar.absolute("replay, heap growth from 10 % to 100 %", Bar.Sense.AT_MOST, FLAT, "MB")
              .judge(late - early));
    }
    try (Race race = new Race(lab)) {
      race.enter(OURS, in -> new Reading(in, folder, count, "replay", "replayed", count / 10))
          .enter(BARE, in -> new Reading(in, folder, count, "scan", "scanned", count))
          .run(lab.rounds());
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "envelopes");
      outcome.verdict(
          Bar.absolute(what, Bar.Sense.AT_LEAST, 2, "million/s")
              .judge(race.median(OURS, Sample.RATE) / 1e6));
      outcome.explain(race, OURS);
    }
    Lab.delete(folder);
  }

  static final class Reading implements Contestant {
    private final Path folder;
    private final int count;
    private final String cue;
    private final String answer;
    private final int expected;
    private final Actor actor;

    Reading(Lab lab, Path folder, int count, String cue, String answer, int expected)
        throws Exception {
      this.folder = folder;
      this.count = count;
      this.cue = cue;
      this.answer = answer;
      this.expected = expected;
      this.actor = lab.actor(Replaying.class);
    }

    @Override
    public Sample round() throws Exception {
      Cue read = actor.ask(answer, cue, folder);
      Sample sample = Sample.rate(count, read.time());
      // Multi-line writes begin with a newline, so that a scan counts a few empty lines too.
      long found = read.time();
      if (found < expected) {
        throw new IllegalStateException("found " + found + " instead of " + expected);
      }
      return sample;
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}

package dev.parley.bench.figure;

import dev.parley.bench.agent.Deciding;
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
import java.io.IOException;
import java.nio.file.Path;

/** Many agents in one process, which all ask the one owner of the ledger. */
final class DecisionsFigure implements Figure {
  private static final String MANY = "16 threads, setting `disk`";
  private static final String ONE = "1 thread, setting `disk`";
  private static final String MIXED = "50 agents, mixed work";
  private static final String P50 = "p50";
  private static final String P99 = "p99";
  private static final String MEMORY = "memory";

  @Override
  public String name() {
    return "decisions";
  }

  @Override
  public String title() {
    return "Decisions of many threads on one opened bus";
  }

  @Override
  public String method() {
    return """
    Disk: each thread locks a path of its own and unlocks it, again and again; a decision is one of the two, synced to the disk before it is answered. \
    Mixed: 50 threads with an agent each lock, add, claim and finish a task, send mail to the next agent, release, and acknowledge their mail; setting `os`; \
    times of single operations, and the heap that is in use in the end.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(16_000, 1_600);
    try (Race race = new Race(lab)) {
      race.enter(MANY, in -> new Agents(in, "disk", 16, count))
          .enter(ONE, in -> new Agents(in, "disk", 1, count / 8))
          .enter(MIXED, in -> new Agents(in, "mixed", 50, in.size(60_000, 3_000)))
          .run(lab.rounds());
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "decisions");
      outcome.take(race, P50, Unit.MICROS, "p50");
      outcome.take(race, P99, Unit.MICROS, "p99");
      outcome.take(race, MEMORY, Unit.MEGABYTES, "heap");
      outcome.verdict(
          Bar.atLeast("decisions of 16 threads, waiting for the disk", 5, ONE)
              .judge(race.ratio(MANY, ONE, Sample.RATE)));
      outcome.explain(race, MANY);
    }
  }

  private static final class Agents implements Contestant {
    private final Lab lab;
    private final Actor actor;
    private final String what;
    private final int agents;
    private final int count;

    Agents(Lab lab, String what, int agents, int count) throws IOException {
      this.lab = lab;
      this.actor = lab.actor(Deciding.class);
      this.what = what;
      this.agents = agents;
      this.count = count;
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder();
      Cue answer = actor.ask("done", what, folder, agents, count);
      Sample sample = Sample.rate(count, answer.time());
      if (what.equals("mixed")) {
        sample =
            sample
                .and(P50, answer.time() / 1e3)
                .and(P99, answer.time() / 1e3)
                .and(MEMORY, answer.time() / 1e6);
      }
      Lab.delete(folder);
      return sample;
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}

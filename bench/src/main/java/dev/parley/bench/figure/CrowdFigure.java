package dev.parley.bench.figure;

import dev.parley.bench.agent.Crowd;
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

/** 1,000 agents with 1,000 messages each. */
final class CrowdFigure implements Figure {
  private static final int[] AGENTS = {10, 100, 1_000};
  private static final String SEND = "send";
  private static final String LIST = "list";

  @Override
  public String name() {
    return "crowd";
  }

  @Override
  public String title() {
    return "1,000 agents with 1,000 messages each";
  }

  @Override
  public String method() {
    return """
    Every agent has joined and has 1,000 messages in its inbox. One process sends to agent after agent, and looks \
    into the inbox of each as a program that has just started would, folding all 1,000 messages: medians of single operations.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    try (Race race = new Race(lab)) {
      for (int agents : AGENTS) {
        race.enter("agents: " + agents, in -> new Many(in, agents));
      }
      race.run(lab.size(3, 1));
      outcome.take(race, SEND, Unit.MICROS, "send to the next agent");
      outcome.take(race, LIST, Unit.MICROS, "fold an inbox of 1,000");
    }
  }

  private static final class Many implements Contestant {
    private final Path folder;
    private final Actor actor;
    private final int agents;
    private final int times;

    Many(Lab lab, int agents) throws IOException, InterruptedException {
      this.folder = lab.newFolder();
      this.actor = lab.actor(Crowd.class);
      this.agents = agents;
      this.times = lab.size(1_000, 100);
      var _ = actor.ask("filled", "fill", folder, agents, lab.size(1_000, 100));
    }

    @Override
    public Sample round() throws Exception {
      Cue measured = actor.ask("measured", "measure", folder, agents, times);
      return Sample.of(SEND, measured.time() / 1e3).and(LIST, measured.time() / 1e3);
    }

    @Override
    public void close() throws IOException {
      actor.close();
      Lab.delete(folder);
    }
  }
}

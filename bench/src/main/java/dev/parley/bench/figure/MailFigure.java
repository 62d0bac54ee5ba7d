package dev.parley.bench.figure;

import dev.parley.bench.agent.Corresponding;
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
import java.nio.file.Path;

/** Mail sent and received between two processes, beside the bare log. */
final class MailFigure implements Figure {
  private static final String RATE = "rate";
  private static final String MAIL = "mail service";
  private static final String LOG = "bare log (publish, feed)";

  @Override
  public String name() {
    return "mail";
  }

  @Override
  public String title() {
    return "Mail: a message sent and received between two processes";
  }

  @Override
  public String method() {
    return """
    Two processes write to each other in turn, each waiting for the other's message before it sends the next. \
    Mail: `Mail.await`, then `Mail.reply`, which checks presence, recipient and inbox limit, sends, notes what \
    was sent, and ends the message that was answered. Bare log: `Bus.publish` and `Feed.next`. A pair is one message sent and received.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(10_000, 300);
    try (Race race = new Race(lab)) {
      race.enter(MAIL, in -> new Pair(in, "mail", count))
          .enter(LOG, in -> new Pair(in, "log", count))
          .runCrowded();
      outcome.take(race, RATE, Unit.PER_SECOND, "pairs");
      outcome.verdict(
          Bar.atLeast("mail between two processes", 0.5, LOG).judge(race.ratio(MAIL, LOG, RATE)));
      outcome.explain(race, MAIL);
    }
  }

  private static final class Pair implements Contestant {
    private final Lab lab;
    private final String what;
    private final int count;
    private final Actor alice;
    private final Actor bob;

    Pair(Lab lab, String what, int count) throws IOException {
      this.lab = lab;
      this.what = what;
      this.count = count;
      this.alice = lab.actor(Corresponding.class);
      this.bob = lab.actor(Corresponding.class);
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder();
      var _ = bob.ask("ready", what, folder, "bob", "alice", count, 0);
      var _ = alice.ask("ready", what, folder, "alice", "bob", count, 1);
      double nanos = alice.hear("done").time();
      var _ = bob.hear("done");
      Lab.delete(folder);
      return Sample.of(RATE, 2.0 * count * 1e9 / nanos);
    }

    @Override
    public void close() {
      alice.close();
      bob.close();
    }
  }
}

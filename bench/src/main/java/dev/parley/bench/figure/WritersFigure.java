package dev.parley.bench.figure;

import dev.parley.bench.carrier.Carrier;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;

/** Four processes publishing to one topic. */
final class WritersFigure implements Figure {
  private static final int PROCESSES = 4;
  private static final String OURS = "Parley, one at a time";
  private static final String ASYNCHRONOUS = "Parley, asynchronous";
  private static final String CHRONICLE = "Chronicle Queue";
  private static final String BARE = "bare loop in four processes";
  private static final String WRITE = "nothing but the write in four processes";

  @Override
  public String name() {
    return "writers";
  }

  @Override
  public String title() {
    return "Four processes publishing to one topic";
  }

  @Override
  public String method() {
    return """
    Four processes publish one message at a time to one topic; from the first start to the last end. \
    Afterwards a reader counts: it must find all, and ours none twice, none missing, nothing damaged. \
    The bare loop (write, lseek) makes the same system calls; \
    nothing but the write is what no log that writes each message by itself can pass.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    int count = lab.size(100_000, 5_000);
    try (Race race = new Race(lab)) {
      race.enter(OURS, in -> new Senders(in, "parley", PROCESSES, 1, count, true))
          .enter(
              ASYNCHRONOUS,
              in -> new Senders(in, "parley", PROCESSES, Carrier.ASYNCHRONOUS, count, true))
          .enter(CHRONICLE, in -> new Senders(in, "chronicle", PROCESSES, 1, count, true))
          .enter(BARE, in -> new Senders(in, "bare", PROCESSES, 1, count, true))
          .enter(WRITE, in -> new Senders(in, "write", PROCESSES, 1, count, true))
          .runCrowded();
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "messages of all four");
      outcome.take(race, Senders.WRONG, Unit.MESSAGES, "lost or doubled");
      String what = "four processes, one topic";
      outcome.verdict(Bar.atLeast(what, 0.6, BARE).judge(race.ratio(OURS, BARE, Sample.RATE)));
      outcome.verdict(
          Bar.atLeast(what, 0.5, CHRONICLE).judge(race.ratio(OURS, CHRONICLE, Sample.RATE)));
      outcome.verdict(
          Bar.atLeast("the same, asynchronous", 0.5, CHRONICLE)
              .judge(race.ratio(ASYNCHRONOUS, CHRONICLE, Sample.RATE)));
      outcome.verdict(
          Bar.absolute(what, Bar.Sense.AT_MOST, 0, "lost or doubled")
              .judge(race.median(OURS, Senders.WRONG)));
      outcome.explain(race, OURS);
    }
  }
}

package dev.parley.bench.figure;

import dev.parley.bench.agent.Attending;
import dev.parley.bench.measure.Chart;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Stats;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Actor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What an append costs while processes wait for it. */
final class WaitersFigure implements Figure {
  /** How long waiters have to wake up and go back to sleep before the next append. */
  private static final int GAP_MILLIS = 100;

  private static final int APPENDS = 30;

  private static final int STARTED_AT_ONCE = 4;

  @Override
  public String name() {
    return "waiters";
  }

  @Override
  public String title() {
    return "An append with 0, 1, 50 and 200 waiting processes";
  }

  @Override
  public String method() {
    return """
    So many processes (JVMs with a heap of 32 MB) have a subscription to the topic; one publishes every \
    100 ms, long enough for all to wake up and wait again, and the time of each publish is taken. Levels run one after the other: starting the processes \
    takes longer than measuring. Shown, no bar.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) throws Exception {
    int[] levels = lab.isQuick() ? new int[] {0, 1, 10} : new int[] {0, 1, 10, 50, 200};
    Chart chart =
        new Chart(
            "growth-waiters",
            "One append against waiting processes",
            "waiting processes (0 drawn at 0.5)",
            "microseconds, p50");
    Path folder = lab.newFolder();
    List<Actor> waiters = new ArrayList<>();
    try (Actor publisher = lab.actor(Attending.class)) {
      var _ = publisher.ask("appended", "append", folder, 20_000, 0);
      for (int level : levels) {
        grow(lab, folder, waiters, level);
        List<Double> medians = new ArrayList<>();
        for (int round = 0; round <= lab.size(3, 1); round++) {
          double p50 =
              publisher.ask("appended", "append", folder, APPENDS, GAP_MILLIS).time() / 1e3;
          if (round > 0) {
            medians.add(p50);
          }
        }
        Stats stats = Stats.of(medians);
        outcome.row("Parley, waiting: " + level, "one append", Unit.MICROS, stats);
        double x = level == 0 ? 0.5 : level;
        chart.label(x, "" + level);
        chart.add("Parley, one append", x, stats.median());
        System.err.print(".");
      }
    } finally {
      waiters.forEach(Actor::close);
    }
    outcome.chart(chart);
    Lab.delete(folder);
  }

  private static void grow(Lab lab, Path folder, List<Actor> waiters, int to) throws Exception {
    while (waiters.size() < to) {
      int first = waiters.size();
      for (int i = first; i < Math.min(to, first + STARTED_AT_ONCE); i++) {
        Actor waiter = lab.actor(Attending.class, Actor.LIGHT);
        waiters.add(waiter);
        waiter.tell("listen", folder);
      }
      for (Actor waiter : waiters.subList(first, waiters.size())) {
        var _ = waiter.hear("attending");
      }
    }
  }
}

package dev.parley.filelog.testing;

import dev.parley.core.Limits;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.FeedStart;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.store.FileCursors;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process with a subscription and a durable cursor, which ends with its input. For each line of
 * input it prints the number of messages it received.
 */
public final class SoakMain {
  private SoakMain() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    AtomicLong given = new AtomicLong();
    FileLog log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
    try (Bus bus = new Bus(log, new FileCursors(folder), report -> report(report));
        var _ =
            bus.subscribe(
                new Prefix(new Topic(args[1])),
                FeedStart.cursor("soak"),
                envelope -> given.incrementAndGet())) {
      System.out.println("given 0");
      while (System.in.read() >= 0) {
        System.out.println("given " + given.get());
      }
    }
  }

  private static void report(Report report) {
    // A killed writer may leave a fragment; any other damage is an error.
    if (!(report instanceof Report.Damaged)) {
      System.out.println("report " + report.describe());
    }
  }
}

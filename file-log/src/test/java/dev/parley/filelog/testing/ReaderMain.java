package dev.parley.filelog.testing;

import dev.parley.core.Limits;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process that follows a topic until its input ends, then prints what it saw, in one line. */
public final class ReaderMain {
  private ReaderMain() {}

  public static void main(String[] args) throws Exception {
    Topic topic = new Topic(args[1]);
    Limits limits = new Limits(Integer.parseInt(args[2]), Limits.DEFAULT_DEPTH);
    PollingInterval often = new PollingInterval(Duration.ofMillis(2), Duration.ofMillis(20));
    AtomicBoolean finishing = new AtomicBoolean();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            while (System.in.read() >= 0) {}
          } catch (java.io.IOException e) {
            // The test has ended.
          }
          finishing.set(true);
        });
    try (FileLog log = new FileLog(Path.of(args[0]), limits, often);
        var doorbell = log.doorbell(new Prefix(topic))) {
      ReaderFindings reading = new ReaderFindings(topic);
      while (true) {
        boolean last = finishing.get();
        reading.readOn(log);
        if (last) {
          break;
        }
        var _ = doorbell.await(Duration.ofMillis(50));
      }
      System.out.println(reading.summary());
    }
  }
}

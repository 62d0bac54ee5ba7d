package dev.parley.bench.foreign;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.core.Prefix;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Takes a whole file into the log, or reads what was taken.
 *
 * <pre>
 * pull   folder queue   pulled nanos         a bus that has never seen the queue takes all of it
 * replay folder         replayed nanos count what the topic holds afterwards, through a feed
 * </pre>
 */
public final class Taking implements Role {
  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    Path folder = Path.of(cue.word());
    if (what.equals("pull")) {
      Path queue = Path.of(cue.word());
      try (Mounts mounts = Bridging.mounts(folder)) {
        var _ = mounts.add(Dialect.CONDUCTOR, queue, null, null);
        long from = System.nanoTime();
        mounts.sync();
        stage.say("pulled", System.nanoTime() - from);
      }
    } else {
      long from = System.nanoTime();
      long count = replay(folder);
      stage.say("replayed", System.nanoTime() - from, count);
    }
  }

  private static long replay(Path folder) {
    ParleyCarrier.Reports reports = new ParleyCarrier.Reports();
    long count = 0;
    try (Bus bus = Bridging.bus(folder).open(reports);
        Feed feed = bus.feed(Prefix.of("conductor"), FeedStart.BEGINNING)) {
      while (feed.poll() != null) {
        count++;
      }
    }
    reports.check();
    return count;
  }

  /** Writes a queue of so many bytes; answers how many messages that are. */
  public static int fill(Path queue, long bytes) throws IOException {
    var _ = Dialect.CONDUCTOR.create(queue);
    int count = 0;
    long written = 0;
    try (BufferedWriter out = Files.newBufferedWriter(queue.resolve("queue.jsonl"))) {
      while (written < bytes) {
        String line = ForeignTool.report(Integer.toHexString(0x10000000 + count));
        out.write(line);
        written += line.length();
        count++;
      }
    }
    return count;
  }
}

package dev.parley.bench.foreign;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.core.Prefix;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.dialects.mount.Bridge;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A bridge, or the two who write to each other across it.
 *
 * <pre>
 * mount  folder dialect          ready           makes the design's files and mounts them
 * bridge folder                  ready, ended    keeps the mounts current until told to end
 * in     folder dialect count    took p50 p99    written by the tool → read on the bus, in ns
 * back   folder dialect count    took p50 p99    published → stands in the tool's files
 * </pre>
 */
public final class Bridging implements Role {
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration BETWEEN = Duration.ofMillis(5);
  private static final Duration LOOK = Duration.ofNanos(200_000);

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    Path folder = Path.of(cue.word());
    switch (what) {
      case "mount" -> {
        mount(folder, Dialect.named(cue.word()));
        stage.say("ready");
      }
      case "bridge" -> bridge(folder, stage);
      case "in", "back" -> {
        Dialect dialect = Dialect.named(cue.word());
        ForeignTool tool = ForeignTool.of(dialect, files(folder, dialect));
        long[] times = new long[cue.number()];
        try (Bus bus = bus(folder).open(new ParleyCarrier.Reports())) {
          if (what.equals("in")) {
            in(bus, tool, times);
          } else {
            back(bus, tool, times);
          }
        }
        Arrays.sort(times);
        stage.say("took", times[(times.length - 1) / 2], times[(times.length - 1) * 99 / 100]);
      }
      default -> throw new IllegalArgumentException(what);
    }
  }

  static Path files(Path folder, Dialect dialect) {
    return folder.resolve("tool").resolve(dialect.usualName());
  }

  static BusFolder bus(Path folder) {
    return BusFolder.init(
            folder.resolve(BusFolder.NAME),
            folder,
            Map.of("PARLEY_STATE", folder.toAbsolutePath().resolve("state").toString()))
        .folder();
  }

  static Mounts mounts(Path folder) {
    return new Mounts(
        bus(folder),
        new ParleyCarrier.Reports(),
        remark -> {
          throw new IllegalStateException(remark.describe());
        });
  }

  static void mount(Path folder, Dialect dialect) throws Exception {
    try (Mounts mounts = mounts(folder)) {
      Path files = files(folder, dialect);
      var _ = dialect.create(files);
      var _ = mounts.add(dialect, files, null, null);
      mounts.sync();
    }
  }

  /** Until the process ends: whoever started it ends it. */
  private static void bridge(Path folder, Stage stage) throws Exception {
    try (Mounts mounts = mounts(folder);
        Bridge bridge = new Bridge(mounts)) {
      stage.say("ready");
      bridge.run();
    }
  }

  private static void in(Bus bus, ForeignTool tool, long[] times) throws Exception {
    try (Feed feed = bus.feed(new Prefix(tool.readOn()), FeedStart.END)) {
      for (int i = 0; i < times.length; i++) {
        LockSupport.parkNanos(BETWEEN.toNanos());
        long from = System.nanoTime();
        tool.write("in-" + from);
        if (feed.next(WAIT) == null) {
          throw new IllegalStateException("nothing came");
        }
        times[i] = System.nanoTime() - from;
      }
    }
  }

  private static void back(Bus bus, ForeignTool tool, long[] times) throws Exception {
    for (int i = 0; i < times.length; i++) {
      LockSupport.parkNanos(BETWEEN.toNanos());
      long from = System.nanoTime();
      String mark = "back-" + from;
      var _ = bus.publish(tool.publishedOn(), tool.published(mark));
      while (!tool.sees(mark)) {
        if (System.nanoTime() - from > WAIT.toNanos()) {
          throw new IllegalStateException("it did not get there");
        }
        LockSupport.parkNanos(LOOK.toNanos());
      }
      times[i] = System.nanoTime() - from;
    }
  }
}

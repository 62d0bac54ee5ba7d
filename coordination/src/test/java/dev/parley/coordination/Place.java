package dev.parley.coordination;

import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.Reporter;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.testing.BusJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/**
 * Where a team works.
 *
 * @param pass lets a time pass on the clock
 */
public record Place(
    Log log, Views views, Contents contents, InstantSource clock, Consumer<Duration> pass) {
  private static final int MAX_CONTENT = 4 << 20;

  /** Where the log is. */
  public enum Kind {
    IN_MEMORY,
    ON_FILES;

    Place open(Reporter reporter, Path temporary) throws IOException {
      return this == IN_MEMORY ? inMemory(reporter) : onFiles(temporary);
    }
  }

  /** In this process, on a clock that stands still unless it is moved. */
  static Place inMemory(Reporter reporter) {
    ManualClock clock = new ManualClock();
    Log log = new MemoryLog(Limits.DEFAULT, clock, reporter);
    return new Place(log, Views.inMemory(), Contents.inMemory(MAX_CONTENT), clock, clock::pass);
  }

  /** On a bus of files, on the real clock. */
  static Place onFiles(Path temporary) throws IOException {
    Path folder = Files.createTempDirectory(temporary, "bus");
    BusFolder.init(folder, folder, Map.of());
    BusJson.set(folder, "\"maxContent\":" + MAX_CONTENT);
    BusFolder bus = BusFolder.find(folder, folder, Map.of());
    InstantSource clock = InstantSource.system();
    return new Place(
        bus.openLog(), bus.views(), bus.contents(), clock, time -> waitUntil(clock, time));
  }

  private static void waitUntil(InstantSource clock, Duration time) {
    Instant end = clock.instant().plus(time);
    Awaitility.await("the time").until(() -> !clock.instant().isBefore(end));
  }

  /** A team object that remembers nothing: as in another process. */
  public Team team(Reporter reporter) {
    return new Team(log, views, contents, reporter, clock);
  }
}

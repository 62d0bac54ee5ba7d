package dev.parley.coordination;

import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.MemoryLog;
import dev.parley.core.Reporter;
import dev.parley.core.Views;
import dev.parley.filelog.BusFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class TeamTest {
  @Nested
  class InMemory extends TeamContract {
    @Override
    protected Place open(Reporter reporter) {
      ManualClock clock = new ManualClock();
      Log log = new MemoryLog(Limits.DEFAULT, clock, reporter);
      return new Place(log, Views.inMemory(), clock, clock::pass);
    }
  }

  @Nested
  class OnFiles extends TeamContract {
    @TempDir private Path temporary;

    @Override
    protected Place open(Reporter reporter) throws IOException {
      Path folder = Files.createTempDirectory(temporary, "bus");
      BusFolder bus = BusFolder.init(folder, folder, Map.of()).folder();
      InstantSource clock = InstantSource.system();
      return new Place(bus.openLog(), bus.views(), clock, time -> waitUntil(clock, time));
    }

    private static void waitUntil(InstantSource clock, Duration time) {
      Instant end = clock.instant().plus(time);
      Awaitility.await("the time").until(() -> !clock.instant().isBefore(end));
    }
  }
}

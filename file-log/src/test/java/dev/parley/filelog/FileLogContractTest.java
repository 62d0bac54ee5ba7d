package dev.parley.filelog;

import dev.parley.core.Bus;
import dev.parley.core.BusContract;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.LogContract;
import dev.parley.core.Reporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class FileLogContractTest {
  @TempDir private Path temporary;

  private Path newFolder() throws IOException {
    return Files.createTempDirectory(temporary, "bus");
  }

  @Nested
  class IsALog extends LogContract {
    @Override
    protected Log open() throws IOException {
      return new FileLog(newFolder(), Limits.DEFAULT, PollingInterval.DEFAULT);
    }
  }

  @Nested
  class CarriesABus extends BusContract {
    @Override
    protected Bus open(Reporter reporter) throws IOException {
      Path folder = newFolder();
      FileLog log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
      return new Bus(log, new FileCursors(folder), reporter);
    }
  }
}

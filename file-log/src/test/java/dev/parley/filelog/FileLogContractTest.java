package dev.parley.filelog;

import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.LogContract;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.BusContract;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.store.FileCursors;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class FileLogContractTest {
  @TempDir private Path temporary;

  private Path newFolder() throws IOException {
    return Files.createTempDirectory(temporary, "bus");
  }

  @Nested
  class IsALog extends LogContract {
    private @Nullable Path folder;

    @Override
    protected Log open() throws IOException {
      Path made = newFolder();
      if (folder == null) {
        folder = made;
      }
      return new FileLog(made, Limits.DEFAULT, PollingInterval.DEFAULT);
    }

    @Override
    protected Log another() {
      return new FileLog(Objects.requireNonNull(folder), Limits.DEFAULT, PollingInterval.DEFAULT);
    }

    /** The first line is written but for its newline, and then the disk is full for a while. */
    @Override
    protected Log losingAnAnswer() throws IOException {
      ScriptedDisk.Script script =
          new ScriptedDisk.Script() {
            private int writes;

            @Override
            public int take(int length) throws IOException {
              writes++;
              if (writes > 1 && writes < 20) {
                throw new IOException("No space left on device");
              }
              return writes == 1 ? length - 1 : length;
            }
          };
      return new FileLog(
          newFolder(),
          Limits.DEFAULT,
          PollingInterval.DEFAULT,
          Durability.OS,
          new ScriptedDisk(script));
    }

    /** As a writer does whose line was glued to a fragment when it was written first. */
    @Override
    protected boolean storeLastAgain(Log log, Topic topic) throws IOException {
      Path file = Objects.requireNonNull(folder).resolve(topic + ".jsonl");
      String last = Files.readAllLines(file).getLast();
      Files.writeString(file, last + "\n", StandardOpenOption.APPEND);
      return true;
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

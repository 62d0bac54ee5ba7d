package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.testing.OpenFiles;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that uses many topics does not run out of open files. */
class ManyTopicsTest {
  private static final int TOPICS = 3 * ResourceLimits.DEFAULT.appended();

  @TempDir Path folder;

  @Test
  void onlySomeTopicsAreKeptOpenHoweverManyAreUsedAndEachGoesOnCounting() throws Exception {
    Message message = Message.of("alice", "note", Json.NULL);
    try (FileLog log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < TOPICS; i++) {
          Stored stored = log.append(new Topic("t" + i), List.of(message)).getFirst();
          assertThat(stored.seq()).isEqualTo(round);
        }
        // One descriptor for appending and one for reading.
        assertThat(OpenFiles.in(folder))
            .isLessThanOrEqualTo(2L * ResourceLimits.DEFAULT.appended());
      }
    }
    assertThat(OpenFiles.in(folder)).isZero();
  }
}

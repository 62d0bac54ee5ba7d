package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that uses many topics does not run out of open files. */
class ManyTopicsTest {
  private static final int TOPICS = 3 * FileLog.MAX_OPEN;

  @TempDir Path folder;

  @Test
  void onlySomeTopicsAreKeptOpenHoweverManyAreUsedAndEachGoesOnCounting() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
    Message message = Message.of("alice", "note", Json.NULL);
    try (FileLog log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < TOPICS; i++) {
          Stored stored = log.append(new Topic("t" + i), List.of(message)).getFirst();
          assertThat(stored.seq()).isEqualTo(round);
        }
        // One to append with and one to look with.
        assertThat(openFiles()).isLessThanOrEqualTo(2 * FileLog.MAX_OPEN);
      }
    }
    assertThat(openFiles()).isZero();
  }

  private long openFiles() throws IOException {
    String home = folder.toRealPath().toString();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(file -> isIn(home, file)).count();
    }
  }

  private static boolean isIn(String home, Path file) {
    try {
      return Files.readSymbolicLink(file).toString().startsWith(home);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }
}

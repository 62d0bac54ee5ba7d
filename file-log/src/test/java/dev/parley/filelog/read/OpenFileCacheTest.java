package dev.parley.filelog.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Bookmark;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.ResourceLimits;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.testing.OpenFiles;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files stay open between reads, but not too many, not replaced ones, and not after the log is
 * closed.
 */
class OpenFileCacheTest {
  private static final Topic TOPIC = new Topic("hot");

  @TempDir private Path folder;
  private final List<ScriptedDisk.Step> steps = new ArrayList<>();

  private FileLog open() {
    return new FileLog(
        folder, Limits.DEFAULT, PollingInterval.DEFAULT, Durability.OS, ScriptedDisk.noting(steps));
  }

  private static void append(FileLog log, Topic topic, int count) {
    for (int i = 0; i < count; i++) {
      var _ = log.append(topic, List.of(Message.of("alice", "n", Json.of(i))));
    }
  }

  private static Bookmark readAll(FileLog log, Topic topic, Bookmark from) {
    return log.read(topic, from, 1_000).next();
  }

  @Test
  void newLinesAreReadWithOneStatAndTwoReads() {
    try (FileLog writer = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
        FileLog reader = open()) {
      append(writer, TOPIC, 10);
      Bookmark place = readAll(reader, TOPIC, Bookmark.START);
      append(writer, TOPIC, 1);
      steps.clear();

      Bookmark next = readAll(reader, TOPIC, place);

      assertThat(next).isEqualTo(writer.end(TOPIC));
      assertThat(steps)
          .containsExactly(ScriptedDisk.Step.LOOK, ScriptedDisk.Step.READ, ScriptedDisk.Step.READ);
    }
  }

  @Test
  void aProofIsTheSameHoweverMuchWasReadAtOnce() {
    try (FileLog log = open()) {
      append(log, TOPIC, 300);
      for (int limit : new int[] {1, 2, 7, 1_000}) {
        Bookmark place = Bookmark.START;
        for (int left = 300; left > 0; left -= limit) {
          place = log.read(TOPIC, place, limit).next();
          assertThat(place).isEqualTo(log.bookmark(TOPIC, place.position()));
        }
      }
    }
  }

  @Test
  void onlySomeTopicsAreKeptOpenAndNoneAfterClosing() throws Exception {
    List<Topic> topics = new ArrayList<>();
    try (FileLog writer = open()) {
      for (int i = 0; i < 2 * ResourceLimits.DEFAULT.read(); i++) {
        topics.add(new Topic("t" + i));
        append(writer, topics.getLast(), 1);
      }
    }
    try (FileLog log = open()) {
      for (Topic topic : topics) {
        var _ = readAll(log, topic, Bookmark.START);
      }
      assertThat(OpenFiles.in(folder)).isBetween(1L, (long) ResourceLimits.DEFAULT.read());
    }
    assertThat(OpenFiles.in(folder)).isZero();
  }

  @Test
  void aDeletedFileIsClosedWithTheNextRead() throws Exception {
    try (FileLog writer = open()) {
      append(writer, TOPIC, 1);
    }
    try (FileLog log = open()) {
      var _ = readAll(log, TOPIC, Bookmark.START);
      assertThat(OpenFiles.in(folder)).isEqualTo(1);
      Files.delete(log.file(TOPIC));
      var _ = readAll(log, TOPIC, Bookmark.START);
      assertThat(OpenFiles.in(folder)).isZero();
    }
  }
}

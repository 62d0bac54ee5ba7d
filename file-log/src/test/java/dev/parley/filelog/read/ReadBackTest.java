package dev.parley.filelog.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that reads back its own last line gets the same as any other reader. */
class ReadBackTest {
  private static final Topic TOPIC = new Topic("ledger");

  @TempDir Path folder;
  private final List<ScriptedDisk.Step> steps = new ArrayList<>();

  /** A log that records its steps on the disk. */
  private FileLog open() {
    return new FileLog(
        folder, Limits.DEFAULT, PollingInterval.DEFAULT, Durability.OS, ScriptedDisk.noting(steps));
  }

  private static void append(FileLog log, String type, String text) {
    var _ = log.append(TOPIC, List.of(Message.of("ann", type, Json.of(text))));
  }

  private static List<String> types(Batch batch) {
    return batch.envelopes().stream().map(Envelope::type).toList();
  }

  @Test
  void linesOfAnyLengthAreReadBackAsOthersReadThem() {
    Random random = Seed.random("lines read back");
    try (FileLog log = open();
        FileLog other = open()) {
      Bookmark place = Bookmark.START;
      for (int i = 0; i < 500; i++) {
        append(log, "own", "x".repeat(random.nextInt(random.nextInt(10) == 0 ? 20_000 : 300)));
        Batch own = log.read(TOPIC, place, 1);
        Batch others = other.read(TOPIC, place, 10);
        assertThat(own.envelopes().getFirst().toLine())
            .isEqualTo(others.envelopes().getFirst().toLine());
        assertThat(own.next()).isEqualTo(others.next());
        place = own.next();
      }
    }
  }

  @Test
  void itDoesNotTouchTheDisk() {
    try (FileLog log = open()) {
      append(log, "first", "x".repeat(BookmarkProof.WITNESS));
      Bookmark place = log.read(TOPIC, Bookmark.START, 10).next();
      append(log, "second", "");
      steps.clear();
      assertThat(types(log.read(TOPIC, place, 1))).containsExactly("second");
      assertThat(steps).isEmpty();
    }
  }

  @Test
  void whatAnotherAppendedBetweenComesFirst() {
    try (FileLog log = open();
        FileLog other = open()) {
      append(log, "first", "x".repeat(BookmarkProof.WITNESS));
      Bookmark place = log.read(TOPIC, Bookmark.START, 10).next();
      append(other, "theirs", "");
      append(log, "ours", "");
      Batch one = log.read(TOPIC, place, 1);
      assertThat(types(one)).containsExactly("theirs");
      assertThat(types(log.read(TOPIC, one.next(), 1))).containsExactly("ours");
    }
  }

  @Test
  void aReadOfSeveralLinesReturnsWhatIsThere() {
    try (FileLog log = open();
        FileLog other = open()) {
      append(log, "first", "x".repeat(BookmarkProof.WITNESS));
      Bookmark place = log.read(TOPIC, Bookmark.START, 10).next();
      append(log, "ours", "");
      append(other, "theirs", "");
      assertThat(types(log.read(TOPIC, place, 2))).containsExactly("ours", "theirs");
    }
  }

  @Test
  void aTopicReplacedSinceIsNoticedByTheNextRead() throws IOException {
    try (FileLog log = open()) {
      append(log, "first", "x".repeat(BookmarkProof.WITNESS));
      Bookmark place = log.read(TOPIC, Bookmark.START, 10).next();
      append(log, "second", "");
      Bookmark next = log.read(TOPIC, place, 1).next();
      Path file = log.file(TOPIC);
      Files.writeString(
          file, Files.readString(file).replace("second", "secret") + "{\"type\":\"more\"}\n");
      assertThatThrownBy(() -> log.read(TOPIC, next, 1)).isInstanceOf(LostPlaceException.class);
    }
  }
}

package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * An append after any bytes at the end of a file is read whole. CodecFuzzTest explains the method.
 */
class TornTailFuzzTest {
  private static final Topic TOPIC = new Topic("fuzz");

  @FuzzTest(maxDuration = "10m")
  void aLineAppendedBehindAnyBytesIsReadAndTheBytesBeforeItStay(byte[] before) throws IOException {
    Path folder = Files.createTempDirectory("tail-fuzz");
    Path file = folder.resolve("fuzz.jsonl");
    try (FileLog log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      Files.write(file, before);

      Stored stored =
          log.append(TOPIC, List.of(Message.of("ours", "n", Json.of("behind")))).getFirst();

      byte[] after = Files.readAllBytes(file);
      assertThat(Arrays.copyOf(after, before.length)).isEqualTo(before);
      assertThat(stored.position().value()).isEqualTo(after.length);
      Batch batch = log.read(TOPIC, Bookmark.START, 1 << 20);
      assertThat(batch.envelopes().getLast().id()).isEqualTo(stored.id());
      assertThat(batch.envelopes().getLast().position()).isEqualTo(stored.position());
      for (Damage damage : batch.damage()) {
        assertThat(damage.offset().value() + damage.length()).isLessThanOrEqualTo(after.length);
      }
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }
}

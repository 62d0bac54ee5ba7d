package dev.parley.dialects.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.conductor.ConductorFiles;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.ForeignMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChunksTest {
  private static final String QUEUE = "queue.jsonl";

  @TempDir Path folder;

  private ConductorFiles large() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; lines.length() < 1 << 20; i++) {
      lines.append(
          "{\"id\":\"msg-%07d\",\"type\":\"PROGRESS\",\"source\":\"w\",\"payload\":{}}\n"
              .formatted(i));
    }
    Files.writeString(folder.resolve(QUEUE), lines);
    return new ConductorFiles(folder, new Topic("conductor"));
  }

  @Test
  void thePartsTogetherAreTheFile() throws Exception {
    int messages = 0;
    try (FileChunks chunks = new FileChunks(large(), QUEUE, 1 << 20, 0, 1000)) {
      do {
        messages += chunks.current().found().messages().size();
        if (chunks.current().isFull()) {
          chunks.lookAhead();
        }
      } while (chunks.advance());
      assertThat(chunks.current().end()).isEqualTo(Files.size(folder.resolve(QUEUE)));
    }
    assertThat(messages).isEqualTo(Files.readAllLines(folder.resolve(QUEUE)).size());
  }

  /** A round may fail in the middle of a file: then nobody reads on behind its back. */
  @Test
  void closingInTheMiddleWaitsForThePresentRead() throws Exception {
    Gated files = new Gated(large());
    Thread closing = Thread.currentThread();
    try (FileChunks chunks = new FileChunks(files, QUEUE, 1 << 20, 0, 1 << 16)) {
      files.shut = true;
      chunks.lookAhead();
      Awaitility.await().until(() -> files.reading.get() == 1);
      var _ =
          Thread.startVirtualThread(() -> {
            Awaitility.await().until(() -> closing.getState() == Thread.State.WAITING);
            files.gate.countDown();
          });
    }
    assertThat(files.reading).hasValue(0);
  }

  /** Files whose parts are read when a gate is open, and that know how many are being read. */
  private static final class Gated implements AppendedFiles<Json> {
    final CountDownLatch gate = new CountDownLatch(1);
    final AtomicInteger reading = new AtomicInteger();
    volatile boolean shut;
    private final ConductorFiles files;

    Gated(ConductorFiles files) {
      this.files = files;
    }

    @Override
    public ForeignMessage.Found<ForeignMessage> read(
        String name, byte[] added, int linesBefore, FileRemark.Sink remarks) {
      reading.incrementAndGet();
      try {
        if (shut) {
          gate.await();
        }
        return files.read(name, added, linesBefore, remarks);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        reading.decrementAndGet();
      }
    }

    @Override
    public Path path(String name) {
      return files.path(name);
    }

    @Override
    public List<String> names() {
      return files.names();
    }

    @Override
    public Codec<Json> codec() {
      return files.codec();
    }

    @Override
    public String id(Json message) {
      return files.id(message);
    }

    @Override
    public String fileOf(Topic topic) {
      return files.fileOf(topic);
    }

    @Override
    public Topic topicOf(String name) {
      return files.topicOf(name);
    }

    @Override
    public Json answering(Json message, String foreign) {
      return files.answering(message, foreign);
    }

    @Override
    public void append(String name, Json message) {
      files.append(name, message);
    }
  }
}

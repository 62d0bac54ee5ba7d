package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Seed;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.codec.Resummed;
import dev.parley.core.json.Json;
import dev.parley.core.store.Cursors;
import dev.parley.core.writer.WriterId;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.testing.WriterProcess;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another program writes lines under the id of a live writer, with a higher seq, so the writer's
 * next lines look like repeats to readers. Acknowledged messages must still be read, once.
 */
class ForgedLinesTest {
  private static final Topic TOPIC = new Topic("muted");
  private static final int EACH = Seed.isLong() ? 50_000 : 3_000;

  @TempDir Path folder;

  private FileLog open() {
    return new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
  }

  private static Stored append(FileLog log, String text) {
    return log.append(TOPIC, List.of(Message.of("ours", "n", Json.of(text)))).getFirst();
  }

  private static String forged(Topic topic, WriterId writer, long seq) {
    return Resummed.line(
        "{\"id\":\"%s\",\"seq\":%d,\"timestamp\":\"2026-11-15T21:28:00.123456Z\",\"sender\":\"forger\",\"topic\":\"%s\",\"type\":\"forged\"}"
            .formatted(writer.id(seq), seq, topic));
  }

  private void write(Topic topic, String line) throws IOException {
    Files.writeString(
        folder.resolve(topic + ".jsonl"),
        line + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** The messages that a feed delivers, without those of the forger. */
  private static List<String> delivered(Path folder, Topic topic) {
    List<String> texts = new ArrayList<>();
    try (Bus bus =
            new Bus(
                new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT),
                Cursors.inMemory(),
                report -> {});
        Feed feed = bus.feed(new Prefix(topic), FeedStart.BEGINNING)) {
      for (Envelope line = feed.poll(); line != null; line = feed.poll()) {
        if (!line.sender().equals("forger")) {
          texts.add(String.valueOf(line.payload().text()));
        }
      }
    }
    return texts;
  }

  @Test
  void aLineAfterAForgedOneIsStoredUnderANewIdAndReadOnce() throws Exception {
    try (FileLog log = open()) {
      Stored first = append(log, "one");
      write(TOPIC, forged(TOPIC, first.writer(), 999_999_999L));
      Stored second = append(log, "two");
      assertThat(second.writer()).isNotEqualTo(first.writer());
      assertThat(second.seq()).isEqualTo(1);
      Stored third = append(log, "three");
      assertThat(third.writer()).isEqualTo(second.writer());
      assertThat(third.seq()).isEqualTo(2);
    }
    assertThat(delivered(folder, TOPIC)).containsExactly("one", "two", "three");
  }

  @Test
  void theNextSeqIsEnoughAndAnyOrderOfKeys() throws Exception {
    try (FileLog log = open()) {
      Stored first = append(log, "one");
      String line = forged(TOPIC, first.writer(), 2).replaceFirst("\"id\":\"[^\"]+\",", "");
      write(
          TOPIC,
          Resummed.line(
              line.replaceFirst(",\"sum.*", ", \"id\" : \"" + first.writer().id(77) + "\"}")));
      append(log, "two");
    }
    assertThat(delivered(folder, TOPIC)).containsExactly("one", "two");
  }

  @Test
  void whatReadersPassOverAnywayIsNoReasonForANewId() throws Exception {
    try (FileLog log = open()) {
      Stored first = append(log, "one");
      String line = forged(TOPIC, first.writer(), 50);
      write(TOPIC, line.replaceFirst(",\"sum\".*", "}"));
      write(TOPIC, line.replace("forger", "forges"));
      write(TOPIC, forged(TOPIC, first.writer(), 1));
      write(TOPIC, "{\"type\":\"reply\",\"replyTo\":\"" + first.id() + "\",\"sender\":\"forger\"}");
      assertThat(append(log, "two").writer()).isEqualTo(first.writer());
    }
    assertThat(delivered(folder, TOPIC)).containsExactly("one", "two");
  }

  @Test
  void anIdThatIsSeenInOneTopicIsOfNoUseInAnother() throws Exception {
    Topic other = new Topic("other");
    try (FileLog log = open()) {
      Stored first = append(log, "one");
      write(other, forged(other, first.writer(), 999));
      var _ = log.append(other, List.of(Message.of("ours", "n", Json.of("two"))));
    }
    assertThat(delivered(folder, other)).containsExactly("two");
  }

  @Test
  void aBatchOfWhichTheForgerCutOffTheRestIsReadWhole() throws Exception {
    List<Message> batch = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      batch.add(Message.of("ours", "n", Json.of("b" + i)));
      texts.add("b" + i);
    }
    try (FileLog log = open()) {
      Stored first = append(log, "one");
      write(TOPIC, forged(TOPIC, first.writer(), 20));
      List<Stored> stored = log.append(TOPIC, batch);
      assertThat(stored).hasSize(50);
      // Lines up to seq 20 were passed over and stored again; the others were not.
      assertThat(stored.subList(0, 19)).extracting(Stored::writer).doesNotContain(first.writer());
      assertThat(stored.subList(19, 50)).extracting(Stored::writer).containsOnly(first.writer());
    }
    texts.addFirst("one");
    assertThat(delivered(folder, TOPIC)).containsExactlyInAnyOrderElementsOf(texts);
  }

  /** Follows a topic and writes under every id it sees, until it is told to end. */
  private static final class Forger implements AutoCloseable {
    private final Path file;
    private final Random random;
    private final AtomicInteger count = new AtomicInteger();
    private final Thread thread;
    private volatile boolean ended;

    Forger(Path file, Random random) {
      this.file = file;
      this.random = random;
      this.thread = Thread.ofPlatform().start(this::run);
    }

    private void run() {
      try {
        while (!ended && !Files.exists(file)) {
          Thread.onSpinWait();
        }
        try (RandomAccessFile topic = new RandomAccessFile(file.toFile(), "r")) {
          while (!ended) {
            long length = topic.length();
            byte[] end = new byte[(int) Math.min(length, 4096)];
            topic.seek(length - end.length);
            topic.readFully(end);
            forge(new String(end, StandardCharsets.ISO_8859_1));
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private void forge(String end) throws IOException {
      int at = end.lastIndexOf("{\"id\":\"");
      if (at < 0 || at + 24 > end.length() || random.nextInt(3) == 0) {
        return;
      }
      WriterId writer = WriterId.in(end.substring(at + 7, at + 24) + "1");
      if (writer != null) {
        long seq = random.nextBoolean() ? 1 + random.nextInt(5000) : 1L << random.nextInt(59);
        String line = forged(TOPIC, writer, seq) + "\n";
        Files.writeString(file, line, StandardOpenOption.APPEND);
        count.incrementAndGet();
      }
    }

    /** Waits until the first line is forged, so that other writers write beside forged lines. */
    void awaitFirst() {
      while (count.get() == 0) {
        assertThat(thread.isAlive()).as("the forger works").isTrue();
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      ended = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void besideAForgerEveryAcknowledgedMessageOfSeveralThreadsIsReadOnce() throws Exception {
    Random random = Seed.random("forger beside threads");
    List<String> expected = new ArrayList<>();
    List<Thread> writers = new ArrayList<>();
    List<Throwable> troubles = new ArrayList<>();
    int forged;
    try (Forger forger = new Forger(folder.resolve(TOPIC + ".jsonl"), random)) {
      for (int w = 0; w < 3; w++) {
        String name = "w" + w;
        int batch = 1 + 4 * w;
        for (int i = 0; i < EACH; i++) {
          expected.add(name + "-" + i);
        }
        writers.add(
            Thread.ofPlatform()
                .start(() -> {
                  try (FileLog log = open()) {
                    for (int i = 0; i < EACH; i += batch) {
                      List<Message> messages = new ArrayList<>();
                      for (int j = i; j < Math.min(EACH, i + batch); j++) {
                        messages.add(Message.of("ours", "n", Json.of(name + "-" + j)));
                      }
                      assertThat(log.append(TOPIC, messages)).hasSameSizeAs(messages);
                    }
                  } catch (RuntimeException | AssertionError e) {
                    synchronized (troubles) {
                      troubles.add(e);
                    }
                  }
                }));
        forger.awaitFirst();
      }
      for (Thread writer : writers) {
        writer.join();
      }
      forged = forger.count.get();
    }
    assertThat(troubles).isEmpty();
    assertThat(forged).isPositive();
    assertThat(delivered(folder, TOPIC)).containsExactlyInAnyOrderElementsOf(expected);
    Seed.say(forged + " forged lines beside " + expected.size() + " acknowledged, each read once");
  }

  @Test
  void besideAForgerEveryAcknowledgedMessageOfSeveralProcessesIsReadOnce() throws Exception {
    Random random = Seed.random("forger beside processes");
    try (TestFolder home = TestFolder.onDisk()) {
      Path file = home.resolve(TOPIC + ".jsonl");
      WriterProcess.Plan plan = WriterProcess.Plan.small(home, TOPIC);
      List<WriterProcess> writers =
          List.of(plan.start(random), plan.with(1, 7).start(random), plan.with(3, 2).start(random));
      try {
        writers.forEach(WriterProcess::awaitReady);
        int forged;
        try (Forger forger = new Forger(file, random)) {
          for (WriterProcess writer : writers) {
            writer.go(EACH);
            forger.awaitFirst();
          }
          for (WriterProcess writer : writers) {
            writer.finish();
          }
          forged = forger.count.get();
        }
        List<String> expected = new ArrayList<>();
        for (WriterProcess writer : writers) {
          assertThat(writer.troubles()).isEmpty();
          writer.acks().forEach(ack -> expected.add(ack.sender() + " " + ack.key()));
        }
        List<String> read = new ArrayList<>();
        try (Bus bus =
                new Bus(
                    new FileLog(home.path(), Limits.DEFAULT, PollingInterval.DEFAULT),
                    Cursors.inMemory(),
                    report -> {});
            Feed feed = bus.feed(new Prefix(TOPIC), FeedStart.BEGINNING)) {
          for (Envelope line = feed.poll(); line != null; line = feed.poll()) {
            if (!line.sender().equals("forger")) {
              read.add(line.sender() + " " + line.key());
            }
          }
        }
        assertThat(expected).hasSize(3 * EACH);
        assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
        Seed.say(forged + " forged lines beside " + read.size() + " of processes, each read once");
      } finally {
        writers.forEach(TestProcess::close);
      }
    }
  }
}

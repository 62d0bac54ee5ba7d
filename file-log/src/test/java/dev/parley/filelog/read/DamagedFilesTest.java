package dev.parley.filelog.read;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of 200 lines that is damaged after it was written. */
class DamagedFilesTest {
  private static final Topic TOPIC = new Topic("damaged");
  private static final int LINES = 200;
  private static final int FLIPS = Seed.isLong() ? 100_000 : 10_000;

  @TempDir Path folder;
  private Path file;
  private FileLog log;
  private byte[] original;

  @BeforeEach
  void writeTheLog() throws Exception {
    log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
    file = log.file(TOPIC);
    for (int i = 0; i < LINES; i++) {
      Json payload = Json.object().put("n", i).put("text", "grüße \"" + "y".repeat(i % 17)).build();
      var _ = log.append(TOPIC, List.of(Message.of("alice", "note", payload)));
    }
    original = Files.readAllBytes(file);
  }

  /** The result of reading: envelopes by their end, damage by its start. */
  private record Read(Map<Long, Envelope> envelopes, Map<Long, Damage> damage) {}

  private Read readAll() {
    Read read = new Read(new TreeMap<>(), new TreeMap<>());
    Bookmark place = Bookmark.START;
    while (true) {
      Batch batch = log.read(TOPIC, place, 64);
      batch.envelopes().forEach(line -> read.envelopes.put(line.position().value(), line));
      batch.damage().forEach(line -> read.damage.put(line.offset().value(), line));
      if (batch.next().equals(place)) {
        return read;
      }
      place = batch.next();
    }
  }

  @Test
  void cutAtEveryByteItReadsAsAPrefixOfWhatItWas() throws Exception {
    List<byte[]> lines = readAll().envelopes.values().stream().map(Envelope::toLine).toList();
    assertThat(lines).hasSize(LINES);
    int complete = LINES;
    long end = original.length;
    try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
      for (int size = original.length; size >= 0; size--) {
        cut.setLength(size);
        if (size < end) {
          complete--;
          end -= lines.get(complete).length + 1;
        }
        Read read = readAll();
        assertThat(read.damage).as("cut at " + size).isEmpty();
        assertThat(read.envelopes).as("cut at " + size).hasSize(complete);
        int line = 0;
        for (Envelope envelope : read.envelopes.values()) {
          if (!Arrays.equals(envelope.toLine(), lines.get(line++))) {
            throw new AssertionError("cut at " + size + ": line " + line + " is " + envelope);
          }
        }
      }
    }
    assertThat(complete).isZero();
    Seed.say("cut at each of " + original.length + " bytes: always a prefix");
  }

  @Test
  void aFlippedBitIsReportedAndTouchesNoOtherLine() throws Exception {
    Random random = Seed.random("bit flips");
    int unended = 0;
    int damaged = 0;
    try (RandomAccessFile flipped = new RandomAccessFile(file.toFile(), "rw")) {
      for (int i = 0; i < FLIPS; i++) {
        int at = random.nextInt(original.length);
        byte[] bytes = original.clone();
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        flipped.seek(at);
        flipped.write(bytes[at]);
        int damages = checkEveryLine(bytes, "byte " + at + " is " + bytes[at]);
        // Without its newline the last line is no line yet.
        unended += at == original.length - 1 ? 1 : 0;
        damaged += damages > 0 ? 1 : 0;
        flipped.seek(at);
        flipped.write(original[at]);
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(original);
    assertThat(damaged).isEqualTo(FLIPS - unended);
    Seed.say(FLIPS + " bit flips: " + damaged + " reported as damage, " + unended + " unended");
  }

  /**
   * Checks that each line of the bytes is either read unchanged or reported with its place; returns
   * the number of reported ones.
   */
  private int checkEveryLine(byte[] bytes, String what) {
    Read read = readAll();
    int lines = 0;
    int from = 0;
    String text = new String(bytes, ISO_8859_1);
    String before = new String(original, ISO_8859_1);
    List<String> wrong = new ArrayList<>();
    for (int to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      if (to > from) {
        lines++;
        Envelope envelope = read.envelopes.get(to + 1L);
        Damage damage = read.damage.get((long) from);
        String line = text.substring(from, to);
        boolean asItWas = before.startsWith(line + "\n", from);
        boolean delivered =
            envelope != null && new String(envelope.toLine(), ISO_8859_1).equals(line);
        boolean reported = damage != null && damage.length() == to - from && !asItWas;
        if (delivered == reported) {
          wrong.add("from " + from + ": " + envelope + " " + damage);
        }
      }
      from = to + 1;
    }
    assertThat(wrong).as(what).isEmpty();
    assertThat(read.envelopes.size() + read.damage.size()).as(what).isEqualTo(lines);
    return read.damage.size();
  }

  @Test
  void aLineAppendedBehindATornTailIsWholeAndTheTailIsReported() throws Exception {
    byte[] torn = "{\"type\":\"note\",\"payload\":\"to".getBytes(UTF_8);
    try (RandomAccessFile tail = new RandomAccessFile(file.toFile(), "rw")) {
      tail.seek(original.length);
      tail.write(torn);
    }
    try (FileLog other = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      long position =
          other
              .append(TOPIC, List.of(Message.of("bob", "note", Json.NULL)))
              .getFirst()
              .position()
              .value();
      Read read = readAll();
      assertThat(read.envelopes).hasSize(LINES + 1).containsKey(position);
      assertThat(read.damage).containsOnlyKeys((long) original.length);
      assertThat(read.damage.get((long) original.length).length()).isEqualTo(torn.length);
    }
  }
}

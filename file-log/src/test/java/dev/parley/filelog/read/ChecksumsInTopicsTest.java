package dev.parley.filelog.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.BusSettings;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.health.Finding;
import dev.parley.filelog.health.TopicCheck;
import dev.parley.filelog.trust.TrustPreview;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines with checksums, and those of earlier versions, which have none. */
class ChecksumsInTopicsTest {
  private static final Topic TOPIC = new Topic("summed");
  private static final int FLIPS = Seed.isLong() ? 1_000_000 : 100_000;

  @TempDir Path folder;
  private FileLog log;
  private Path file;

  /** Writes as earlier versions did, without checksums. */
  private final EnvelopeEncoder older = new EnvelopeEncoder(WriterId.random(), TOPIC);

  private long olderSeq;

  @BeforeEach
  void open() {
    log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
    file = log.file(TOPIC);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      var _ = log.append(TOPIC, List.of(Message.of("alice", "note", Json.of("new " + i))));
    }
  }

  private void appendByEarlierVersion(int count) throws IOException {
    JsonBytes lines = new JsonBytes(512);
    for (int i = 0; i < count; i++) {
      Message message = Message.of("old", "note", Json.of("old " + i));
      older.encode(lines, ++olderSeq, olderSeq, Timestamps.ascii(Instant.now()), null, message);
      lines.raw('\n');
    }
    write(lines.toArray());
  }

  private void write(byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Payloads by the position of their line. */
  private record Read(NavigableMap<Long, String> envelopes, List<Damage> damage) {}

  private static Read read(FileLog log, Bookmark from) {
    Read read = new Read(new TreeMap<>(), new ArrayList<>());
    Bookmark place = from;
    while (true) {
      Batch batch = log.read(TOPIC, place, 3);
      batch
          .envelopes()
          .forEach(it -> read.envelopes.put(it.position().value(), it.payload().text()));
      read.damage.addAll(batch.damage());
      if (batch.next().equals(place)) {
        return read;
      }
      place = batch.next();
    }
  }

  @Test
  void everyLineEndsWithOne() throws Exception {
    append(3);
    assertThat(Files.readAllLines(file))
        .allMatch(line -> line.matches(".*,\"sum\":\"[0-9a-f]{8}\"}"));
    assertThat(read(log, Bookmark.START).damage).isEmpty();
  }

  @Test
  void afterTheFirstANativeLineWithoutOneIsDamageForEveryReaderWhereverItBegins() throws Exception {
    appendByEarlierVersion(5);
    long beforeSums = Files.size(file);
    append(4);
    appendByEarlierVersion(3);
    write("{\"type\":\"note\",\"payload\":\"foreign\"}\n".getBytes(StandardCharsets.UTF_8));
    append(2);
    appendByEarlierVersion(1);

    Read all = read(log, Bookmark.START);
    assertThat(all.envelopes.values())
        .containsExactly(
            "old 0", "old 1", "old 2", "old 3", "old 4", "new 0", "new 1", "new 2", "new 3",
            "foreign", "new 0", "new 1");
    assertThat(all.damage).hasSize(4).allMatch(damage -> damage.reason().contains("no checksum"));

    for (Bookmark place : places()) {
      // A reader that has read nothing before this place, and one that has read everything.
      try (FileLog fresh = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
        for (FileLog reader : List.of(fresh, log)) {
          long from = place.position().value();
          Read rest = read(reader, place);
          assertThat(rest.damage)
              .isEqualTo(all.damage.stream().filter(it -> it.offset().value() >= from).toList());
          assertThat(rest.envelopes).isEqualTo(all.envelopes.tailMap(from, false));
        }
      }
    }
    assertThat(all.damage.getFirst().offset().value()).isGreaterThan(beforeSums);
  }

  /** After each line. */
  private List<Bookmark> places() throws IOException {
    List<Bookmark> places = new ArrayList<>(List.of(Bookmark.START));
    long at = 0;
    for (String line : Files.readAllLines(file)) {
      at += line.getBytes(StandardCharsets.UTF_8).length + 1;
      places.add(log.bookmark(TOPIC, new Position(at)));
    }
    return places;
  }

  @Test
  void aTopicThatWasPutBackToAnOlderStateIsReadAsThat() throws Exception {
    appendByEarlierVersion(2);
    byte[] older = Files.readAllBytes(file);
    append(1);
    appendByEarlierVersion(1);
    assertThat(read(log, Bookmark.START).damage).hasSize(1);
    Files.write(file, older); // the same file with other content
    appendByEarlierVersion(4);
    assertThat(read(log, Bookmark.START).damage).isEmpty();
    assertThat(read(log, Bookmark.START).envelopes).hasSize(6);
  }

  @Test
  void doctorFindsALineWithoutOneAndALineThatWasChanged() throws Exception {
    append(2);
    appendByEarlierVersion(1);
    append(1);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 30] ^= 1;
    Files.write(file, bytes);
    List<Finding> findings = new ArrayList<>();
    new TopicCheck(TOPIC, file, Limits.DEFAULT, (topic, done, size) -> {}).run(findings::add);
    assertThat(findings).extracting(Finding::code).containsExactly("damaged-line", "damaged-line");
    assertThat(findings.getFirst().message()).contains("has no checksum");
    assertThat(findings.getLast().message()).contains("was changed");
  }

  @Test
  void anOlderBusIsRaisedToTheNewFormatBeforeTheFirstSumIsWritten() throws Exception {
    Path bus = folder.resolve("bus");
    Files.createDirectory(bus);
    Path settings = bus.resolve(BusSettings.FILE);
    Files.writeString(settings, "{\"format\":1,\"host\":\"h\",\"maxLine\":4096,\"x\":7}");
    String id = TrustPreview.of(BusFolder.look(bus, folder, Map.of()), Map.of()).accept().id();
    try (FileLog opened = BusFolder.find(bus, folder, Map.of()).openLog()) {
      assertThat(opened.read(TOPIC, Bookmark.START, 1).envelopes()).isEmpty();
      assertThat(Files.readString(settings)).contains("\"format\":1");
      var _ = opened.append(TOPIC, List.of(Message.of("a", "note", Json.NULL)));
      assertThat(Files.readString(settings).strip())
          .isEqualTo(
              "{\"format\":2,\"host\":\"h\",\"maxLine\":4096,\"x\":7,\"id\":\"" + id + "\"}");
    }
    assertThat(BusFolder.find(bus, folder, Map.of()).limits().line()).isEqualTo(4096);
  }

  @Test
  void aFlippedBitIsDamage() throws Exception {
    Random random = Seed.random("flips in lines with sums");
    for (int i = 0; i < 10; i++) {
      Message message =
          Message.builder("alice", i % 2 == 0 ? "note" : "task.claim")
              .payload(i % 3 == 0 ? Json.of(i * 1234567L) : Json.of(Seed.nastyText(random, 60)))
              .thread(i % 4 == 1 ? "t" : null)
              .key(i % 4 == 2 ? "k" + i : null)
              .extra("x", Json.of(i))
              .build();
      var _ = log.append(TOPIC, List.of(message));
    }
    // The last line is not changed: without its newline it is no line yet.
    int flippable = (int) Files.size(file);
    append(1);
    byte[] original = Files.readAllBytes(file);
    Set<String> lines = new HashSet<>();
    log.read(TOPIC, Bookmark.START, 100).envelopes().forEach(it -> lines.add(it.toString()));
    int damaged = 0;
    try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
      for (int i = 0; i < FLIPS; i++) {
        int at = random.nextInt(flippable);
        raw.seek(at);
        raw.write(original[at] ^ (1 << random.nextInt(Byte.SIZE)));
        Batch batch = log.read(TOPIC, Bookmark.START, 100);
        boolean isOther = false;
        for (Envelope envelope : batch.envelopes()) {
          isOther |= !lines.contains(envelope.toString());
        }
        damaged += !isOther && !batch.damage().isEmpty() ? 1 : 0;
        raw.seek(at);
        raw.write(original[at]);
      }
    }
    Seed.say(damaged + " of " + FLIPS + " flipped bits in lines with sums are damage");
    assertThat(damaged).isGreaterThanOrEqualTo((int) (FLIPS * 0.9999));
  }
}

package dev.parley.filelog.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.codec.Resummed;
import dev.parley.core.json.Json;
import dev.parley.core.keys.KeyPair;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.keys.LineSignature;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bus whose owner requires signatures. */
class SignedLogTest {
  private static final Topic NOTES = new Topic("notes");

  @TempDir Path temporary;
  private Map<String, String> environment = Map.of();
  private Path home = Path.of(".");

  @BeforeEach
  void makeABus() throws IOException {
    home = Files.createDirectory(temporary.toRealPath().resolve("repo"));
    environment = Map.of("PARLEY_STATE", temporary.toRealPath().resolve("state").toString());
    var _ = BusFolder.init(null, home, environment);
  }

  private BusFolder bus() {
    return BusFolder.find(null, home, environment);
  }

  private void require() {
    try (FileLog log = bus().openLog()) {
      assertThat(new OwnerKeyDecisions(bus(), log).require()).isTrue();
    }
  }

  private Path file(Topic topic) {
    try (FileLog log = bus().openLog()) {
      return log.file(topic);
    }
  }

  private static void publish(FileLog log, String sender, String text) {
    var _ = log.append(NOTES, Message.of(sender, "note", Json.of(text)));
  }

  private static List<String> texts(FileLog log) {
    return readAll(log).stream().map(line -> line.payload().text()).toList();
  }

  private static List<Envelope> readAll(FileLog log) {
    List<Envelope> all = new ArrayList<>();
    Bookmark place = Bookmark.START;
    while (true) {
      Batch batch = log.read(NOTES, place, 100);
      all.addAll(batch.envelopes());
      if (batch.next().equals(place)) {
        return all;
      }
      place = batch.next();
    }
  }

  private static List<String> reasons(FileLog log) {
    return log.read(NOTES, Bookmark.START, 1000).damage().stream().map(Damage::reason).toList();
  }

  private void appendRaw(String line) throws IOException {
    Files.writeString(file(NOTES), line + "\n", StandardOpenOption.APPEND);
  }

  @Test
  void whatProgramsOfTheUserWriteCountsAndWhatOthersAppendDoesNot() throws IOException {
    try (FileLog log = bus().openLog()) {
      publish(log, "alice", "before");
    }
    require();
    try (FileLog log = bus().openLog();
        FileLog other = bus().openLog()) {
      publish(log, "alice", "signed");
      publish(other, "bob", "signed too");
      appendRaw("{\"type\":\"note\",\"sender\":\"alice\",\"payload\":\"from a shell\"}");
      String signed = Files.readAllLines(file(NOTES)).get(1);
      appendRaw(Resummed.line(signed.replace("\"signed\"", "\"forged\"")));
      assertThat(texts(log)).containsExactly("before", "signed", "signed too");
      assertThat(reasons(log))
          .satisfiesExactly(
              reason -> assertThat(reason).contains("not signed"),
              reason -> assertThat(reason).contains("does not fit"));
      assertThat(new OwnerKeyDecisions(bus(), log).verify()).hasSize(2);
      assertThat(signed).contains("\"signature\":\"");
    }
  }

  @Test
  void aCopyOfALineIsARepeatAndLaterStale() throws IOException {
    require();
    try (FileLog log = bus().openLog()) {
      publish(log, "alice", "one");
      publish(log, "alice", "two");
      String line = Files.readAllLines(file(NOTES)).get(1);
      while (Files.size(file(NOTES)) <= 2 * LineSignature.WINDOW) {
        publish(log, "alice", "x".repeat(30_000));
      }
      appendRaw(line);
      assertThat(texts(log)).filteredOn("two"::equals).hasSize(1);
      assertThat(new OwnerKeyDecisions(bus(), log).verify())
          .singleElement()
          .satisfies(damage -> assertThat(damage.reason()).contains("copy"));
    }
  }

  @Test
  void aProgramThatRunsAlreadyBeginsToSign() throws Exception {
    try (FileLog running = bus().openLog()) {
      publish(running, "alice", "before");
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 1_000_000 && !Thread.interrupted(); i++) {
                  publish(running, "alice", "n" + i);
                }
              });
      require();
      writer.interrupt();
      writer.join();
      publish(running, "alice", "last");
      try (FileLog log = bus().openLog()) {
        List<String> read = texts(log);
        assertThat(read).startsWith("before", "n0").endsWith("last");
        assertThat(read).doesNotHaveDuplicates();
        for (int i = 0; i < read.size() - 2; i++) {
          assertThat(read.get(i + 1)).isEqualTo("n" + i);
        }
        assertThat(new OwnerKeyDecisions(bus(), log).verify()).isEmpty();
      }
    }
  }

  @Test
  void aNameWithItsKeyElsewhereIsRefusedUntilAPersonReplacesTheKey() throws IOException {
    require();
    try (FileLog log = bus().openLog()) {
      publish(log, "alice", "first");
    }
    Path key = keyOf("alice");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    Files.delete(key);
    try (FileLog log = bus().openLog()) {
      assertThatThrownBy(() -> publish(log, "alice", "second"))
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.code()).isEqualTo("not-your-key"));
      var _ = new OwnerKeyDecisions(bus(), log).change("alice");
      publish(log, "alice", "third");
      assertThat(texts(log)).containsExactly("first", "third");
    }
  }

  @Test
  void aProgramWithTheOldKeyTakesTheNewOne() {
    require();
    try (FileLog running = bus().openLog();
        FileLog person = bus().openLog()) {
      publish(running, "alice", "old");
      var _ = new OwnerKeyDecisions(bus(), person).change("alice");
      publish(running, "alice", "new");
      assertThat(texts(person)).containsExactly("old", "new");
    }
  }

  /** Appends a line as {@code key} would sign it, made of one that counts. */
  private void appendSigned(KeyPair key, String text) throws IOException {
    List<String> lines = Files.readAllLines(file(NOTES));
    String id = lines.getFirst().replaceFirst(".*?\"id\":\"([^\"]+)\".*", "$1");
    String line =
        lines
            .getLast()
            .replaceFirst(",\"signature\":.*", "")
            .replaceFirst("-(\\d+)\"", "-999\"")
            .replaceFirst("\"payload\":\"[^\"]*\"", "\"payload\":\"" + text + "\"");
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    long place = Files.size(file(NOTES));
    String signature = LineSignature.sign(key, NOTES, id, place, bytes, 0, bytes.length);
    appendRaw(Resummed.line(line + ",\"signature\":\"" + signature + "\"}"));
  }

  private Path keyOf(String agent) throws IOException {
    try (Stream<Path> files = Files.walk(temporary.toRealPath().resolve("state/keys"))) {
      return files.filter(file -> file.endsWith(agent + ".key")).findFirst().orElseThrow();
    }
  }

  @Test
  void aProgramThatReadsAlreadyBelievesAChangedKeyNoMore() throws IOException {
    require();
    try (FileLog running = bus().openLog();
        FileLog person = bus().openLog()) {
      publish(running, "alice", "first");
      KeyPair old = KeyPair.parse(Files.readString(keyOf("alice")));
      appendSigned(old, "second");
      assertThat(texts(running)).containsExactly("first", "second");
      var _ = new OwnerKeyDecisions(bus(), person).change("alice");

      appendSigned(old, "with a stolen key");

      assertThat(texts(running)).containsExactly("first", "second");
      assertThat(texts(person)).containsExactly("first", "second");
    }
  }

  @Test
  void aProgramThatReadsWhileSignaturesAreAnnouncedChecksWhatComesAfter() throws Exception {
    try (FileLog running = bus().openLog()) {
      publish(running, "alice", "before");
      Thread reader =
          Thread.ofPlatform()
              .start(() -> {
                while (!Thread.interrupted()) {
                  var _ = texts(running);
                }
              });
      require();
      reader.interrupt();
      reader.join();

      appendRaw("{\"type\":\"note\",\"sender\":\"alice\",\"payload\":\"from a shell\"}");

      assertThat(texts(running)).containsExactly("before");
    }
  }

  @Test
  void liftedAgainEverythingCountsAndRunningProgramsAgree() throws IOException {
    require();
    try (FileLog running = bus().openLog()) {
      publish(running, "alice", "signed");
      appendRaw("{\"type\":\"note\",\"sender\":\"ci\",\"payload\":\"unsigned\"}");
      assertThat(texts(running)).containsExactly("signed");
      try (FileLog person = bus().openLog()) {
        new OwnerKeyDecisions(bus(), person).lift();
      }
      assertThat(texts(running)).containsExactly("signed", "unsigned");
      try (FileLog log = bus().openLog()) {
        assertThat(texts(log)).containsExactly("signed", "unsigned");
      }
    }
  }

  @Test
  void manyWritersLoseNothing() throws Exception {
    require();
    int threads = 4;
    int each = Seed.isLong() ? 2_000 : 150;
    List<Thread> writers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      String name = "agent-" + t;
      writers.add(
          Thread.ofPlatform()
              .start(() -> {
                try (FileLog log = bus().openLog()) {
                  for (int i = 0; i < each; i++) {
                    publish(log, name, name + " " + i);
                  }
                }
              }));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    try (FileLog log = bus().openLog()) {
      assertThat(readAll(log)).hasSize(threads * each);
      KeyRing ring = new OwnerKeyDecisions(bus(), log).ring();
      assertThat(ring).isNotNull();
      assertThat(ring.agents()).hasSize(threads + 1);
      assertThat(new OwnerKeyDecisions(bus(), log).verify()).isEmpty();
      assertThat(log.topics(Prefix.ALL)).contains(KeyRing.TOPIC);
    }
  }

  @Test
  void aLineOfAnyLengthIsSignedAndABatchToo() throws IOException {
    require();
    Random random = Seed.random("signed batches");
    try (FileLog log = bus().openLog()) {
      int count = 0;
      for (int i = 0; i < 6; i++) {
        List<Message> batch = new ArrayList<>();
        for (int j = random.nextInt(1, 30); j > 0; j--) {
          batch.add(Message.of("alice", "note", Json.of("x".repeat(random.nextInt(40_000)))));
          count++;
        }
        var _ = log.append(NOTES, batch);
      }
      assertThat(readAll(log)).hasSize(count);
      byte[] bytes = Files.readAllBytes(file(NOTES));
      assertThat(new String(bytes, StandardCharsets.UTF_8).lines()).isNotEmpty();
    }
  }
}

package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.testing.BridgeProcess;
import dev.parley.dialects.testing.Client;
import dev.parley.dialects.testing.RunningBridge;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 0.6: a tool that deletes its bus folder when it ends, and makes it anew at the next run. */
class VanishingFolderTest {
  private static final Path RUN =
      Path.of("src/test/resources/clients/conclave_run.py").toAbsolutePath();
  private static final Topic DEBATE = new Topic("debate");
  private static final Topic BOARD = Bulletin.topic("wave-0");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final int runs = Seed.isLong() ? 40 : 4;
  private final int count = Seed.isLong() ? 200 : 20;

  @TempDir Path folder;
  private BusFolder place;
  private FileLog log;
  private Path files;

  @BeforeEach
  void mountAll() throws IOException {
    place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    log = place.openLog();
    files = folder.resolve(".conclave/bus");
    Files.createDirectories(files);
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      var _ = mounts.mount(Dialect.CONCLAVE, files, null, Prefix.ALL);
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  private List<Envelope> stored(Topic topic) {
    List<Envelope> all = new ArrayList<>();
    WholeTopic.forEach(log, topic, all::add);
    return all;
  }

  private List<String> texts(Topic topic, String sender) {
    return stored(topic).stream()
        .filter(envelope -> envelope.sender().equals(sender))
        .map(envelope -> Fields.of(envelope.payload()).text("text", ""))
        .toList();
  }

  private static List<String> expected(int run, String what, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "run " + run + " " + what + " " + i)
        .toList();
  }

  private void publish(Topic topic, String type, String text) {
    Json payload = Json.object().put("text", text).build();
    var _ = log.append(topic, List.of(Message.of("alice", type, payload)));
  }

  private String allFiles() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> all = Files.walk(files)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        text.append(Files.readString(file));
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      return ""; // just being made
    }
    return text.toString();
  }

  @Test
  void eachRunIsImportedOnceAndNothingOfAnEarlierOneReturnsThoughBridgesAreKilled()
      throws Exception {
    Random random = Seed.random("vanishing folder");
    for (int run = 1; run <= runs; run++) {
      int now = run;
      Process tool =
          new ProcessBuilder("python3", RUN.toString(), files.toString(), "" + run, "" + count)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (Client killed = Client.java(BridgeProcess.class, folder)) {
        killed.awaitOutput();
        Awaitility.await()
            .pollDelay(Duration.ofMillis(random.nextInt(300)))
            .until(() -> true); // a kill at any moment
      }
      // A folder that it deletes when it begins would take ours with it.
      assertThat(tool.inputReader().readLine()).isEqualTo("written");
      publish(DEBATE, "debate.finding", "ours " + run);
      try (RunningBridge _ = new RunningBridge(place)) {
        Awaitility.await()
            .atMost(PATIENCE)
            .untilAsserted(() -> {
              assertThat(texts(BOARD, "task-" + now)).isEqualTo(expected(now, "note", count));
              assertThat(texts(DEBATE, "task-" + now)).isEqualTo(expected(now, "finding", count));
              assertThat(allFiles()).containsOnlyOnce("\"ours " + now + "\"");
            });
        for (int earlier = 1; earlier < run; earlier++) {
          assertThat(allFiles()).doesNotContain("\"ours " + earlier + "\"");
        }
        tool.outputWriter().close();
        assertThat(tool.waitFor()).isZero();
      }
    }
    assertThat(stored(BOARD)).hasSize(runs * count);
    assertThat(stored(DEBATE)).hasSize(runs * count + runs);
    assertThat(files).doesNotExist();
  }

  @Test
  void aVanishedFolderIsReportedAndTakenUpWhenItIsBack() throws Exception {
    List<FileRemark> remarks = new ArrayList<>();
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remarks::add)) {
      publish(DEBATE, "debate.finding", "before");
      mounts.sync();
      Files.delete(files.resolve("debate.jsonl"));
      Files.delete(files);

      mounts.sync();
      publish(DEBATE, "debate.finding", "meanwhile");
      mounts.sync();
      try (Mounts another = new Mounts(place, Reporter.TO_LOG, remarks::add)) {
        another.sync();
      }

      assertThat(mounts.folders()).contains(files.getParent());
      assertThat(remarks)
          .singleElement()
          .satisfies(remark -> assertThat(remark.reason()).contains("is mounted but missing"));
      assertThat(mounts.examine()).hasSize(1);

      Files.createDirectories(files);
      mounts.sync();

      assertThat(allFiles()).contains("meanwhile").doesNotContain("before");
    }
  }

  @Test
  void whatProgramsPublishUnderTheBoardsOtherNameIsOnTheBulletinToo() throws Exception {
    publish(new Topic("parallel.wave-0.board"), "board.warning", "careful");
    for (int i = 0; i < 2; i++) {
      try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
        mounts.sync();
      }
    }

    assertThat(texts(BOARD, "alice")).containsExactly("careful");
    assertThat(allFiles()).containsOnlyOnce("careful");
  }

  /** Free topics are the folder's, bulletins are its boards, and books of the bus are neither. */
  @Test
  void topicsOfTheFolderAreThoseOfTheBus() throws Exception {
    Files.createDirectories(files.resolve("a/b"));
    String line =
        "{\"id\":\"9-%d\",\"seq\":1,\"timestamp\":\"2026-02-01T12:00:00.5Z\",\"sender\":\"x\","
            + "\"topic\":\"t\",\"type\":\"lease.grant\",\"payload\":{\"text\":\"hello\"}}\n";
    Files.writeString(files.resolve("ledger.jsonl"), line.formatted(1));
    Files.writeString(files.resolve("a/b/deep.jsonl"), line.formatted(2));
    Files.writeString(files.resolve("what a name.jsonl"), line.formatted(3));
    publish(BOARD, "board.warning", "careful");
    publish(new Topic("parallel.wave-1.other"), "note", "free");
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      mounts.sync();
    }

    assertThat(stored(new Topic("ledger")))
        .noneMatch(envelope -> envelope.type().equals("lease.grant"));
    assertThat(stored(new Topic("conclave.escaped.ledger"))).hasSize(1);
    assertThat(stored(new Topic("conclave.escaped.a_2fb_2fdeep"))).hasSize(1);
    assertThat(stored(new Topic("conclave.escaped.what_20a_20name"))).hasSize(1);
    assertThat(files.resolve("parallel.wave-0.board.jsonl")).content().contains("careful");
    assertThat(files.resolve("parallel.wave-1.other.jsonl")).content().contains("free");
    assertThat(files.resolve("mount.conclave.jsonl")).doesNotExist();
  }
}

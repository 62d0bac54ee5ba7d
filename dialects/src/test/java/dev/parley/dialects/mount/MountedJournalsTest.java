package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Message;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.markdown.JournalLint;
import dev.parley.dialects.testing.BridgeProcess;
import dev.parley.dialects.testing.Client;
import dev.parley.dialects.testing.RunningBridge;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 3.1: journals as agents really write them, mounted. */
class MountedJournalsTest {
  private static final Topic JOURNAL = new Topic("journal");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;
  private BusFolder place;
  private FileLog log;
  private Path file;

  @BeforeEach
  void mountIt() {
    place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    log = place.openLog();
    file = folder.resolve("MESSAGE-BUS.md");
    var _ = Dialect.MARKDOWN.create(file);
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      var _ = mounts.add(Dialect.MARKDOWN, file, null, null);
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  private List<String> bodies() {
    List<String> all = new ArrayList<>();
    WholeTopic.forEach(
        log, JOURNAL, envelope -> all.add(Fields.of(envelope.payload()).text("body", "")));
    return all;
  }

  private void sync() throws InterruptedException {
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      mounts.sync();
    }
  }

  /**
   * The last record of a loop that ends none is taken once the file is quiet; no part of one is.
   */
  @Test
  void recordsWithoutAnEndAreTakenThoughBridgesAreKilled() throws Exception {
    Random random = Seed.random("status loop");
    int count = Seed.isLong() ? 5000 : 150;
    Process loop =
        new ProcessBuilder(
                "sh",
                Path.of("src/test/resources/clients/status_loop.sh").toAbsolutePath().toString(),
                file.toString(),
                "" + count)
            .inheritIO()
            .start();
    for (int i = 0; i < 2; i++) {
      try (Client killed = Client.java(BridgeProcess.class, folder)) {
        killed.awaitOutput();
        Awaitility.await().pollDelay(Duration.ofMillis(random.nextInt(200))).until(() -> true);
      }
    }
    try (RunningBridge _ = new RunningBridge(place)) {
      Awaitility.await().atMost(PATIENCE).until(() -> bodies().size() >= count);
    }

    assertThat(loop.waitFor()).isZero();
    assertThat(bodies())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, count).mapToObj(i -> "status " + i).toList());
  }

  @Test
  void aRecordThatIsBeingWrittenIsLeftUntilItsFileIsQuiet() throws Exception {
    String record = "---\nmessageId: MSG-20260126-101500-claude-1\ntype: FACT\n---\n\nhalf";
    Files.writeString(file, Files.readString(file) + record);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
    sync();
    assertThat(bodies()).isEmpty();

    Files.writeString(file, Files.readString(file) + " and whole");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(2)));
    sync();

    assertThat(bodies()).containsExactly("half and whole");
  }

  @Test
  void whatIsPutAboveAListThatIsNewestFirstIsTakenOnce() throws Exception {
    Files.writeString(file, "- FACT 2026-07-03 13:29 CEST (Root): first\n");
    for (String next : List.of("second", "third")) {
      quiet();
      sync();
      String text = "- FACT 2026-07-03 13:30 CEST (Root): " + next + "\n";
      Files.writeString(file, text + Files.readString(file));
    }
    quiet();
    sync();
    sync();

    assertThat(bodies()).containsExactly("first", "second", "third");
  }

  private void quiet() throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(2)));
  }

  @Test
  void whatIsPublishedWithoutRunOrTaskIsAsTheFormatSays() throws Exception {
    Json payload = Json.object().put("text", "The API pages.").build();
    var _ = log.append(JOURNAL, List.of(Message.of("claude-dev-1", "finding", payload)));
    sync();

    assertThat(file).content().contains("The API pages.");
    assertThat(JournalLint.check(new JournalFile(file))).extracting(FileRemark::reason).isEmpty();
  }

  @Test
  void anIdThatComesAgainWithAnotherTextIsReported() throws Exception {
    String head = "---\nmessageId: MSG-20260126-101500-claude-1\ntype: FACT\n---\n\n";
    Files.writeString(file, head + "one\n\n---\n" + head + "another\n\n---\n");
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      mounts.sync();

      assertThat(mounts.examine())
          .filteredOn(remark -> !remark.understood())
          .extracting(FileRemark::reason)
          .singleElement()
          .asString()
          .contains("twice with different texts");
    }
  }
}

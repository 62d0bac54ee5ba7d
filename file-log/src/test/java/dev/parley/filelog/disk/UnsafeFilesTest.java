package dev.parley.filelog.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Bookmark;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.BusSettings;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.health.Finding;
import dev.parley.filelog.health.FolderCheck;
import dev.parley.filelog.health.HealthCheck;
import dev.parley.filelog.health.KnownDamage;
import dev.parley.filelog.store.FileCursors;
import dev.parley.filelog.store.FileViews;
import dev.parley.filelog.store.SessionFiles;
import dev.parley.filelog.testing.BusMain;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Only regular files of this user are opened, and created files are accessible to this user only.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnsafeFilesTest {
  private static final Topic TOPIC = new Topic("unsafe");

  @TempDir Path folder;
  private FileLog log;
  private Path file;

  @BeforeEach
  void open() {
    log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
    file = log.file(TOPIC);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private void append() {
    var _ = log.append(TOPIC, List.of(Message.of("alice", "note", Json.NULL)));
  }

  private void isRefused() {
    refuses(this::append);
    refuses(() -> log.read(TOPIC, Bookmark.START, 10));
    refuses(() -> log.end(TOPIC));
  }

  private static void refuses(ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("unsafe-file"));
  }

  @Test
  void aSymbolicLinkIsRefusedAndNothingIsWrittenThroughIt() throws Exception {
    Path target = Files.writeString(folder.resolve("target"), "mine\n");
    Files.createSymbolicLink(file, target);
    isRefused();
    assertThat(target).hasContent("mine\n");
  }

  @Test
  void aLinkToNothingIsRefusedAndMakesNothing() throws Exception {
    Path target = folder.resolve("nothing");
    Files.createSymbolicLink(file, target);
    isRefused();
    assertThat(target).doesNotExist();
  }

  @Test
  void aLinkThatTakesTheTopicsPlaceIsNotWrittenThrough() throws Exception {
    append();
    Path target = Files.writeString(folder.resolve("target"), "mine\n");
    Files.delete(file);
    Files.createSymbolicLink(file, target);
    assertThatThrownBy(this::append).isInstanceOf(ParleyException.class);
    isRefused();
    assertThat(target).hasContent("mine\n");
  }

  @Test
  void aNamedPipeIsRefusedWithoutWaitingForItsOtherEnd() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    isRefused();
  }

  @Test
  void aFolderIsRefused() throws Exception {
    Files.createDirectory(file);
    isRefused();
  }

  @Test
  void aSocketIsRefused() throws Exception {
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(file));
      isRefused();
    }
  }

  @Test
  void aFileOfAnotherUserIsRefusedAndNotWrittenTo() throws Exception {
    Assumptions.assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root can give a file away");
    String line = "{\"type\":\"note\"}\n";
    Files.writeString(file, line);
    Files.setAttribute(file, "unix:uid", 65534);
    isRefused();
    assertThat(file).hasContent(line);
  }

  @Test
  void theNameOfAFolderIsNotMistakenForTheReason() throws Exception {
    Path bus = Files.createDirectory(folder.resolve("quota, No space left, Permission denied"));
    try (FileLog other = new FileLog(bus, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      Files.createSymbolicLink(other.file(TOPIC), folder);
      List<Message> messages = List.of(Message.of("alice", "note", Json.NULL));
      refuses(() -> other.append(TOPIC, messages));
      TestFolder.delete(bus);
      assertThatThrownBy(() -> other.append(TOPIC, messages))
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.code()).isEqualTo("no-bus"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0777", "022"})
  void filesAndFoldersAreForTheirOwnerOnlyWhateverTheUmask(String umask) throws Exception {
    try (TestFolder home = TestFolder.onDisk()) {
      Path bus = home.resolve("bus");
      List<String> command =
          new ArrayList<>(List.of("bash", "-c", "umask " + umask + "; exec \"$@\"", "bash"));
      command.addAll(TestProcess.java(BusMain.class, List.of(bus.toString())));
      try (TestProcess child = new TestProcess(home, "child", command)) {
        child.finish();
      }
      assertThat(mode(bus)).isEqualTo("rwx------");
      assertThat(mode(bus.resolve("notes.jsonl"))).isEqualTo("rw-------");
      assertThat(mode(bus.resolve("bus.json"))).isEqualTo("rw-------");
      assertThat(mode(bus.resolve("cursors"))).isEqualTo("rwx------");
      assertThat(mode(bus.resolve("cursors/me.json"))).isEqualTo("rw-------");
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aFileOfOtherContentThatHasTheTopicsNameTooIsRefusedAndNothingIsWrittenToIt()
      throws Exception {
    for (String content :
        List.of("export PATH=x\n", "", "{\"type\":\"x\",\"topic\":\"other\"}\n")) {
      Path profile = Files.writeString(folder.resolve("profile"), content);
      Files.createLink(file, profile);
      isRefused();
      assertThat(profile).hasContent(content);
      List<Finding> findings = new ArrayList<>();
      new FolderCheck(folder, false, findings::add).run();
      assertThat(findings).extracting(Finding::code).contains("unsafe-file");
      Files.delete(file);
      Files.delete(profile);
    }
  }

  @Test
  void aLinkInATopicsPlaceIsRefusedByAWriterThatHasTheTopicOpen() throws Exception {
    append();
    Path profile = Files.writeString(folder.resolve("profile"), "export PATH=x\n");
    Files.delete(file);
    Files.createLink(file, profile);
    // Its line went into the deleted file and nowhere else.
    assertThatThrownBy(this::append)
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("unknown-outcome"))
        .hasMessageContaining("hard links");
    assertThat(profile).hasContent("export PATH=x\n");
  }

  @Test
  void aSecondNameForATopicItselfIsAllowed() throws Exception {
    append();
    Files.createLink(folder.resolve("backup"), file);
    append();
    try (FileLog other = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      var _ = other.append(TOPIC, List.of(Message.of("bob", "note", Json.NULL)));
      assertThat(other.read(TOPIC, Bookmark.START, 10).envelopes()).hasSize(3);
    }
    List<Finding> findings = new ArrayList<>();
    FolderCheck check = new FolderCheck(folder, false, findings::add);
    check.run();
    assertThat(check.topics()).containsKey(TOPIC);
  }

  @Test
  void aTerabyteOfNothingIsAnsweredSoonWithoutMuchMemory() throws Exception {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    } catch (IOException e) {
      Assumptions.abort("no sparse files here");
    }
    Files.setPosixFilePermissions(file, SafeFiles.FILE);
    append(); // the disk has space beyond the hole
    List<ThrowingCallable> actions =
        List.of(() -> log.read(TOPIC, Bookmark.START, 10), () -> log.find("aaaaaaaaaaaaaaaa-1"));
    long begun = System.nanoTime();
    for (ThrowingCallable action : actions) {
      assertThatThrownBy(action)
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.code()).isEqualTo("not-a-topic"));
    }
    List<Finding> findings = new ArrayList<>();
    boolean healthy =
        HealthCheck.run(folder, Map.of(), false, findings::add, (topic, done, size) -> {});
    assertThat(healthy).isFalse();
    assertThat(findings)
        .filteredOn(finding -> finding.code().equals("unreadable"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.message()).contains("zeros"));
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void smallFilesOfATerabyteAreAnsweredInLittleMemory() throws Exception {
    Path bus = BusFolder.init(folder.resolve("bus"), folder, Map.of()).folder().path();
    FileViews views = new FileViews(bus, new byte[16]);
    for (String name :
        List.of(
            "known-damage.json", "cursors/c.json", "views/v.json", "sessions/1-2-a", "bus.json")) {
      Path huge = bus.resolve(name);
      Files.createDirectories(huge.getParent());
      try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
        sparse.setLength(1L << 40);
      } catch (IOException e) {
        Assumptions.abort("no sparse files here");
      }
    }
    assertThatThrownBy(() -> BusSettings.read(bus)).isInstanceOf(ParleyException.class);
    assertThatThrownBy(() -> new FileCursors(bus).load("c")).isInstanceOf(ParleyException.class);
    assertThat(views.load("v")).isNull();
    SessionFiles sessions = new SessionFiles(bus);
    assertThatThrownBy(() -> sessions.read(sessions.all().getFirst()))
        .isInstanceOf(ParleyException.class);
    List<Finding> findings = new ArrayList<>();
    var _ = KnownDamage.load(bus, findings::add);
    assertThat(findings).extracting(Finding::code).containsExactly("bad-known-damage");
  }

  @Test
  void aTerabyteOfNothingWithoutALineIsAnsweredToo() throws Exception {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    } catch (IOException e) {
      Assumptions.abort("no sparse files here");
    }
    assertThatThrownBy(() -> log.end(TOPIC))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("not-a-topic"));
  }
}

package dev.parley.filelog.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.parley.filelog.linux.LinuxStat;
import dev.parley.filelog.linux.SystemCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxAppenderTest {
  @TempDir Path folder;
  private final Disk disk = new RealDisk();
  private Path path;
  private Disk.Appender file;

  @BeforeEach
  void open() throws IOException {
    assumeThat(SystemCalls.areAllowed()).isTrue();
    path = folder.resolve("a.jsonl");
    file = disk.append(path);
    assertThat(file).isInstanceOf(LinuxAppender.class);
    assertThat(append("one\n")).isEqualTo(4);
  }

  @AfterEach
  void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  /** One append as the log does it; returns the new size, if the file is still at its path. */
  private long append(String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    assertThat(file.write(bytes)).isEqualTo(text.length());
    assertThat(bytes.hasRemaining()).isFalse();
    return file.sizeInPlace();
  }

  @Test
  void itAppendsWhateverOthersAppend() throws IOException {
    Files.writeString(path, "two\n", java.nio.file.StandardOpenOption.APPEND);
    assertThat(append("three\n")).isEqualTo(14);
    assertThat(path).hasContent("one\ntwo\nthree\n");
  }

  @Test
  void itKnowsWhereItsOwnWriteEndedWhateverOthersAppendAfterIt() throws IOException {
    Files.writeString(path, "two\n", java.nio.file.StandardOpenOption.APPEND);
    append("three\n");
    Files.writeString(path, "four\n", java.nio.file.StandardOpenOption.APPEND);
    assertThat(file.knowsEnd()).isTrue();
    assertThat(file.end()).isEqualTo(14);
  }

  @Test
  void itReadsBackWhatStandsAtAPlaceAndLessOnlyAtTheEnd() throws IOException {
    Files.writeString(path, "two\n", java.nio.file.StandardOpenOption.APPEND);
    append("three\n");
    ByteBuffer back = ByteBuffer.allocateDirect(9).put((byte) '>').limit(8);
    assertThat(file.readBack(back, 6)).isEqualTo(7);
    assertThat(text(back.flip())).isEqualTo(">o\nthree");
    assertThat(file.readBack(back.clear(), 10)).isEqualTo(4);
    assertThat(text(back.flip())).isEqualTo("ree\n");
    assertThat(file.readBack(back.clear(), 14)).isZero();
    assertThat(append("four\n")).isEqualTo(19);
    assertThat(file.end()).isEqualTo(19);
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  @Test
  void aFileThatIsDeletedIsMissedAtOnce() throws IOException {
    Files.delete(path);
    assertThat(append("two\n")).isEqualTo(Disk.Appender.ELSEWHERE);
  }

  @Test
  void aFileThatAnotherIsPutInPlaceOfIsMissedAtOnce() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "other\n");
    Files.move(other, path, StandardCopyOption.ATOMIC_MOVE);
    assertThat(append("two\n")).isEqualTo(Disk.Appender.ELSEWHERE);
  }

  @Test
  void aFileThatIsMovedAwayIsMissedAtOnce() throws IOException {
    Files.move(path, folder.resolve("aside"));
    assertThat(append("two\n")).isEqualTo(Disk.Appender.ELSEWHERE);
    Files.createFile(path);
    assertThat(append("three\n")).isEqualTo(Disk.Appender.ELSEWHERE);
  }

  /**
   * Some editors keep the old file as a backup when they save: its number of hard links stays the
   * same.
   */
  @Test
  void aFileThatIsKeptUnderAnotherNameAndReplacedIsMissedAtOnce() throws IOException {
    Files.createLink(folder.resolve("backup"), path);
    Path copy = Files.copy(path, folder.resolve("copy"));
    Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
    assertThat(append("two\n")).isEqualTo(Disk.Appender.ELSEWHERE);
  }

  @Test
  void aSecondNameForTheFileMeansNothing() throws IOException {
    Files.createLink(folder.resolve("link"), path);
    assertThat(append("two\n")).isEqualTo(8);
    Files.delete(path);
    assertThat(append("three\n")).isEqualTo(Disk.Appender.ELSEWHERE);
  }

  @Test
  void troubleHasTheSystemsWords() {
    assertThatThrownBy(() -> SystemCalls.open(folder.resolve("none"), SystemCalls.WRITE_ONLY))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> SystemCalls.open(folder, SystemCalls.WRITE_ONLY))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("Is a directory");
    SystemCalls.OpenFile closed = new SystemCalls.OpenFile(-1);
    assertThatThrownBy(() -> new LinuxStat().of(closed)).hasMessage("Bad file descriptor");
    assertThatThrownBy(closed::sync).hasMessage("Bad file descriptor");
  }
}

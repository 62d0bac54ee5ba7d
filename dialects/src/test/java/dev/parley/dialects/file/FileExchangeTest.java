package dev.parley.dialects.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One test for each row of the table on {@link FileExchange}. */
class FileExchangeTest {
  private static final byte[] BEFORE = "before".getBytes(UTF_8);
  private static final byte[] AFTER = "after".getBytes(UTF_8);

  @TempDir Path folder;

  private Path file() throws Exception {
    return Files.write(folder.resolve("queue.json"), BEFORE);
  }

  private static Consumer<Path> announcing(boolean announced, List<Path> told) {
    return announced ? told::add : null;
  }

  @Test
  void aFileWrittenBeforeTheLastCheckIsNotReplaced() throws Exception {
    Path file = file();

    assertThat(FileExchange.replace(file, AFTER, "older".getBytes(UTF_8), null)).isNull();

    assertThat(file).hasBinaryContent(BEFORE);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAProgramWritesIntoTheReplacedFileIsFound(boolean announced) throws Exception {
    Path file = file();
    List<Path> told = new ArrayList<>();
    try (FileChannel program = FileChannel.open(file, StandardOpenOption.WRITE)) {
      Path kept = FileExchange.replace(file, AFTER, BEFORE, announcing(announced, told));
      program.truncate(0);
      program.write(ByteBuffer.wrap("theirs".getBytes(UTF_8)));

      assertThat(file).hasBinaryContent(AFTER);
      assertThat(Objects.requireNonNull(kept)).hasContent("theirs");
      Files.delete(kept);
    }
    assertThat(told).allSatisfy(temporary -> assertThat(temporary).doesNotExist());
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void aFileThatIsNotThereYetIsMade() {
    Path file = folder.resolve("new.json");

    Path kept = FileExchange.replace(file, AFTER, new byte[0], null);

    assertThat(file).hasBinaryContent(AFTER);
    assertThat(Objects.requireNonNull(kept)).isEmptyFile();
  }
}

package dev.parley.dialects.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As long as the temporary file is there, the step that replaces a file was not taken. */
class ForeignFileTest {
  private static final byte[] NEW = {'n', 'e', 'w'};

  @TempDir Path folder;
  private final List<Path> temporaries = new ArrayList<>();
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(folder.resolve("file"), "old");
  }

  private boolean replace(Path replaced, boolean wanted) {
    return ForeignFile.replace(
        replaced,
        NEW,
        temporary -> {
          temporaries.add(temporary);
          return wanted;
        });
  }

  @Test
  void itIsGoneOnceTheFileIsReplacedOrNoLongerWanted() {
    assertThat(replace(file, false)).isFalse();
    assertThat(file).hasContent("old");
    assertThat(replace(file, true)).isTrue();
    assertThat(file).hasContent("new");
    assertThat(temporaries).hasSize(2).noneMatch(Files::exists);
  }

  @Test
  void itStaysIfTheFileCouldNotBeReplaced() throws Exception {
    Path full = Files.createDirectory(folder.resolve("full"));
    Files.writeString(full.resolve("inside"), "");

    assertThatThrownBy(() -> replace(full, true)).isInstanceOf(ParleyException.class);

    assertThat(temporaries).hasSize(1).allMatch(Files::exists);
  }
}

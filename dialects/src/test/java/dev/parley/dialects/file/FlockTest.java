package dev.parley.dialects.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two ways to take a lock exclude each other, and each itself. */
class FlockTest {
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("a mutex");
  }

  private interface Way {
    Flock take(Path path, Duration patience) throws IOException;
  }

  private void excludes(Way one, Way other) throws IOException {
    try (Flock held = one.take(file, LONG)) {
      assertThat(held).isNotNull();
      assertThat(other.take(file, SHORT)).isNull();
    }
    try (Flock held = other.take(file, LONG)) {
      assertThat(held).isNotNull();
    }
  }

  @Test
  void aCallAndTheProgramExcludeEachOther() throws IOException {
    excludes(FlockCall::take, FlockProgram::take);
    excludes(FlockProgram::take, FlockCall::take);
    excludes(FlockProgram::take, FlockProgram::take);
    excludes(FlockCall::take, FlockCall::take);
  }

  @Test
  void whatTheProgramCantOpenIsAnError() {
    Path nowhere = folder.resolve("no folder/mutex");
    assertThatThrownBy(() -> FlockProgram.take(nowhere, SHORT)).isInstanceOf(IOException.class);
  }
}

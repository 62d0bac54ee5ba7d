package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingTest {
  @TempDir Path folder;

  /**
   * A command that fails here would be missing from the start-up cache, and slow, without a word.
   */
  @Test
  void whatIsTrainedIsWhatUsersDo() {
    Training training = new Training(folder);
    assertThat(training.run(List.of("init"))).isEmpty();
    assertThat(training.run(Training.TEAM)).isEmpty();
  }
}

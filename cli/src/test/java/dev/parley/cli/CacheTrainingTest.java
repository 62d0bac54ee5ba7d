package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheTrainingTest {
  @TempDir Path folder;

  /**
   * A command that fails here would be missing from the start-up cache, and slow, without a word.
   */
  @Test
  void whatIsTrainedIsWhatUsersDo() {
    CacheTraining training = new CacheTraining(folder);
    assertThat(training.run(List.of("init"))).isEmpty();
    assertThat(training.run(CacheTraining.TEAM)).isEmpty();
    assertThat(training.serve()).isEmpty();
  }
}

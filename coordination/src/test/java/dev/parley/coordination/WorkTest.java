package dev.parley.coordination;

import dev.parley.core.Reporter;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class WorkTest {
  @Nested
  class InMemory extends WorkContract {
    @Override
    protected Place open(Reporter reporter) {
      return Place.inMemory(reporter);
    }
  }

  @Nested
  class OnFiles extends WorkContract {
    @TempDir private Path temporary;

    @Override
    protected Place open(Reporter reporter) throws IOException {
      return Place.onFiles(temporary);
    }
  }
}

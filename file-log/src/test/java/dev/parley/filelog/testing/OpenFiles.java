package dev.parley.filelog.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Which files this process has open. */
public final class OpenFiles {
  private static final Path OURS = Path.of("/proc/self/fd");

  private OpenFiles() {}

  /** How many of those under a folder are open. Skips the test where that can't be told. */
  public static long in(Path folder) throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(OURS));
    Path home = folder.toRealPath();
    try (Stream<Path> open = Files.list(OURS)) {
      return open.filter(file -> isIn(home, file)).count();
    }
  }

  private static boolean isIn(Path home, Path file) {
    try {
      return Files.readSymbolicLink(file).startsWith(home);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }
}

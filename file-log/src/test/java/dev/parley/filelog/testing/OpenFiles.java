package dev.parley.filelog.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The open files of this process. */
public final class OpenFiles {
  private static final Path OURS = Path.of("/proc/self/fd");

  private OpenFiles() {}

  /** The number of open files under a folder. Skips the test where the system does not tell. */
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
      return false; // it was closed meanwhile
    }
  }
}

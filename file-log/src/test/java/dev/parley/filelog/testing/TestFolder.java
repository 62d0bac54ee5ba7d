package dev.parley.filelog.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A folder for one test, deleted with its content. */
public record TestFolder(Path path) implements AutoCloseable {
  /** On the disk of the build. */
  public static TestFolder onDisk() throws IOException {
    Path target = Path.of("target").toAbsolutePath();
    Files.createDirectories(target);
    return new TestFolder(Files.createTempDirectory(target, "proof-"));
  }

  /** In memory, where a write is only a copy. */
  public static TestFolder onTmpfs() throws IOException {
    Path shm = Path.of("/dev/shm");
    Assumptions.assumeTrue(Files.isWritable(shm), "no tmpfs here");
    return new TestFolder(Files.createTempDirectory(shm, "proof-"));
  }

  public Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() throws IOException {
    delete(path);
  }

  public static void delete(Path root) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(root)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path one : all) {
      Files.deleteIfExists(one);
    }
  }
}

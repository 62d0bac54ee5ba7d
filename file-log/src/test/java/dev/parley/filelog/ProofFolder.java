package dev.parley.filelog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A folder for one proof, deleted with all that is in it. */
record ProofFolder(Path path) implements AutoCloseable {
  /** On the disk that is built on. */
  static ProofFolder onDisk() throws IOException {
    Path target = Path.of("target").toAbsolutePath();
    Files.createDirectories(target);
    return new ProofFolder(Files.createTempDirectory(target, "proof-"));
  }

  /** In memory, where a write is a copy and nothing else. */
  static ProofFolder onTmpfs() throws IOException {
    Path shm = Path.of("/dev/shm");
    Assumptions.assumeTrue(Files.isWritable(shm), "no tmpfs here");
    return new ProofFolder(Files.createTempDirectory(shm, "proof-"));
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() throws IOException {
    delete(path);
  }

  static void delete(Path root) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(root)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path one : all) {
      Files.deleteIfExists(one);
    }
  }
}

package dev.parley.orchestration.gate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the test command of a project by the files at its top. The first match counts.
 *
 * <pre>
 * mvnw, pom.xml                         ./mvnw or mvn, -q test
 * gradlew, build.gradle[.kts]           ./gradlew or gradle, test
 * package.json                          npm test
 * Cargo.toml                            cargo test
 * pyproject.toml, setup.py              python3 -m pytest
 * go.mod                                go test ./...
 * test.sh                               sh test.sh
 * </pre>
 */
public final class TestDetection {
  private static final Set<String> FILES =
      Set.of(
          "pom.xml",
          "build.gradle",
          "build.gradle.kts",
          "package.json",
          "Cargo.toml",
          "pyproject.toml",
          "setup.py",
          "go.mod",
          "test.sh");

  private TestDetection() {}

  /** The gate that runs the tests; null if no match was found. */
  public static @Nullable Gate tests(Path folder, Duration timeout) {
    List<String> command = command(folder);
    return command == null ? null : new Gate(Gate.TEST, command, timeout);
  }

  /** Whether one of these top-level files tells how to run the tests. */
  public static boolean isAmong(Stream<String> files) {
    return files.anyMatch(FILES::contains);
  }

  private static @Nullable List<String> command(Path folder) {
    if (has(folder, "pom.xml")) {
      return List.of(has(folder, "mvnw") ? "./mvnw" : "mvn", "-q", "-B", "test");
    }
    if (has(folder, "build.gradle") || has(folder, "build.gradle.kts")) {
      return List.of(has(folder, "gradlew") ? "./gradlew" : "gradle", "test");
    }
    if (has(folder, "package.json")) {
      return List.of("npm", "test");
    }
    if (has(folder, "Cargo.toml")) {
      return List.of("cargo", "test");
    }
    if (has(folder, "pyproject.toml") || has(folder, "setup.py")) {
      return List.of("python3", "-m", "pytest");
    }
    if (has(folder, "go.mod")) {
      return List.of("go", "test", "./...");
    }
    return has(folder, "test.sh") ? List.of("sh", "test.sh") : null;
  }

  private static boolean has(Path folder, String file) {
    return Files.isRegularFile(folder.resolve(file));
  }
}

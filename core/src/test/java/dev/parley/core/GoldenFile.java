package dev.parley.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A checked-in text file that a test compares with the program's output, so that a change of
 * wording is seen in review. With {@code -Dparley.golden=update} the test writes the file instead;
 * review the difference and commit it.
 */
public record GoldenFile(Path path) {
  /** The file of this name among the test resources of the module that is tested. */
  public static GoldenFile of(String name) {
    return new GoldenFile(Path.of("src/test/resources/golden", name));
  }

  public void check(String now) throws IOException {
    if ("update".equals(System.getProperty("parley.golden"))) {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.writeString(path, now);
    }
    assertThat(now)
        .as("%s; if it is meant: run this test with -Dparley.golden=update", path)
        .isEqualTo(Files.exists(path) ? Files.readString(path) : "");
  }
}

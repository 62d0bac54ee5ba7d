package dev.parley.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A text file that is checked in and that a test compares with what the program says now, so that a
 * change of wording is seen in review. With {@code -Dparley.golden=update} the test writes the file
 * instead: look at the difference, and commit it.
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

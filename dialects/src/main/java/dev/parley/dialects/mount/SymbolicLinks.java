package dev.parley.dialects.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Detects links that appeared in a path after it was mounted. */
final class SymbolicLinks {
  private SymbolicLinks() {}

  /**
   * The path if a link in it leads elsewhere; null if there is none, or the path does not exist.
   */
  static @Nullable Path leadingAway(Path path) {
    try {
      return !Files.exists(path) || path.toRealPath().equals(path) ? null : path;
    } catch (IOException e) {
      return path;
    }
  }
}

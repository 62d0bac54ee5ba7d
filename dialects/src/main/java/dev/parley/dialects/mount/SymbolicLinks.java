package dev.parley.dialects.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Notices links in paths that had none when they were mounted. */
final class SymbolicLinks {
  private SymbolicLinks() {}

  /** The path if a link in it leads elsewhere; null if there is none, or nothing is there. */
  static @Nullable Path leadingAway(Path path) {
    try {
      return !Files.exists(path) || path.toRealPath().equals(path) ? null : path;
    } catch (IOException e) {
      return path;
    }
  }
}

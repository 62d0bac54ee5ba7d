package dev.parley.orchestration.agent;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds programs as a shell would. */
public final class Programs {
  private Programs() {}

  /** The program of this name; null if it is not on the PATH of the environment. */
  public static @Nullable Path onPath(String name, Map<String, String> environment) {
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      try {
        Path program = folder.isEmpty() ? null : executable(Path.of(folder).resolve(name));
        if (program != null) {
          return program;
        }
      } catch (InvalidPathException e) {
        // The PATH names an impossible folder: skip it.
      }
    }
    return null;
  }

  /** The path if it is an executable file; otherwise null. */
  public static @Nullable Path executable(Path path) {
    return Files.isRegularFile(path) && Files.isExecutable(path) ? path : null;
  }
}

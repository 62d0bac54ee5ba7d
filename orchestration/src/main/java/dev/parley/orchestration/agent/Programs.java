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

  /** The program of this name; null if the PATH of the environment has none. */
  public static @Nullable Path onPath(String name, Map<String, String> environment) {
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      try {
        Path program = folder.isEmpty() ? null : executable(Path.of(folder).resolve(name));
        if (program != null) {
          return program;
        }
      } catch (InvalidPathException e) {
        // A folder that can't exist has no programs.
      }
    }
    return null;
  }

  /** The path, if it is a program that may be run; otherwise null. */
  public static @Nullable Path executable(Path path) {
    return Files.isRegularFile(path) && Files.isExecutable(path) ? path : null;
  }
}

package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the processes whose working folder is in a folder. */
final class ProcessesInFolder {
  private static final Path PROC = Path.of("/proc");

  private ProcessesInFolder() {}

  /** Process ids. Processes of other users are not found. Empty where there is no /proc. */
  static List<Long> processes(Path folder) {
    List<Long> found = new ArrayList<>();
    if (!Files.isDirectory(PROC)) {
      return found;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : all) {
        try {
          if (Files.readSymbolicLink(process.resolve("cwd")).startsWith(folder)) {
            found.add(Long.parseLong(String.valueOf(process.getFileName())));
          }
        } catch (IOException e) {
          // The process has ended, or belongs to another user.
        }
      }
    } catch (IOException e) {
      return found;
    }
    return found;
  }
}

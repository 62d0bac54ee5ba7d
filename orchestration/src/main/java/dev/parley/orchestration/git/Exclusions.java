package dev.parley.orchestration.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Keeps Parley's own files out of git by {@code info/exclude}, so that no file of the user changes.
 */
public final class Exclusions {
  static final List<String> PATTERNS =
      List.of("/runs/", "/.worktrees/", "/.conclave/", ".ralph*", "/.moderator/", "/.parley/");

  private Exclusions() {}

  /** Adds the patterns that are missing. All worktrees of the repository share them. */
  public static void ensure(Git git) throws IOException {
    Path exclude = git.common().resolve("info").resolve("exclude");
    Files.createDirectories(exclude.resolveSibling("."));
    String text = Files.exists(exclude) ? Files.readString(exclude, ISO_8859_1) : "";
    List<String> there = text.lines().toList();
    List<String> missing = PATTERNS.stream().filter(line -> !there.contains(line)).toList();
    if (!missing.isEmpty()) {
      String before = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
      Files.writeString(
          exclude,
          before + String.join("\n", missing) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}

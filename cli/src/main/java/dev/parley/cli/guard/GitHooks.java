package dev.parley.cli.guard;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * The hooks of a git repository. An existing hook is kept under another name, and ours runs it
 * first. Removing ours restores it.
 */
final class GitHooks {
  private static final List<String> NAMES = List.of("pre-commit", "prepare-commit-msg", "pre-push");
  private static final String KEPT = ".before-parley";
  private static final String MARK = "# Made by parley guard install.";

  private final Path folder;

  private GitHooks(Path folder) {
    this.folder = folder;
  }

  /**
   * The result for one hook.
   *
   * @param state installed, chained, unchanged, removed, restored or absent
   */
  record Change(String hook, String state, Path file) {}

  /**
   * The folder where git looks for hooks, with {@code core.hooksPath} and worktrees taken into
   * account.
   */
  static GitHooks of(Path workingFolder) throws IOException, InterruptedException {
    GitProcess git = GitProcess.run(workingFolder, "rev-parse", "--git-path", "hooks");
    if (git.exitCode() != 0) {
      throw ParleyException.refused(
          "no-repository",
          "There is no git repository here.",
          "Call it in a working tree, or make one with git init.");
    }
    return new GitHooks(workingFolder.resolve(git.line()).normalize());
  }

  List<Change> install(boolean strict) throws IOException {
    Files.createDirectories(folder);
    List<Change> changes = new ArrayList<>();
    for (String name : NAMES) {
      Path file = folder.resolve(name);
      String script = script(name, strict);
      String state = "installed";
      if (isOurs(file)) {
        state = Files.readString(file).equals(script) ? "unchanged" : "installed";
      } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(file, kept(name));
        state = "chained";
      }
      if (!state.equals("unchanged")) {
        write(file, script);
      }
      changes.add(new Change(name, state, file));
    }
    return changes;
  }

  List<Change> remove() throws IOException {
    List<Change> changes = new ArrayList<>();
    for (String name : NAMES) {
      Path file = folder.resolve(name);
      String state = "absent";
      if (isOurs(file)) {
        Files.delete(file);
        state = "removed";
        if (Files.exists(kept(name), LinkOption.NOFOLLOW_LINKS)) {
          Files.move(kept(name), file);
          state = "restored";
        }
      }
      changes.add(new Change(name, state, file));
    }
    return changes;
  }

  private Path kept(String name) {
    return folder.resolve(name + KEPT);
  }

  private static boolean isOurs(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) < 10_000
        && Files.readString(file).contains(MARK);
  }

  private static void write(Path file, String script) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".parley-new");
    Files.writeString(next, script);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Some hooks find out by their own name what to do; only a shell can run one by another name. */
  private static final String RUN_BEFORE =
      """
        case $(head -n 1 "$before") in
        "#!/bin/sh" | "#!/usr/bin/env sh")
          run() { sh -c 'before=$1; shift; . "$before"' "$0" "$before" "$@"; } ;;
        *) run() { "$before" "$@"; } ;;
        esac
      """;

  private static String script(String name, boolean strict) {
    String program = program();
    String missing = strict ? "exit 1" : "exit 0";
    String call = quoted(program) + " guard " + name + (strict ? " --strict" : "") + " -- \"$@\"";
    boolean readsInput = name.equals("pre-push");
    return "#!/bin/sh\n"
        + MARK
        + " parley guard install --undo takes it away.\n"
        + "before=\"$0"
        + KEPT
        + "\"\n"
        + (readsInput ? "input=$(cat)\n" : "")
        + "if [ -x \"$before\" ]; then\n"
        + RUN_BEFORE
        + "  "
        + (readsInput ? "printf '%s\\n' \"$input\" | " : "")
        + "run \"$@\" || exit\nfi\n"
        + "command -v "
        + quoted(program)
        + " >/dev/null || { echo \"parley is gone; the guard checked nothing\" >&2; "
        + missing
        + "; }\n"
        + (readsInput ? "printf '%s\\n' \"$input\" | " : "")
        + call
        + "\n";
  }

  /** The path of this program, by which the hook finds it from anywhere. */
  private static String program() {
    String home = System.getProperty("parley.home");
    return home == null ? "parley" : Path.of(home, "parley").toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}

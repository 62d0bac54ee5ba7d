package dev.parley.cli.guard;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.git.Git;
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
 *
 * <pre>
 * git runs            when
 * ------------------  -------------------------------------------------------------------
 * pre-commit          git commit, also one that ends a merge with conflicts
 * pre-merge-commit    git merge and git pull make the commit themselves
 * pre-applypatch      git am, git rebase --apply
 * prepare-commit-msg  every commit; the only one for cherry-pick, revert and git rebase,
 *                     where it can't be told from git commit --no-verify
 * pre-push            git push
 * </pre>
 */
final class GitHooks {
  private static final List<String> NAMES =
      List.of("pre-commit", "pre-merge-commit", "pre-applypatch", "prepare-commit-msg", "pre-push");

  private static final int MOST_BYTES = 10_000;

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
  static GitHooks of(Path workingFolder) {
    Git.Result path = Git.inHook(workingFolder).attempt("rev-parse", "--git-path", "hooks");
    if (!path.ok()) {
      throw ParleyException.refused(
          "no-repository",
          "There is no git repository here.",
          "Call it in a working tree, or make one with git init.");
    }
    return new GitHooks(workingFolder.resolve(path.line()).normalize());
  }

  /**
   * Installs the hooks that are missing or of another version.
   *
   * @param strict whether to refuse when a check fails; hooks that do so already go on doing it
   */
  List<Change> install(boolean strict) throws IOException {
    Files.createDirectories(folder);
    boolean isStrict = strict || isStrict();
    List<Change> changes = new ArrayList<>();
    for (String name : NAMES) {
      Path file = file(name);
      String script = HookScript.of(name, isStrict);
      String state = "installed";
      if (isOurs(file)) {
        boolean isCurrent = Files.isExecutable(file) && Files.readString(file).equals(script);
        state = isCurrent ? "unchanged" : "installed";
      } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        keep(name);
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
      Path file = file(name);
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

  /** The hooks of ours that are not as this version installs them; empty if none is installed. */
  List<String> incomplete() throws IOException {
    List<String> wrong = new ArrayList<>();
    boolean isStrict = isStrict();
    for (String name : NAMES) {
      Path file = file(name);
      boolean isCurrent =
          isOurs(file)
              && Files.isExecutable(file)
              && Files.readString(file).equals(HookScript.of(name, isStrict));
      if (!isCurrent) {
        wrong.add(name);
      }
    }
    return isInstalled() ? wrong : List.of();
  }

  boolean isInstalled() throws IOException {
    for (String name : NAMES) {
      if (isOurs(file(name))) {
        return true;
      }
    }
    return false;
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  private boolean isStrict() throws IOException {
    for (String name : NAMES) {
      if (isOurs(file(name)) && HookScript.isStrict(Files.readString(file(name)))) {
        return true;
      }
    }
    return false;
  }

  private Path kept(String name) {
    return file(name + HookScript.KEPT);
  }

  /**
   * Keeps the hook that is there. A tool may have written it over ours, so another may be kept
   * already: that one gets a number.
   */
  private void keep(String name) throws IOException {
    Path kept = kept(name);
    if (Files.exists(kept, LinkOption.NOFOLLOW_LINKS)) {
      int number = 1;
      while (Files.exists(file(kept.getFileName() + "-" + number), LinkOption.NOFOLLOW_LINKS)) {
        number++;
      }
      Files.move(kept, file(kept.getFileName() + "-" + number));
    }
    Files.move(file(name), kept);
  }

  private static boolean isOurs(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) < MOST_BYTES
        && HookScript.isOurs(Files.readString(file));
  }

  private static void write(Path file, String script) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".parley-new");
    Files.writeString(next, script);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}

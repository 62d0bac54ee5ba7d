package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a command in a git working tree, from git.
 *
 * @param commit the tree's new commit; null if it is the same as before
 * @param files the files that differ from the commit before, from the root of the tree
 */
public record ChangedFiles(@Nullable String commit, List<String> files) {
  static final ChangedFiles NOTHING = new ChangedFiles(null, List.of());

  /** The most files reported. */
  private static final int MOST = 256;

  /** The state of a tree before a command. */
  public record Before(Path tree, @Nullable String head, List<String> dirty) {
    /** The changes since then. */
    public ChangedFiles now() throws IOException, InterruptedException {
      if (head == null) {
        return NOTHING;
      }
      String now = ChangedFiles.head(tree);
      TreeSet<String> files = new TreeSet<>(ChangedFiles.dirty(tree));
      dirty.forEach(files::remove); // changed before the command
      String fresh = now == null || now.equals(head) ? null : now;
      if (fresh != null) {
        files.addAll(lines(git(tree, "diff", "--name-only", "-z", head, fresh)));
      }
      return new ChangedFiles(fresh, files.stream().limit(MOST).toList());
    }
  }

  /** The state of a working tree now. */
  public static Before in(Path tree) throws IOException, InterruptedException {
    String head = head(tree);
    return new Before(tree, head, head == null ? List.of() : dirty(tree));
  }

  private static @Nullable String head(Path tree) throws IOException, InterruptedException {
    String answer = git(tree, "rev-parse", "--verify", "-q", "HEAD");
    return answer == null || answer.isBlank() ? null : answer.strip();
  }

  private static List<String> dirty(Path tree) throws IOException, InterruptedException {
    List<String> files = new ArrayList<>();
    for (String entry : lines(git(tree, "status", "--porcelain", "-z", "--no-renames", "-uall"))) {
      if (entry.length() > 3) {
        files.add(entry.substring(3));
      }
    }
    return files;
  }

  private static List<String> lines(@Nullable String text) {
    return text == null || text.isEmpty() ? List.of() : List.of(text.split("\0"));
  }

  /** Git's output; null if git is missing or fails. */
  private static @Nullable String git(Path tree, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", tree.toString()));
    command.addAll(List.of(words));
    Process git;
    try {
      git =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
    } catch (IOException e) {
      return null;
    }
    String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return git.waitFor() == 0 ? answer : null;
  }
}

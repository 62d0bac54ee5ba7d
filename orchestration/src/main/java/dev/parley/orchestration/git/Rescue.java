package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Saves what is in a worktree under a ref, changing neither its files, nor its index, nor a branch.
 *
 * <pre>
 * refs/parley/rescue/&lt;time&gt;-&lt;name of the tree&gt;-&lt;commit&gt;
 *   └─ a commit of all files as they are, untracked ones included, ignored ones not
 *        ├─ parent: the head
 *        ├─ parent: a commit of the index, if something else is staged
 *        └─ parents: commits that nothing else leads to
 * </pre>
 */
public final class Rescue {
  private static final String REFS = "refs/parley/rescue/";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private Rescue() {}

  /** Saves the worktree of this folder, and the commits that only it leads to. */
  static String save(Git tree, List<String> unreachable) throws IOException {
    String head = tree.commit("HEAD");
    String staged = staged(tree);
    String files = files(tree);
    Set<String> parents = new LinkedHashSet<>();
    if (head != null) {
      parents.add(head);
    }
    String headTree = head == null ? "" : tree.run("rev-parse", head + "^{tree}");
    if (staged != null && !staged.equals(files) && !staged.equals(headTree)) {
      parents.add(commit(tree, staged, head == null ? List.of() : List.of(head), "index"));
    }
    parents.addAll(unreachable);
    String commit = commit(tree, files, List.copyOf(parents), "working tree");
    String name = String.valueOf(tree.folder().getFileName()).replaceAll("[^A-Za-z0-9_-]", "-");
    return keep(tree, commit, name);
  }

  /** Keeps a commit that nothing else may lead to. Returns the ref. */
  public static String keep(Git git, String commit, String name) {
    String ref = REFS + TIME.format(Instant.now()) + "-" + name + "-" + commit.substring(0, 8);
    var _ = git.run("update-ref", ref, commit);
    return ref;
  }

  private static @Nullable String staged(Git tree) {
    Git.Result result = tree.attempt("write-tree");
    return result.ok() ? result.line() : null; // a merge in progress has no tree
  }

  private static String files(Git tree) throws IOException {
    Path index = Files.createTempFile("parley-rescue", ".index");
    try {
      Path real = tree.folder().resolve(tree.run("rev-parse", "--git-path", "index"));
      if (Files.exists(real)) {
        Files.copy(real, index, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.delete(index);
      }
      Git aside = tree.with(Map.of("GIT_INDEX_FILE", index.toString()));
      var _ = aside.attempt("add", "--all", "--ignore-errors", ".");
      return aside.run("write-tree");
    } finally {
      Files.deleteIfExists(index);
    }
  }

  private static String commit(Git tree, String files, List<String> parents, String what) {
    List<String> command = new ArrayList<>(List.of("commit-tree", files));
    parents.forEach(parent -> command.addAll(List.of("-p", parent)));
    command.addAll(List.of("-m", "rescued: " + what + " of " + tree.folder().getFileName()));
    return tree.committing(command.toArray(String[]::new));
  }
}

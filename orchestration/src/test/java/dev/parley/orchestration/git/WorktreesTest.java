package dev.parley.orchestration.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorktreesTest {
  @TempDir private Path folder;
  private TestRepository repository;
  private Worktrees worktrees;
  private Path path;
  private Git tree;

  @BeforeEach
  void aWorktree() throws IOException {
    repository = TestRepository.create(folder.resolve("repository"));
    Exclusions.ensure(repository.git());
    worktrees = new Worktrees(repository.git());
    path = repository.folder().resolve(".worktrees/task-1");
    tree = worktrees.add(path, "task-1", "main");
  }

  private String commit(String file) throws IOException {
    TestRepository.write(path, file, file + "\n");
    tree.run("add", "--all");
    tree.run("commit", "--quiet", "-m", file);
    return tree.run("rev-parse", "HEAD");
  }

  @Test
  void aCleanWorktreeOnABranchIsRemovedAndItsBranchStays() throws IOException {
    String commit = commit("new");
    Worktrees.Removal removal = worktrees.remove(path);

    assertThat(removal.removed()).isTrue();
    assertThat(path).doesNotExist();
    assertThat(repository.git().commit("task-1")).isEqualTo(commit);
    assertThat(TreeState.of(repository.git()).isClean()).isTrue();
  }

  @Test
  void untrackedStagedAndChangedFilesAreSavedAndTheTreeIsKept() throws IOException {
    TestRepository.write(path, "untracked", "u\n");
    TestRepository.write(path, "README", "changed\n");
    TestRepository.write(path, "staged", "first\n");
    tree.run("add", "staged");
    TestRepository.write(path, "staged", "second\n");
    String before = tree.run("status", "--porcelain");
    Worktrees.Removal removal = worktrees.remove(path);

    assertThat(removal.removed()).isFalse();
    assertThat(removal.finding().reasons()).containsExactly("3 files are not committed");
    String ref = removal.rescue();
    assertThat(ref).startsWith("refs/parley/rescue/");
    assertThat(repository.git().run("show", ref + ":untracked")).isEqualTo("u");
    assertThat(repository.git().run("show", ref + ":README")).isEqualTo("changed");
    assertThat(repository.git().run("show", ref + ":staged")).isEqualTo("second");
    assertThat(repository.git().run("show", ref + "^2:staged")).isEqualTo("first");
    assertThat(tree.run("status", "--porcelain")).as("nothing is touched").isEqualTo(before);
  }

  @Test
  void commitsOfADetachedHeadAndThoseThatWereResetAreSaved() throws IOException {
    tree.run("checkout", "--quiet", "--detach");
    String first = commit("one");
    tree.run("reset", "--quiet", "--hard", "HEAD~1");
    String second = commit("two");
    Worktrees.Removal removal = worktrees.remove(path);

    assertThat(removal.removed()).isFalse();
    assertThat(removal.finding().reasons())
        .containsExactly("2 commits are on no branch, tag or remote ref");
    String ref = String.valueOf(removal.rescue());
    assertThat(repository.git().isAncestor(first, ref)).isTrue();
    assertThat(repository.git().isAncestor(second, ref)).isTrue();
  }

  /** Refs of a worktree alone go with it. */
  @Test
  void commitsThatOnlyARefOfTheWorktreeLeadsToAreSaved() throws IOException {
    String tree = this.tree.run("rev-parse", "HEAD^{tree}");
    String commit = this.tree.run("commit-tree", "-m", "aside", tree);
    this.tree.run("update-ref", "refs/worktree/mine", commit);
    Worktrees.Removal removal = worktrees.remove(path);

    assertThat(removal.finding().reasons())
        .containsExactly("1 commits are on no branch, tag or remote ref");
    assertThat(repository.git().isAncestor(commit, String.valueOf(removal.rescue()))).isTrue();
  }

  @Test
  void anUnfinishedMergeIsSavedWithBothOfItsSides() throws IOException {
    List<String> sides = unfinishedMerge(tree, path);
    Worktrees.Removal removal = worktrees.remove(path);

    assertThat(removal.removed()).isFalse();
    String ref = String.valueOf(removal.rescue());
    assertThat(sides).hasSize(2).allMatch(side -> repository.git().isAncestor(side, ref));
    assertThat(repository.git().run("show", ref + ":README")).contains("<<<<<<<");
  }

  /** Leaves a conflict; returns the commits that are merged. */
  private static List<String> unfinishedMerge(Git tree, Path path) throws IOException {
    String base = tree.run("rev-parse", "HEAD");
    List<String> sides = new ArrayList<>();
    for (String side : List.of("one", "two")) {
      tree.run("checkout", "--quiet", "--detach", "--force", base);
      TestRepository.write(path, "README", side + "\n");
      tree.run("add", "README");
      tree.run("commit", "--quiet", "-m", side);
      sides.add(tree.run("rev-parse", "HEAD"));
    }
    assertThat(tree.attempt("merge", "--quiet", sides.getFirst()).ok()).isFalse();
    return sides;
  }

  @Test
  void aWorktreeSomeoneWorksInIsKept() throws IOException {
    Process shell = new ProcessBuilder("sleep", "60").directory(path.toFile()).start();
    try {
      Worktrees.Removal removal = worktrees.remove(path);
      assertThat(removal.removed()).isFalse();
      assertThat(removal.finding().reasons())
          .containsExactly("a process works in it: " + shell.pid());
    } finally {
      shell.destroyForcibly();
    }
  }

  @Test
  void ignoredFilesAreListed() throws IOException {
    TestRepository.write(path, ".gitignore", "target/\n");
    var _ = commit("x");
    TestRepository.write(path, "target/x.class", "x");

    assertThat(worktrees.examine(path).ignored()).containsExactly("target/");
    assertThat(worktrees.remove(path).removed()).isTrue();
  }

  @Test
  void nothingIsRemovedByANameThatGitDoesNotKnow() throws IOException {
    Path other = repository.folder().resolve(".worktrees/task-2");
    TestRepository.write(other, "precious", "x");

    assertThat(worktrees.remove(other).removed()).isFalse();
    assertThat(worktrees.remove(repository.folder()).removed()).isFalse();
    assertThat(other.resolve("precious")).exists();
  }

  @Test
  void aWorktreeWithSubmodulesIsLeftAlone() throws IOException {
    TestRepository library = TestRepository.create(folder.resolve("library"));
    tree.run(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        library.folder().toString(),
        "lib");
    tree.run("commit", "--quiet", "-m", "with a submodule");
    assertThat(worktrees.remove(path).finding().reasons()).contains("it has submodules");
    assertThat(path.resolve("lib/README")).exists();
  }

  /** In each: random work in three worktrees, then all are removed as far as the rule allows. */
  @Test
  void inRandomHistoriesNoCommitAndNoFileIsLost() throws IOException {
    int histories = Integer.getInteger("parley.histories", Seed.isLong() ? 200 : 4);
    long seed = Seed.random("worktrees").nextLong();
    for (int i = 0; i < histories; i++) {
      history(folder.resolve("history-" + i), seed + i);
    }
    Seed.say("worktrees: " + histories + " histories, no commit and no file lost");
  }

  private static void history(Path where, long seed) throws IOException {
    Random random = new Random(seed);
    TestRepository repository = TestRepository.create(where);
    Exclusions.ensure(repository.git());
    repository.commit(".gitignore", "*.ignored\n");
    Worktrees worktrees = new Worktrees(repository.git());
    Set<String> commits = new HashSet<>();
    List<Path> trees = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      Path path = where.resolve(".worktrees/t" + t);
      Git tree = worktrees.add(path, "t" + t, "main");
      trees.add(path);
      int steps = random.nextInt(9);
      for (int s = 0; s < steps; s++) {
        step(tree, path, random, s);
        commits.add(tree.run("rev-parse", "HEAD"));
      }
      if (random.nextInt(4) == 0) {
        commits.addAll(unfinishedMerge(tree, path));
      }
    }
    Set<String> blobs = new HashSet<>();
    for (Path path : trees) {
      Git tree = new Git(path);
      for (String file :
          tree.items("ls-files", "-z", "--cached", "--others", "--exclude-standard")) {
        if (Files.exists(path.resolve(file))) {
          blobs.add(tree.run("hash-object", "--no-filters", file));
        }
      }
    }
    for (Path path : trees) {
      var _ = worktrees.remove(path);
    }
    repository.git().run("reflog", "expire", "--expire=now", "--all");
    repository.git().run("gc", "--quiet", "--prune=now");
    Set<String> left =
        new HashSet<>(
            repository.git().lines("rev-list", "--all", "--objects", "--no-object-names"));
    assertThat(left).as("seed " + seed + ": commits").containsAll(commits);
    assertThat(left).as("seed " + seed + ": files").containsAll(blobs);
  }

  private static void step(Git tree, Path path, Random random, int step) throws IOException {
    String file = "f" + random.nextInt(3);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        TestRepository.write(path, file, "" + random.nextLong());
        tree.run("add", "--all");
        tree.run("commit", "--quiet", "--allow-empty", "-m", "step " + step);
      }
      case 3 ->
          TestRepository.write(path, "untracked " + random.nextInt(3), "" + random.nextLong());
      case 4 -> {
        TestRepository.write(path, file, "" + random.nextLong());
        tree.run("add", file);
      }
      case 5 -> TestRepository.write(path, "x.ignored", "x");
      case 6 -> tree.run("checkout", "--quiet", "--detach");
      case 7 ->
          tree.run(
              "commit", "--quiet", "--amend", "--allow-empty", "-m", "again " + random.nextInt());
      case 9 -> {
        if (tree.attempt("mv", "README", "renamed-" + step).ok()) {
          tree.run("commit", "--quiet", "--all", "-m", "rename");
          tree.run("mv", "renamed-" + step, "README");
        }
      }
      case 10 -> tree.run("update-ref", "refs/worktree/" + random.nextInt(2), "HEAD");
      case 11 -> {
        Files.deleteIfExists(path.resolve(file));
        tree.run("stash", "--quiet", "--include-untracked");
      }
      default ->
          tree.run("reset", "--quiet", "--soft", tree.commit("HEAD~1") == null ? "HEAD" : "HEAD~1");
    }
  }
}

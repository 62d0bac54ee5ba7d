package dev.parley.orchestration.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeTreeTest {
  @TempDir private Path folder;
  private TestRepository repository;
  private Git git;
  private MergeTree merges;
  private String tip;

  @BeforeEach
  void aTree() throws IOException {
    repository = TestRepository.create(folder.resolve("repository"));
    git = repository.git();
    Exclusions.ensure(git);
    tip = git.run("rev-parse", "HEAD");
    Path path = repository.folder().resolve(".worktrees/merge");
    merges = new MergeTree(new Worktrees(git).addDetached(path, tip));
  }

  private void branch(String name, String file, String text) throws IOException {
    git.run("switch", "--quiet", "-c", name, tip);
    repository.commit(file, text);
    git.run("switch", "--quiet", "main");
  }

  @Test
  void aBranchBecomesOneCommitWithTrailers() throws IOException {
    branch("one", "a", "1\n");
    String message = Trailers.message("Task 1: do\nit", "run-1", "task-1");
    MergeTree.Result result = merges.squash(tip, "one", message);

    assertThat(result).isInstanceOf(MergeTree.Result.Merged.class);
    String commit = ((MergeTree.Result.Merged) result).commit();
    assertThat(git.run("show", "--no-patch", "--format=%s|%P", commit))
        .isEqualTo("Task 1: do it|" + tip);
    assertThat(Trailers.commits(git, tip, commit, "run-1"))
        .containsExactly(java.util.Map.entry("task-1", commit));
    assertThat(Trailers.commits(git, tip, commit, "run-2")).isEmpty();
    assertThat(TreeState.of(git).head()).as("the user's branch stands").isEqualTo(tip);
  }

  @Test
  void aConflictNamesItsFilesAndLeavesNothingBehind() throws IOException {
    branch("one", "README", "one\n");
    branch("two", "README", "two\n");
    String one = ((MergeTree.Result.Merged) merges.squash(tip, "one", "one")).commit();

    assertThat(merges.squash(one, "two", "two"))
        .isEqualTo(new MergeTree.Result.Conflict(java.util.List.of("README")));
    assertThat(TreeState.of(merges.git()).isClean()).isTrue();
    assertThat(merges.git().run("rev-parse", "HEAD")).isEqualTo(one);
  }

  @Test
  void aRenameAndAChangeOfTheSameFileMeet() throws IOException {
    git.run("switch", "--quiet", "-c", "renamed");
    git.run("mv", "README", "LIESMICH");
    git.run("commit", "--quiet", "-m", "rename");
    git.run("switch", "--quiet", "main");
    branch("changed", "README", "hello\nworld\n");
    String one = ((MergeTree.Result.Merged) merges.squash(tip, "renamed", "one")).commit();
    String two = ((MergeTree.Result.Merged) merges.squash(one, "changed", "two")).commit();

    assertThat(git.run("show", two + ":LIESMICH")).isEqualTo("hello\nworld");
  }

  @Test
  void aHookThatFailsIsToldAndABranchWithoutNewsIsNothing() throws IOException {
    branch("one", "a", "1\n");
    git.run("branch", "empty", tip);
    assertThat(merges.squash(tip, "empty", "x")).isInstanceOf(MergeTree.Result.Nothing.class);

    Path hook = repository.folder().resolve(".git/hooks/pre-commit");
    Files.createDirectories(hook.getParent());
    Files.writeString(hook, "#!/bin/sh\necho no such luck >&2\nexit 1\n");
    assertThat(hook.toFile().setExecutable(true)).isTrue();
    assertThat(merges.squash(tip, "one", "x"))
        .isEqualTo(new MergeTree.Result.Refused("no such luck"));
    assertThat(TreeState.of(merges.git()).isClean()).isTrue();
  }
}

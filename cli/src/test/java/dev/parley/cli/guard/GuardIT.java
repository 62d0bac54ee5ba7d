package dev.parley.cli.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The git guard, called by git itself. */
@Timeout(200)
class GuardIT {
  @TempDir Path temp;
  private Path repo;

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    succeeds(
        """
        git init -q -b main
        git config user.email a@example.org
        git config user.name a
        git commit -q --allow-empty -m first
        $parley init
        """);
  }

  private Trial.Answer bash(String script) throws IOException, InterruptedException {
    try (Launched bash =
        Launched.bash(
            repo, "unset PARLEY_AGENT PARLEY_SESSION PARLEY_TASK PARLEY_TOKEN\n" + script)) {
      return bash.answer();
    }
  }

  private String succeeds(String script) throws IOException, InterruptedException {
    Trial.Answer answer = bash("set -e\n" + script);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer.out();
  }

  private String refused(String script) throws IOException, InterruptedException {
    Trial.Answer answer = bash(script);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isNotZero();
    return answer.err();
  }

  @Test
  void aWorktreesCommitOfAHeldPathIsRefusedAndOneUnderItsTaskPassesWithTrailers()
      throws IOException, InterruptedException {
    succeeds(
        """
        $parley guard install
        git worktree add -q ../w
        $parley task add 1.1 --as lead
        $parley task claim 1.1 --as worker
        $parley lock a.txt --task 1.1 --as worker
        echo x >../w/a.txt
        git -C ../w add a.txt
        """);
    assertThat(refused("git -C ../w commit -q -m nobody")).contains("worker holds a.txt until");
    assertThat(refused("PARLEY_AGENT=bob git -C ../w commit -q -m bob")).contains("you are bob");
    assertThat(
            succeeds(
                """
                PARLEY_AGENT=runner PARLEY_TASK=1.1 PARLEY_RUN=r7 git -C ../w commit -q -m merged
                git -C ../w log -1 --format=%B
                """))
        .contains("Parley-Run: r7", "Parley-Task: 1.1");

    succeeds("git init -q --bare ../there.git; git remote add there ../there.git");
    assertThat(refused("PARLEY_AGENT=bob git push -q there w"))
        .contains("worker holds a.txt until");
    succeeds("PARLEY_AGENT=worker git push -q there w");
  }

  @Test
  void hooksInAFolderOfTheirOwnRunFirstUnderTheirOwnNameAndComeBack()
      throws IOException, InterruptedException {
    succeeds(
        """
        mkdir -p .husky/_
        printf '#!/usr/bin/env sh\\n. "$(dirname "$0")/h"\\n' >.husky/_/pre-commit
        printf 'echo "$(basename "$0") of before" >>said\\n' >.husky/_/h
        printf '#!/usr/bin/env python3\\nimport sys\\nopen("said","a").write(sys.stdin.read())\\n' \\
          >.husky/_/pre-push
        chmod +x .husky/_/pre-commit .husky/_/pre-push
        git config core.hooksPath .husky/_
        cp -r .husky ../before
        $parley guard install
        echo x >a.txt
        git add a.txt
        git commit -q -m one
        git init -q --bare ../there.git
        git push -q ../there.git main
        """);
    assertThat(repo.resolve("said"))
        .content()
        .startsWith("pre-commit of before\n")
        .contains("refs/heads/main ");
    succeeds("printf '#!/bin/sh\\nexit 7\\n' >.husky/_/pre-commit.before-parley");
    var _ = refused("git commit -q --allow-empty -m two");

    succeeds(
        """
        cp ../before/_/pre-commit .husky/_/pre-commit.before-parley
        $parley guard install --undo
        diff -r .husky ../before
        """);
  }

  /** A branch w whose commit changes a.txt, which worker holds for task 1.1. */
  private void branchThatChangesAHeldPath() throws IOException, InterruptedException {
    succeeds(
        """
        git switch -q -c w
        echo x >a.txt
        git add a.txt
        git commit -q -m theirs
        git switch -q main
        git commit -q --allow-empty -m ours
        $parley task add 1.1 --as lead
        $parley task claim 1.1 --as worker
        $parley lock a.txt --task 1.1 --as worker
        """);
  }

  @Test
  void aMergeThatGitCommitsItselfIsCheckedAndOneUnderItsTaskPassesWithTrailers()
      throws IOException, InterruptedException {
    branchThatChangesAHeldPath();
    succeeds(
        """
        printf '#!/bin/sh\necho merging >>../said\n' >.git/hooks/pre-merge-commit
        chmod +x .git/hooks/pre-merge-commit
        cp .git/hooks/pre-merge-commit ../before
        $parley guard install
        """);
    assertThat(refused("PARLEY_AGENT=bob git merge -q --no-edit w"))
        .contains("worker holds a.txt until", "you are bob", "git merge --abort");
    succeeds("git merge --abort");
    assertThat(
            succeeds(
                """
                git worktree add -q --detach ../merges
                cd ../merges
                PARLEY_AGENT=runner PARLEY_TASK=1.1 PARLEY_RUN=r7 git merge -q --no-edit w
                git log -1 --format=%B%P
                """))
        .contains("Merge branch 'w'", "Parley-Run: r7", "Parley-Task: 1.1")
        .containsPattern("[0-9a-f]{40} [0-9a-f]{40}");
    assertThat(temp.resolve("said")).hasContent("merging\nmerging\n");
    succeeds("$parley guard install --undo; cmp .git/hooks/pre-merge-commit ../before");
  }

  @Test
  void aPatchIsCheckedWhenItIsAppliedAndAPickedCommitWhenItIsPushed()
      throws IOException, InterruptedException {
    branchThatChangesAHeldPath();
    succeeds("$parley guard install; git format-patch -q -1 --stdout w >../patch");
    assertThat(refused("PARLEY_AGENT=bob git am -q ../patch"))
        .contains("worker holds a.txt until", "git am --abort");
    succeeds(
        """
        git am --abort
        PARLEY_AGENT=bob git cherry-pick w
        git init -q --bare ../there.git
        """);
    assertThat(refused("PARLEY_AGENT=bob git push -q ../there.git main"))
        .contains("worker holds a.txt until", "git push --no-verify");
  }

  @Test
  void aCheckThatFailsWarnsAndIfStrictRefuses() throws IOException, InterruptedException {
    // Git reads its settings before it calls a hook, so this fails for the hook alone.
    String breaksDiff = "git config diff.orderFile /nowhere/order";
    String repaired = "git config --unset diff.orderFile; echo x >>a.txt; git add a.txt\n";
    String failingProgram = "export PARLEY_JAVA_OPTS=-XX:+NoSuchOption\n";
    String commit = "PARLEY_AGENT=bob git commit -q -m bob\n";
    succeeds(
        "printf '#!/bin/sh\\n"
            + breaksDiff
            + "\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; $parley guard install");
    Trial.Answer passed = bash(repaired + commit);
    assertThat(passed.exitCode()).as(passed.err()).isZero();
    assertThat(passed.err()).contains("guard: nothing checked: git diff failed", "/nowhere/order");
    passed = bash(repaired + failingProgram + commit);
    assertThat(passed.exitCode()).as(passed.err()).isZero();
    assertThat(passed.err()).contains("parley failed; the guard checked nothing");

    succeeds("$parley guard install --strict; $parley guard install");
    assertThat(refused(repaired + commit))
        .contains("guard: refused, because it can't be checked: git diff failed");
    assertThat(refused(repaired + failingProgram + commit))
        .contains("parley failed; its guard is strict");
    assertThat(succeeds("git log --format=%s")).isEqualTo("bob\nbob\nfirst\n");
    succeeds(repaired + failingProgram + "git commit -q --no-verify -m unchecked");
  }

  @Test
  void anOlderInstallationIsCompletedAndTheDoctorSaysThatItIsNotComplete()
      throws IOException, InterruptedException {
    String old = "#!/bin/sh\n# Made by parley guard install. It was simpler then.\n";
    for (String hook : new String[] {"pre-commit", "prepare-commit-msg", "pre-push"}) {
      Files.writeString(repo.resolve(".git/hooks/" + hook), old);
    }
    succeeds("chmod +x .git/hooks/pre-commit .git/hooks/prepare-commit-msg .git/hooks/pre-push");
    assertThat(succeeds("$parley doctor"))
        .contains("missing, or not as this version installs them: pre-commit, pre-merge-commit")
        .contains("parley guard install");
    assertThat(succeeds("$parley guard install; $parley guard install"))
        .containsPattern("installed .*/pre-merge-commit")
        .containsPattern("unchanged .*/pre-merge-commit");
    assertThat(succeeds("$parley doctor")).doesNotContain("guard");
    assertThat(succeeds("$parley guard install --undo; ls .git/hooks"))
        .doesNotContainPattern("(?m)^pre-(commit|push|merge-commit|applypatch)$");
  }
}

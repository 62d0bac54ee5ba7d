package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
}

package dev.parley.cli.hook;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.setup.SetupCommand;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.filelog.git.GitLayout;
import dev.parley.filelog.git.Repository;
import dev.parley.orchestration.git.Git;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Makes and removes the worktrees that Claude Code works in. It reads its settings in the worktree
 * itself, so in one that it makes alone no hook of ours runs, unless the settings are committed.
 *
 * <p>They lie where Claude Code puts its own, on a branch of the same name.
 */
final class HostWorktrees {
  private static final String FOLDER = ".claude/worktrees";
  private static final String BRANCH = "worktree-";
  private static final String HOST = "claude";

  private HostWorktrees() {}

  /** Prints the path of a new worktree, or of the one that is there. */
  static int create(Invocation invocation, Fields input) throws IOException {
    Path main = mainCheckout(invocation, input);
    String name = input.text("name", "");
    if (main == null || !name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}") || name.contains("..")) {
      throw ParleyException.invalid(
          "bad-worktree",
          main == null ? "There is no git repository here." : "No worktree can have this name.",
          "Use a repository, and letters, digits, _ and - for a name.");
    }
    Path tree = main.resolve(FOLDER).resolve(name);
    if (!Files.exists(tree.resolve(".git"))) {
      add(new Git(main), tree, BRANCH + name);
    }
    try {
      SetupCommand.copyTo(tree, invocation, HOST);
    } catch (IOException | ParleyException e) {
      // The worktree is there and can be worked in, although without our hooks.
      invocation.notices().say("the worktree has no hooks of Parley: " + Explanation.messageOf(e));
    }
    invocation.out().line(tree.toString());
    return ExitCode.OK;
  }

  /** From where the remote's main branch is, as Claude Code does it; without one, from here. */
  private static void add(Git git, Path tree, String branch) {
    String remote = "refs/remotes/origin/HEAD";
    if (git.commit("refs/heads/" + branch) != null) {
      var _ = git.run("worktree", "add", "--quiet", tree.toString(), branch);
    } else {
      String base = git.commit(remote) == null ? "HEAD" : remote;
      var _ =
          git.run("worktree", "add", "--quiet", "--no-track", "-b", branch, tree.toString(), base);
    }
  }

  /** Removes a worktree of ours, unless something in it would be lost. */
  static int remove(Invocation invocation, Fields input) throws IOException {
    Path main = mainCheckout(invocation, input);
    Path tree = path(input.text("worktree_path", ""));
    if (main == null || tree == null || !isOurs(main, tree)) {
      return ExitCode.OK;
    }
    Git git = new Git(main);
    String[] remove = {"worktree", "remove", tree.toString()};
    Git.Result removed = git.attempt(remove);
    if (!removed.ok()) {
      SetupCommand.removeFrom(tree, invocation, HOST); // perhaps nothing else is in the way
      removed = git.attempt(remove);
    }
    if (removed.ok()) {
      var _ = git.attempt("branch", "--quiet", "-d", BRANCH + tree.getFileName());
    } else {
      SetupCommand.copyTo(tree, invocation, HOST);
      invocation.notices().say("the worktree stays: " + removed.err().strip());
    }
    return ExitCode.OK;
  }

  private static boolean isOurs(Path main, Path tree) {
    return main.resolve(FOLDER).equals(tree.normalize().getParent())
        && Files.exists(tree.resolve(".git"));
  }

  private static @Nullable Path mainCheckout(Invocation invocation, Fields input)
      throws IOException {
    Path told = path(input.text("cwd", ""));
    Path folder = told != null && Files.isDirectory(told) ? told : invocation.shell().folder();
    GitLayout git = Repository.layout(folder.toRealPath());
    return git == null ? null : git.busHome();
  }

  private static @Nullable Path path(String text) {
    try {
      return text.isEmpty() ? null : Path.of(text);
    } catch (InvalidPathException e) {
      return null;
    }
  }
}

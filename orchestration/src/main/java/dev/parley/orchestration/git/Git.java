package dev.parley.orchestration.git;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The git command line, run in one folder. Safe for use by many threads.
 *
 * <p>Variables that point git at another repository are removed, except in hooks, and git never
 * asks for a password. Its messages are in English, because some of them are parsed.
 */
public final class Git {
  /** The code of the failure of a git command. */
  public static final String FAILED = "git-failed";

  private static final Executor READERS = task -> Thread.ofVirtual().start(task);

  private final Path folder;
  private final boolean inHook;
  private final Map<String, String> more;

  public Git(Path folder) {
    this(folder, false, Map.of());
  }

  private Git(Path folder, boolean inHook, Map<String, String> more) {
    this.folder = folder.toAbsolutePath().normalize();
    this.inHook = inHook;
    this.more = more;
  }

  /**
   * Git for a hook. It keeps the variables that git has set for the hook: they say which index is
   * being committed.
   */
  public static Git inHook(Path folder) {
    return new Git(folder, true, Map.of());
  }

  /** The result of a git command. */
  public record Result(int exit, String out, String err) {
    public boolean ok() {
      return exit == 0;
    }

    /** The output without its final line break. */
    public String line() {
      return out.strip();
    }
  }

  public Path folder() {
    return folder;
  }

  /** The same git with more variables, such as another index. */
  public Git with(Map<String, String> variables) {
    return new Git(folder, inHook, variables);
  }

  /** Sets up the environment for git commands and the programs beside them. */
  public static void cleanse(Map<String, String> environment) {
    for (String name :
        List.of(
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_COMMON_DIR",
            "GIT_OBJECT_DIRECTORY",
            "GIT_PREFIX",
            "GIT_NAMESPACE")) {
      environment.remove(name);
    }
    environment.put("GIT_TERMINAL_PROMPT", "0");
  }

  /**
   * Runs a command that should succeed.
   *
   * @return the output without its final line break
   * @throws ParleyException FAILED with git's message
   */
  public String run(String... words) {
    Result result = attempt(words);
    if (!result.ok()) {
      throw failed(result, words);
    }
    return result.out().stripTrailing();
  }

  static ParleyException failed(Result result, String... words) {
    String said = result.err().isBlank() ? result.out() : result.err();
    return new ParleyException(
        ParleyException.Kind.FAILED,
        FAILED,
        "git " + words[0] + " failed (" + result.exit() + "): " + said.strip() + ".",
        "Look at the repository with git status, then try again.");
  }

  /** Runs a command that may fail. */
  public Result attempt(String... words) {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    if (!inHook) {
      cleanse(builder.environment());
    }
    builder.environment().put("LC_ALL", "C");
    builder.environment().putAll(more);
    try {
      Process git = builder.start();
      git.getOutputStream().close();
      CompletableFuture<String> err =
          CompletableFuture.supplyAsync(() -> text(git.getErrorStream()), READERS);
      String out = text(git.getInputStream());
      int exit = git.waitFor();
      return new Result(exit, out, err.get());
    } catch (IOException e) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "no-git",
          "git can't be run: " + e.getMessage() + ".",
          "Install git, and make sure that the folder is there.",
          e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ParleyException(
          ParleyException.Kind.FAILED, "interrupted", "git was interrupted.", "Try again.", e);
    }
  }

  private static String text(java.io.InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A command's output lines. */
  List<String> lines(String... words) {
    return run(words).lines().toList();
  }

  /** The items of a command's {@code -z} output. */
  List<String> items(String... words) {
    return Arrays.stream(run(words).split("\0", -1)).filter(item -> !item.isEmpty()).toList();
  }

  /** The full name of a commit; null if there is none of this name. */
  public @Nullable String commit(String name) {
    Result result =
        attempt("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}");
    return result.ok() ? result.line() : null;
  }

  /** Whether a commit equals another or is its ancestor. */
  public boolean isAncestor(String commit, String of) {
    return attempt("merge-base", "--is-ancestor", commit, of).ok();
  }

  /**
   * The repository of a folder.
   *
   * @return the top of its working tree
   * @throws ParleyException REFUSED if there is none
   */
  public static Git repository(Path folder) {
    Result top = new Git(folder).attempt("rev-parse", "--show-toplevel");
    if (!top.ok()) {
      throw ParleyException.refused(
          "no-repository",
          folder + " is not in a git repository.",
          "Go to a repository, or make one: git init.");
    }
    return new Git(Path.of(top.line()));
  }

  /** Options that name a committer, if git has none configured. */
  public List<String> identity() {
    return attempt("var", "GIT_COMMITTER_IDENT").ok() && attempt("var", "GIT_AUTHOR_IDENT").ok()
        ? List.of()
        : List.of("-c", "user.name=parley", "-c", "user.email=parley@localhost");
  }

  /** Runs a command that makes commits. */
  String committing(String... words) {
    List<String> all = new ArrayList<>(identity());
    all.addAll(List.of(words));
    return run(all.toArray(String[]::new));
  }

  /** The folder that all worktrees of the repository share. */
  Path common() {
    return folder.resolve(run("rev-parse", "--git-common-dir")).normalize();
  }
}

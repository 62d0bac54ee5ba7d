package dev.parley.cli.guard;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.git.Git;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Examines the git guard of a repository, and tests it without a commit. */
public final class GuardCheck {
  /** The hash of the empty file. */
  private static final String EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

  private static final int PATIENCE_SECONDS = 30;

  private final Path folder;
  private final GitHooks hooks;

  private GuardCheck(Path folder, GitHooks hooks) {
    this.folder = folder;
    this.hooks = hooks;
  }

  /** The guard of the repository that a folder is in; null if none is installed. */
  public static @Nullable GuardCheck of(Path folder) throws IOException {
    try {
      GitHooks hooks = GitHooks.of(folder);
      return hooks.isInstalled() ? new GuardCheck(folder, hooks) : null;
    } catch (ParleyException e) {
      return null; // no repository, or no git
    }
  }

  /** What is wrong with the installation; null if it is as this version makes it. */
  public @Nullable String trouble() throws IOException {
    List<String> wrong = hooks.incomplete();
    return wrong.isEmpty()
        ? null
        : "missing, or not as this version installs them: " + String.join(", ", wrong);
  }

  /** Where the hook for commits is. */
  public Path hook() {
    return hooks.file("pre-commit");
  }

  /**
   * The pre-commit hook's message if an agent commits a path: the hook is run on an index of its
   * own.
   *
   * @return empty if the commit is allowed
   */
  public String commitAs(String agent, String path) throws IOException, InterruptedException {
    Path own = Files.createTempDirectory("parley-doctor-");
    Path index = own.resolve("index");
    try {
      Map<String, String> environment = Map.of("GIT_INDEX_FILE", index.toString());
      Git git = new Git(folder).with(environment);
      var _ = git.attempt("read-tree", "HEAD");
      var _ = git.run("update-index", "--add", "--cacheinfo", "100644," + EMPTY + "," + path);
      return refusal(agent, index);
    } finally {
      Files.deleteIfExists(index);
      Files.deleteIfExists(own);
    }
  }

  /** What the hook says if it fails; empty if it succeeds. */
  private String refusal(String agent, Path index) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(hook().toString()).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("PARLEY_SESSION", "PARLEY_TASK"));
    builder.environment().put("PARLEY_AGENT", agent);
    builder.environment().put("GIT_INDEX_FILE", index.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return "it does not end";
    }
    return process.exitValue() == 0 ? "" : said;
  }
}

package dev.parley.cli.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tests the git guard without a commit: runs the hook on an index of its own. */
public final class GuardCheck {
  /** The hash of the empty file. */
  private static final String EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

  private static final int PATIENCE_SECONDS = 30;

  private GuardCheck() {}

  /**
   * The pre-commit hook's message if an agent commits a path.
   *
   * @return null if our hook is not installed; empty if it allows the commit
   */
  public static @Nullable String commitAs(Path folder, String agent, String path)
      throws IOException, InterruptedException {
    GitProcess git = GitProcess.run(folder, "rev-parse", "--git-path", "hooks");
    if (git.exitCode() != 0) {
      return null;
    }
    Path hook = folder.resolve(git.line()).normalize().resolve("pre-commit");
    if (!Files.isExecutable(hook) || !Files.readString(hook).contains("parley guard install")) {
      return null;
    }
    Path own = Files.createTempDirectory("parley-doctor-");
    Path index = own.resolve("index");
    try {
      Map<String, String> environment =
          Map.of("GIT_INDEX_FILE", index.toString(), "PARLEY_AGENT", agent);
      var _ = run(folder, environment, List.of("git", "read-tree", "HEAD"));
      var _ =
          run(
              folder,
              environment,
              List.of(
                  "git", "update-index", "--add", "--cacheinfo", "100644," + EMPTY + "," + path));
      return run(folder, environment, List.of(hook.toString()));
    } finally {
      Files.deleteIfExists(index);
      Files.deleteIfExists(own);
    }
  }

  /** A program's output if it failed; empty if it succeeded. */
  private static String run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("PARLEY_SESSION", "PARLEY_TASK"));
    builder.environment().putAll(environment);
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

package dev.parley.orchestration.loop;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.gate.GateRun;
import dev.parley.orchestration.git.Git;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What each worktree of a run has of its own, and the commands that prepare it and clean up after
 * it.
 *
 * <pre>
 * PARLEY_SLOT        its number, which no other worktree of the run has
 * PARLEY_PORT_BASE   the first of its 20 ports; that of slot 0 is 20000, or PARLEY_PORT_BASE if the
 *                    user has set it
 * TMPDIR             its folder for temporary files
 * </pre>
 *
 * @param setUp a shell line; empty for none
 * @param tearDown a shell line; empty for none
 * @param timeout of each
 */
public record TreeCommands(Run run, String setUp, String tearDown, Duration timeout) {
  /** The slot of the worktree where changes of tasks are merged or reviewed. */
  public static final int COMMON_SLOT = 0;

  private static final String PORT_BASE = "PARLEY_PORT_BASE";
  private static final int PORTS = 20;
  private static final int FIRST_PORT = 20_000;
  private static final int LEAST_PORT = 1_024;
  private static final int MOST_PORT = 45_000;

  /** The variables of the worktree of a slot, beside those of the run. */
  public static Map<String, String> variables(Run run, int slot) throws IOException {
    Path temporary = run.folder().path().resolve("tmp").resolve("slot-" + slot);
    Files.createDirectories(temporary);
    return Map.of(
        "PARLEY_SLOT",
        Integer.toString(slot),
        PORT_BASE,
        Integer.toString(firstPort(run.context().environment()) + slot * PORTS),
        "TMPDIR",
        temporary.toString());
  }

  private static int firstPort(Map<String, String> environment) {
    String set = environment.getOrDefault(PORT_BASE, "");
    int first = set.isEmpty() ? FIRST_PORT : set.matches("\\d{1,5}") ? Integer.parseInt(set) : 0;
    if (first < LEAST_PORT || first > MOST_PORT) {
      throw ParleyException.invalid(
          "bad-number",
          PORT_BASE + " can't be \"" + set + "\".",
          "Use a number from " + LEAST_PORT + " to " + MOST_PORT + ".");
    }
    return first;
  }

  /** Prepares a worktree; null if nothing is set. */
  public @Nullable Evidence prepare(Git tree, int slot) throws IOException, InterruptedException {
    return command("set-up", setUp, tree, slot, run::isStopped);
  }

  /** Cleans up after a worktree, also in a run that was stopped; null if nothing is set. */
  public @Nullable Evidence cleanUp(Git tree, int slot) throws IOException, InterruptedException {
    return command("tear-down", tearDown, tree, slot, () -> false);
  }

  private @Nullable Evidence command(
      String name, String line, Git tree, int slot, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    if (line.isBlank()) {
      return null;
    }
    Map<String, String> variables = new HashMap<>(run.variables());
    variables.putAll(variables(run, slot));
    return new GateRun(tree.folder(), variables, stopped)
        .run(Gate.ofShell(name, line, timeout), "");
  }
}

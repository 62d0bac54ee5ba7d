package dev.parley.orchestration.loop;

import dev.parley.core.json.Json;
import dev.parley.orchestration.gate.Evidence;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The result of a loop.
 *
 * @param iterations how many there were
 * @param commit the head when the loop was done; null if it failed
 * @param saved the branch with a failed loop's work; null if there was no work
 * @param evidence of all gates of the last iteration
 * @param remarks remarks for people: missing tests, files that gates left
 */
public record LoopResult(
    Outcome outcome,
    String why,
    int iterations,
    @Nullable String commit,
    @Nullable String saved,
    List<Evidence> evidence,
    List<String> remarks) {
  /** How a loop ended. */
  public enum Outcome {
    DONE,
    /** The maximum of iterations was reached. */
    OUT_OF_ITERATIONS,
    /** The same failure came again and again. */
    STUCK,
    /** The run's time, asks or money are used up. */
    LIMIT,
    /** The run was stopped. */
    STOPPED,
    /**
     * The agent did something that makes it impossible to continue, such as deleting its worktree.
     */
    BROKEN;

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The result of a process that was killed after the commit but before it recorded it. */
  static LoopResult done(int iterations, String commit) {
    return new LoopResult(Outcome.DONE, "", iterations, commit, null, List.of(), List.of());
  }

  public boolean done() {
    return outcome == Outcome.DONE;
  }

  public Json json() {
    return Json.object()
        .put("outcome", outcome.word())
        .put("why", why)
        .put("iterations", iterations)
        .put("commit", commit)
        .put("saved", saved)
        .put("gates", Json.of(evidence.stream().map(Evidence::json).toList()))
        .put("remarks", Json.ofStrings(remarks))
        .build();
  }
}

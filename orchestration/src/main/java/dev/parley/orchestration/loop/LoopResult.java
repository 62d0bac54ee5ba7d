package dev.parley.orchestration.loop;

import dev.parley.core.json.Json;
import dev.parley.orchestration.gate.Evidence;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a loop came to.
 *
 * @param iterations how often it was tried
 * @param commit the head when it was done; null if it was not
 * @param saved the branch with the work of a loop that failed; null if there was no work
 * @param evidence of all gates of the last iteration
 * @param remarks what people should know: tests that were not found, files that gates left
 */
public record LoopResult(
    Outcome outcome,
    String why,
    int iterations,
    @Nullable String commit,
    @Nullable String saved,
    List<Evidence> evidence,
    List<String> remarks) {
  /** How a loop ends. */
  public enum Outcome {
    DONE,
    /** It was tried as often as it may be. */
    OUT_OF_ITERATIONS,
    /** The same failure again and again. */
    STUCK,
    /** Time, asks or money of the run are used up. */
    LIMIT,
    /** Somebody stopped it. */
    STOPPED,
    /** The agent did something that ends the work, such as deleting its worktree. */
    BROKEN;

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Done by a process that was killed before it could say so. */
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

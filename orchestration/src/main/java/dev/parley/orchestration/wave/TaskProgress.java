package dev.parley.orchestration.wave;

import dev.parley.orchestration.ask.Usage;
import dev.parley.orchestration.loop.Loop;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a task while it is worked on.
 *
 * @param agent who does the work; empty before the first ask
 * @param stage what it was asked for; empty while no answer is awaited
 * @param gate the one that said something last; empty if none did
 * @param began when it was first worked on; null before that
 * @param over when it was merged, failed or skipped; null before that
 * @param usage by all asks for it
 */
public record TaskProgress(
    String agent,
    String stage,
    int iteration,
    String gate,
    @Nullable Instant began,
    @Nullable Instant over,
    Usage usage) {
  static final TaskProgress NONE = new TaskProgress("", "", 0, "", null, null, Usage.UNKNOWN);

  TaskProgress asked(String whom, String forStage) {
    String worker = forStage.equals(Loop.IMPLEMENT) ? whom : agent;
    return new TaskProgress(worker, forStage, iteration, gate, began, over, usage);
  }

  TaskProgress answered(Usage more) {
    return new TaskProgress(agent, "", iteration, gate, began, over, usage.plus(more));
  }

  TaskProgress gated(String saidBy, int inIteration) {
    return new TaskProgress(agent, stage, inIteration, saidBy, began, over, usage);
  }

  TaskProgress came(TaskStatus.State state, @Nullable Instant time) {
    boolean begins = began == null && state == TaskStatus.State.RUNNING;
    return new TaskProgress(
        agent, stage, iteration, gate, begins ? time : began, state.isOver() ? time : null, usage);
  }

  /** How long it was worked on; zero before that. */
  public Duration time(Instant now) {
    Instant from = began;
    return from == null ? Duration.ZERO : Duration.between(from, over == null ? now : over);
  }
}

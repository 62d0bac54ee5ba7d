package dev.parley.orchestration.wave;

import dev.parley.orchestration.ask.Usage;
import dev.parley.orchestration.loop.Loop;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a task, for display.
 *
 * @param agent the agent that works on it; empty before the first ask
 * @param stage the stage of the current ask; empty between asks
 * @param gate the last gate with a result; empty if there is none
 * @param began when the work began; null before that
 * @param over when it was merged, failed or skipped; null before that
 * @param usage by all its asks
 */
public record WaveTaskProgress(
    String agent,
    String stage,
    int iteration,
    String gate,
    @Nullable Instant began,
    @Nullable Instant over,
    Usage usage) {
  static final WaveTaskProgress NONE =
      new WaveTaskProgress("", "", 0, "", null, null, Usage.UNKNOWN);

  WaveTaskProgress asked(String whom, String forStage) {
    String worker = forStage.equals(Loop.IMPLEMENT) ? whom : agent;
    return new WaveTaskProgress(worker, forStage, iteration, gate, began, over, usage);
  }

  WaveTaskProgress answered(Usage more) {
    return new WaveTaskProgress(agent, "", iteration, gate, began, over, usage.plus(more));
  }

  WaveTaskProgress gated(String saidBy, int inIteration) {
    return new WaveTaskProgress(agent, stage, inIteration, saidBy, began, over, usage);
  }

  WaveTaskProgress came(TaskStatus.State state, @Nullable Instant time) {
    boolean begins = began == null && state == TaskStatus.State.RUNNING;
    return new WaveTaskProgress(
        agent, stage, iteration, gate, begins ? time : began, state.isOver() ? time : null, usage);
  }

  /** The working time; zero before the work began. */
  public Duration time(Instant now) {
    Instant from = began;
    return from == null ? Duration.ZERO : Duration.between(from, over == null ? now : over);
  }
}

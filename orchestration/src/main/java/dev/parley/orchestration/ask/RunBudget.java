package dev.parley.orchestration.ask;

import dev.parley.core.ParleyException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a run has used up, and whether it may continue. Limits are for the whole run, so what its
 * earlier processes used counts as well.
 */
final class RunBudget {
  private final String run;
  private final RunLimits limits;
  private final int asksBefore;
  private final Duration timeBefore;
  private final long start = System.nanoTime();
  private int asks;
  private Usage usage;

  RunBudget(String run, RunLimits limits, @Nullable RunRecord before) {
    this.run = run;
    this.limits = limits;
    this.asksBefore = before == null ? 0 : before.asksMade();
    this.timeBefore = before == null ? Duration.ZERO : before.spent();
    this.usage = before == null ? Usage.UNKNOWN : before.usage();
  }

  /**
   * Counts an ask that is about to be made.
   *
   * @throws ParleyException REFUSED if a limit is reached
   */
  synchronized void takeAsk() {
    int made = asksBefore + asks;
    if (made >= limits.asks()) {
      throw limit(
          "too-many-asks",
          "has reached its limit of " + made + (made == 1 ? " ask" : " asks"),
          "max_asks",
          "--max-asks");
    }
    if (usage.costMicros() >= limits.costMicros()) {
      throw limit("too-expensive", "has reached its limit of cost", "max_cost", "--max-cost");
    }
    checkTime();
    asks++;
  }

  /**
   * Checks that the run may still take time.
   *
   * @throws ParleyException REFUSED if its time is over
   */
  void checkTime() {
    if (!left().isPositive()) {
      throw limit("out-of-time", "has reached its limit of time", "run_timeout", "--run-timeout");
    }
  }

  private ParleyException limit(String code, String what, String setting, String option) {
    return ParleyException.refused(
        code,
        "The run " + run + " " + what + ".",
        "Continue with more: parley runs resume "
            + run
            + " "
            + option
            + " …. For later runs, raise "
            + setting
            + " under [limits] in parley.toml.");
  }

  synchronized void spend(Usage more) {
    usage = usage.plus(more);
  }

  /** The remaining time of the run. */
  Duration left() {
    return limits.run().minus(timeBefore).minus(elapsed());
  }

  /** How long this process has worked on the run. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  synchronized Usage usage() {
    return usage;
  }

  /** How many asks this process has made. */
  synchronized int asks() {
    return asks;
  }
}

package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Times;
import dev.parley.core.ParleyException;
import dev.parley.orchestration.ask.RunLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** The options of every command that asks agents: the limits of a run. */
public final class RunOptions {
  static final Option TIMEOUT =
      Option.value(
          "--timeout", "time", "how long an answer may take (agent's, else ask_timeout, 5m)");
  private static final Option RUN_TIMEOUT =
      Option.value("--run-timeout", "time", "how long the run may take (run_timeout, 1h)");
  private static final Option MAX_ASKS =
      Option.value("--max-asks", "n", "how many asks there may be (max_asks, 200)");
  private static final Option MAX_COST =
      Option.value("--max-cost", "dollars", "what it may cost, if known (max_cost, 20)");
  private static final Option MAX_OUTPUT =
      Option.value("--max-output", "bytes", "how much of an answer is kept (max_output, 16777216)");

  /** The options. */
  public static final List<Option> LIMITS =
      List.of(TIMEOUT, RUN_TIMEOUT, MAX_ASKS, MAX_COST, MAX_OUTPUT);

  private RunOptions() {}

  /** The given limits; the settings' limits where none is given. */
  public static RunLimits limits(Arguments arguments, RunLimits set) {
    RunLimits limits = set;
    String timeout = arguments.value(TIMEOUT);
    if (timeout != null) {
      limits = limits.withAsk(within(TIMEOUT, timeout, RunLimits.MOST.ask()));
    }
    String run = arguments.value(RUN_TIMEOUT);
    if (run != null) {
      limits = limits.withRun(within(RUN_TIMEOUT, run, RunLimits.MOST.run()));
    }
    String asks = arguments.value(MAX_ASKS);
    if (asks != null) {
      limits = limits.withAsks(IntOption.number(MAX_ASKS.name(), asks, 1, RunLimits.MOST.asks()));
    }
    String cost = arguments.value(MAX_COST);
    if (cost != null) {
      limits = limits.withCost(micros(cost));
    }
    String output = arguments.value(MAX_OUTPUT);
    if (output != null) {
      limits =
          limits.withOutput(
              IntOption.number(MAX_OUTPUT.name(), output, 1, RunLimits.MOST.output()));
    }
    return limits;
  }

  /** A duration above zero and up to a maximum. */
  static Duration within(Option option, String text, Duration most) {
    Duration time = Times.duration(option.name(), text);
    if (time.isZero() || time.compareTo(most) > 0) {
      throw ParleyException.invalid(
          "bad-time",
          option.name() + " \"" + text + "\" is out of range.",
          "Use 1s to " + most.toHours() + "h.");
    }
    return time;
  }

  private static long micros(String text) {
    try {
      BigDecimal micros = new BigDecimal(text).movePointRight(6);
      if (micros.signum() > 0
          && micros.compareTo(BigDecimal.valueOf(RunLimits.MOST.costMicros())) <= 0) {
        return micros.longValue();
      }
    } catch (NumberFormatException e) {
      // Treated like a value out of range.
    }
    throw ParleyException.invalid(
        "bad-number",
        MAX_COST.name() + " \"" + text + "\" is not an amount.",
        "Write 2.50, for example.");
  }
}

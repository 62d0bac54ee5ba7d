package dev.parley.orchestration.ask;

/**
 * What an answer used up, as far as the agent reports it.
 *
 * @param input tokens read; -1 if unknown
 * @param output tokens written; -1 if unknown
 * @param costMicros millionths of a dollar; -1 if unknown
 */
public record Usage(long input, long output, long costMicros) {
  public static final Usage UNKNOWN = new Usage(-1, -1, -1);

  /** Tokens in all; -1 if unknown. */
  public long tokens() {
    return input < 0 && output < 0 ? -1 : Math.max(input, 0) + Math.max(output, 0);
  }

  /** The sum; an unknown value counts as zero if the other is known. */
  public Usage plus(Usage other) {
    return new Usage(
        sum(input, other.input), sum(output, other.output), sum(costMicros, other.costMicros));
  }

  private static long sum(long a, long b) {
    return a < 0 ? b : b < 0 ? a : a + b;
  }
}

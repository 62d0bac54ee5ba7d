package dev.parley.orchestration.ask;

/**
 * What an answer has used up, where the agent tells.
 *
 * @param input tokens read; -1 if it is not known
 * @param output tokens written; -1 if it is not known
 * @param costMicros millionths of a dollar; -1 if it is not known
 */
public record Usage(long input, long output, long costMicros) {
  public static final Usage UNKNOWN = new Usage(-1, -1, -1);

  /** Tokens in all; -1 if they are not known. */
  public long tokens() {
    return input < 0 && output < 0 ? -1 : Math.max(input, 0) + Math.max(output, 0);
  }

  /** The sum; what is known of one alone counts. */
  public Usage plus(Usage other) {
    return new Usage(
        sum(input, other.input), sum(output, other.output), sum(costMicros, other.costMicros));
  }

  private static long sum(long a, long b) {
    return a < 0 ? b : b < 0 ? a : a + b;
  }
}

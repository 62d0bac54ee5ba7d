package dev.parley.bench.measure;

/**
 * What a measured value must reach.
 *
 * @param what the figure, in words
 * @param against whom, or what, the value is relative to; empty for an absolute bar
 */
public record Bar(String what, Sense sense, double limit, String unit, String against) {
  /** Which side is good. */
  public enum Sense {
    AT_LEAST("≥"),
    AT_MOST("≤"),
    BELOW("<");

    private final String symbol;

    Sense(String symbol) {
      this.symbol = symbol;
    }
  }

  private static final String TIMES = "×";

  /** Our value divided by a contestant's must be at least so much. */
  public static Bar atLeast(String what, double factor, String contestant) {
    return new Bar(what, Sense.AT_LEAST, factor, TIMES, contestant);
  }

  public static Bar atMost(String what, double factor, String contestant) {
    return new Bar(what, Sense.AT_MOST, factor, TIMES, contestant);
  }

  public static Bar below(String what, String contestant) {
    return new Bar(what, Sense.BELOW, 1, TIMES, contestant);
  }

  public static Bar absolute(String what, Sense sense, double limit, String unit) {
    return new Bar(what, sense, limit, unit, "");
  }

  /**
   * Holds a value against the bar.
   *
   * @param measured NaN if it could not be measured
   */
  public Verdict judge(double measured) {
    return new Verdict(this, measured);
  }

  public String describe() {
    String text = sense.symbol + " " + show(limit);
    return against.isEmpty() ? text : text + " " + against;
  }

  private String show(double value) {
    return Unit.number(value) + " " + unit;
  }

  /** A value held against a bar. */
  public record Verdict(Bar bar, double measured) {
    public boolean isMeasured() {
      return !Double.isNaN(measured);
    }

    public boolean isMet() {
      return switch (bar.sense) {
        case AT_LEAST -> measured >= bar.limit;
        case AT_MOST -> measured <= bar.limit;
        case BELOW -> measured < bar.limit;
      };
    }

    public String value() {
      return isMeasured() ? bar.show(measured) : "–";
    }

    public String outcome() {
      if (!isMeasured()) {
        return "not measured";
      }
      if (isMet()) {
        return "met";
      }
      double missing = Math.abs(measured - bar.limit) / (bar.limit == 0 ? 1 : bar.limit);
      return "**missed by " + Unit.number(100 * missing) + " %**";
    }
  }
}

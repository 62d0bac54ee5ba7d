package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;

/** What the program tells its caller, in a number. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;

  /** Refused by the state of the bus, as what is not found is. */
  public static final int REFUSED = 3;

  public static final int TIMED_OUT = 4;

  /** What agents said is delivered, without the synthesis that was to be made of it. */
  public static final int INCOMPLETE = 5;

  /** A review found something as bad as {@code --fail-on} says. */
  public static final int FOUND = 6;

  /** As shells have it: 128 and the number of the signal. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}

  public static int of(ParleyException.Kind kind) {
    return switch (kind) {
      case INVALID -> USAGE;
      case REFUSED -> REFUSED;
      case FAILED, UNKNOWN -> FAILED;
    };
  }
}

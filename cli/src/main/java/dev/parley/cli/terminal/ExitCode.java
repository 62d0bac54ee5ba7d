package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;

/** The program's exit codes. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;

  /** Refused by the state of the bus, or not found. */
  public static final int REFUSED = 3;

  public static final int TIMED_OUT = 4;

  /** The agents' answers are complete, but their synthesis is missing. */
  public static final int INCOMPLETE = 5;

  /** A review found something as severe as {@code --fail-on}. */
  public static final int FOUND = 6;

  /** The shell's convention: 128 plus the number of the signal. */
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

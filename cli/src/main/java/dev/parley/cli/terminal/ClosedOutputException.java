package dev.parley.cli.terminal;

/** Whoever read the output has gone, as {@code head} does: a reason to end, not an error. */
public final class ClosedOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedOutputException(Throwable cause) {
    super("the output was closed", cause);
  }
}

package dev.parley.cli.terminal;

/** The reader of the output has closed it, as {@code head} does: a reason to end, not an error. */
public final class ClosedOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedOutputException(Throwable cause) {
    super("the output was closed", cause);
  }
}

package dev.parley.mcp.wake;

/** An agent's host did not take a notice. */
public final class CannotWakeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String code;

  /**
   * @param code the reason for the log: a few words with hyphens
   */
  public CannotWakeException(String code) {
    super(code);
    this.code = code;
  }

  /** The reason for the log. */
  public String code() {
    return code;
  }
}

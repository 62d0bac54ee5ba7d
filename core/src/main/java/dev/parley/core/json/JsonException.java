package dev.parley.core.json;

/** Says that some bytes are not the JSON that was expected, and where it went wrong. */
public final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int offset;

  public JsonException(String reason, int offset) {
    // Thrown for every damaged line of a log, so it carries no stack trace.
    super(reason, null, false, false);
    this.offset = offset;
  }

  /** The index of the offending byte in the array that was scanned. */
  public int offset() {
    return offset;
  }
}

package dev.parley.core;

import org.jspecify.annotations.Nullable;

/**
 * Something could not be done: what, why, and what to do next.
 *
 * <p>The kind decides how a program reacts (the command line turns it into an exit code), the code
 * is a stable short name for it, the message and the next step are for people and agents.
 */
public class ParleyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What an error means for the caller. */
  public enum Kind {
    /** The request itself is wrong; nothing was written. */
    INVALID,
    /** The request is fine but the state of the bus does not allow it; nothing was written. */
    REFUSED,
    /** It was tried and did not work; nothing was written unless the message says so. */
    FAILED,
    /** It was tried, and whether it was stored can't be told. */
    UNKNOWN
  }

  private static final String CLOSED = "closed";

  private final Kind kind;
  private final String code;
  private final String next;

  public ParleyException(Kind kind, String code, String message, String next) {
    this(kind, code, message, next, null);
  }

  public ParleyException(
      Kind kind, String code, String message, String next, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.code = code;
    this.next = next;
  }

  public static ParleyException invalid(String code, String message, String next) {
    return new ParleyException(Kind.INVALID, code, message, next);
  }

  public static ParleyException refused(String code, String message, String next) {
    return new ParleyException(Kind.REFUSED, code, message, next);
  }

  /** What every use of a closed bus or log answers. */
  public static ParleyException closed(String what) {
    return new ParleyException(
        Kind.FAILED, CLOSED, "The " + what + " is closed.", "Open it again.");
  }

  /** Whether the same may work later, as when a disk was full. */
  public boolean mayPass() {
    return (kind == Kind.FAILED || kind == Kind.UNKNOWN) && !code.equals(CLOSED);
  }

  public Kind kind() {
    return kind;
  }

  /** A stable name in lower case with hyphens, such as {@code line-too-long}. */
  public String code() {
    return code;
  }

  /** One sentence that says what to do. */
  public String next() {
    return next;
  }

  /** The message, never null. */
  public String what() {
    String message = getMessage();
    return message == null ? code : message;
  }
}

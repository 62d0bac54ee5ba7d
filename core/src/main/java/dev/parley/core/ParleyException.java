package dev.parley.core;

import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Something could not be done: what, why, and what to do next.
 *
 * <p>The kind decides how a program reacts (the command line turns it into an exit code), the code
 * is a stable short name for it, the details say who or what is concerned.
 *
 * <p>What is wrong with disks, folders and settings comes with a sentence and a next step. An error
 * of this module or a decision of the coordination layer comes without: its {@link #what()} is the
 * code and the details, and {@link #next()} is empty. The {@code text} package of the library makes
 * words of either.
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

  /**
   * The next step of an error when it is a command. The surface that shows the error chooses the
   * command by the code.
   */
  public static final String NEXT_BY_CODE = "";

  private static final String CLOSED = "closed";

  private final Kind kind;
  private final String code;
  private final String next;
  private final boolean worded;
  private final transient Json details;

  public ParleyException(Kind kind, String code, String message, String next) {
    this(kind, code, message, next, null);
  }

  public ParleyException(
      Kind kind, String code, String message, String next, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.code = code;
    this.next = next;
    this.worded = true;
    this.details = Json.EMPTY_OBJECT;
  }

  /** An error without a sentence: a code and its details. */
  public ParleyException(Kind kind, String code, Json details, @Nullable Throwable cause) {
    super(details.fields().isEmpty() ? code : code + " " + details, cause);
    this.kind = kind;
    this.code = code;
    this.next = "";
    this.worded = false;
    this.details = details;
  }

  public static ParleyException invalid(String code, String message, String next) {
    return new ParleyException(Kind.INVALID, code, message, next);
  }

  public static ParleyException refused(String code, String message, String next) {
    return new ParleyException(Kind.REFUSED, code, message, next);
  }

  public static ParleyException invalid(String code, Json.ObjectBuilder details) {
    return new ParleyException(Kind.INVALID, code, details.build(), null);
  }

  public static ParleyException refused(String code, Json.ObjectBuilder details) {
    return new ParleyException(Kind.REFUSED, code, details.build(), null);
  }

  /**
   * The error for every use of a closed bus or log.
   *
   * @param what {@code bus} or {@code log}
   */
  public static ParleyException closed(String what) {
    return new ParleyException(Kind.FAILED, CLOSED, Json.object().put("what", what).build(), null);
  }

  /** Whether the same call may succeed later, for example after a disk was full. */
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

  /** Whom or what the error is about; the fields depend on the code. */
  public Json details() {
    return details;
  }

  /** Whether the error has a sentence and a next step of its own. */
  public boolean isWorded() {
    return worded;
  }

  /**
   * One sentence that says what to do; empty if it is not worded, and {@link #NEXT_BY_CODE} if the
   * surface knows it.
   */
  public String next() {
    return next;
  }

  /** The message, never null. */
  public String what() {
    String message = getMessage();
    return message == null ? code : message;
  }
}

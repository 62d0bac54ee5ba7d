package dev.parley.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An append went wrong after it had begun. FAILED: the messages after {@link #stored()} are not in
 * the log. UNKNOWN: they may be.
 */
public final class AppendException extends ParleyException {
  private static final long serialVersionUID = 1L;

  private final transient List<Stored> stored;

  public AppendException(
      Kind kind,
      String code,
      String message,
      String next,
      List<Stored> stored,
      @Nullable Throwable cause) {
    super(kind, code, message, next, cause);
    this.stored = List.copyOf(stored);
  }

  /** The messages at the beginning of the batch that are stored for certain. */
  public List<Stored> stored() {
    return stored;
  }
}

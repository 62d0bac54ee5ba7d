package dev.parley.filelog.health;

import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A result of a {@link HealthCheck}.
 *
 * @param code a stable short name, such as {@code torn-tail}
 * @param message what is wrong; with an error only what to do about it, and may be empty
 * @param error what is wrong, if it is not worded; null otherwise
 * @param repair what a repair would do; null if a person must decide, or nothing is to be done
 * @param repaired whether it was repaired
 */
public record Finding(
    Severity severity,
    String code,
    Place place,
    String message,
    @Nullable ParleyException error,
    @Nullable String repair,
    boolean repaired) {
  /** How serious a finding is. */
  public enum Severity {
    PROBLEM,
    NOTE
  }

  /**
   * The place of a finding.
   *
   * @param topic null if the finding is not about lines of a topic
   * @param offset the start of the line; 0 if there is no line
   * @param length the length of the line without its newline
   */
  public record Place(Path path, @Nullable Topic topic, long offset, long length) {
    public static Place of(Path path) {
      return new Place(path, null, 0, 0);
    }
  }

  public static Finding problem(String code, Place place, String message, @Nullable String repair) {
    return new Finding(Severity.PROBLEM, code, place, message, null, repair, false);
  }

  static Finding problem(ParleyException error, Place place, String advice) {
    return error.isWorded()
        ? problem(error.code(), place, (error.what() + " " + advice).strip(), null)
        : new Finding(Severity.PROBLEM, error.code(), place, advice, error, null, false);
  }

  public static Finding note(String code, Place place, String message) {
    return new Finding(Severity.NOTE, code, place, message, null, null, false);
  }

  /** The same finding, repaired. */
  Finding done() {
    return new Finding(severity, code, place, message, error, repair, true);
  }

  /** Whether the bus is unhealthy because of this finding. */
  public boolean isOpen() {
    return severity == Severity.PROBLEM && !repaired;
  }
}

package dev.parley.filelog.health;

import dev.parley.core.Topic;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Something a {@link HealthCheck} noticed.
 *
 * @param code a stable short name, such as {@code torn-tail}
 * @param repair what repairing does about it; null if that is for people to do, or nothing is to do
 * @param repaired whether that was done
 */
public record Finding(
    Severity severity,
    String code,
    Place place,
    String message,
    @Nullable String repair,
    boolean repaired) {
  /** Whether something must be done. */
  public enum Severity {
    PROBLEM,
    NOTE
  }

  /**
   * Where it is.
   *
   * @param topic null if it is not about the lines of a topic
   * @param offset where the line begins; 0 if there is no line
   * @param length how long the line is, without its newline
   */
  public record Place(Path path, @Nullable Topic topic, long offset, long length) {
    public static Place of(Path path) {
      return new Place(path, null, 0, 0);
    }
  }

  public static Finding problem(String code, Place place, String message, @Nullable String repair) {
    return new Finding(Severity.PROBLEM, code, place, message, repair, false);
  }

  public static Finding note(String code, Place place, String message) {
    return new Finding(Severity.NOTE, code, place, message, null, false);
  }

  /** The same, dealt with. */
  Finding done() {
    return new Finding(severity, code, place, message, repair, true);
  }

  /** Whether the bus is not well because of it. */
  public boolean isOpen() {
    return severity == Severity.PROBLEM && !repaired;
  }
}

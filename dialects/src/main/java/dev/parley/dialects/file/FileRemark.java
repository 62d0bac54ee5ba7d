package dev.parley.dialects.file;

import java.nio.file.Path;

/**
 * Something in a foreign file that is not as its design says.
 *
 * @param line where it begins, from 1; 0 if it is about the file
 * @param understood whether it was read all the same; if not, it was passed over and left in place
 */
public record FileRemark(Path file, long line, boolean understood, String reason) {
  /** Takes remarks as they are made. */
  public interface Sink {
    void add(long line, boolean understood, String reason);
  }

  /** {@code file:line: reason}. */
  public String describe() {
    return file + (line > 0 ? ":" + line : "") + ": " + reason;
  }
}

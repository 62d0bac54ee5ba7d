package dev.parley.dialects.file;

import java.nio.file.Path;

/**
 * Something in a foreign file that does not follow its format.
 *
 * @param line where it begins, from 1; 0 if the remark is about the whole file
 * @param understood whether it was read anyway; if not, it was passed over and left in place
 */
public record FileRemark(Path file, long line, boolean understood, String reason) {
  /** Receives remarks. */
  public interface Sink {
    void add(long line, boolean understood, String reason);
  }

  /** {@code file:line: reason}. */
  public String describe() {
    return file + (line > 0 ? ":" + line : "") + ": " + reason;
  }
}

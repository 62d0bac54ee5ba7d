package dev.parley.filelog;

import dev.parley.core.ParleyException;
import dev.parley.core.store.Contents;

/**
 * The largest message that is imported from another tool's files.
 *
 * @param id the longest id in characters ({@code maxForeignId}); ids are stored and become part of
 *     a key
 * @param line the longest line or entry in bytes ({@code maxForeignLine}); it is read into memory
 */
public record ImportLimits(int id, int line) {
  /** More than any message that could be stored. */
  public static final int DEFAULT_LINE = 2 * Contents.DEFAULT_LIMIT;

  public static final int DEFAULT_ID = 1000;
  public static final ImportLimits DEFAULT = new ImportLimits(DEFAULT_ID, DEFAULT_LINE);

  /** The range of the settings. */
  public static final int LEAST_LINE = 1 << 10;

  public static final int MAX_LINE = 1 << 29;
  public static final int MAX_ID = 100_000;

  public ImportLimits {
    if (id < 1 || id > MAX_ID || line < LEAST_LINE || line > MAX_LINE) {
      throw ParleyException.invalid(
          "bad-limits",
          "The limits maxForeignId " + id + " and maxForeignLine " + line + " are out of range.",
          "Use 1 to " + MAX_ID + " characters and " + LEAST_LINE + " to " + MAX_LINE + " bytes.");
    }
  }
}

package dev.parley.core;

import dev.parley.core.bus.WriterTable;

/**
 * What everybody on a bus must agree on: how large one envelope may be, and how many writers its
 * readers remember. A bus has one set of limits.
 *
 * @param line the longest line in bytes, without its newline ({@code maxLine})
 * @param depth the deepest nesting, the envelope itself being the first level ({@code maxDepth})
 * @param writers of how many writers of a topic repeats and gaps are told ({@code
 *     rememberedWriters}); see {@link WriterTable}
 */
public record Limits(int line, int depth, int writers) {
  public static final int DEFAULT_LINE = 1 << 20;
  public static final int DEFAULT_DEPTH = 64;
  public static final int DEFAULT_WRITERS = 1024;
  public static final Limits DEFAULT = new Limits(DEFAULT_LINE, DEFAULT_DEPTH);

  /** The code of the error that {@link #tooLong} is. */
  public static final String TOO_LONG = "line-too-long";

  /** The largest line limit that can be set: one line must fit into memory a few times. */
  public static final int MAX_LINE = 1 << 28;

  /** The deepest nesting that can be set: reading is recursive. */
  public static final int MAX_DEPTH = 512;

  /** The most writers that can be set: each feed has them in memory, and each view on disk. */
  public static final int MAX_WRITERS = 1 << 20;

  public Limits {
    if (line < 1024 || line > MAX_LINE || depth < 2 || depth > MAX_DEPTH) {
      throw ParleyException.invalid(
          "bad-limits",
          "The limits maxLine " + line + " and maxDepth " + depth + " are out of range.",
          "Use 1024 to " + MAX_LINE + " bytes and 2 to " + MAX_DEPTH + " levels.");
    }
    if (writers < 1 || writers > MAX_WRITERS) {
      throw ParleyException.invalid(
          "bad-limits",
          "The limit rememberedWriters " + writers + " is out of range.",
          "Use 1 to " + MAX_WRITERS + ".");
    }
  }

  public Limits(int line, int depth) {
    this(line, depth, DEFAULT_WRITERS);
  }

  /** What answers a message that would become too long a line. */
  public ParleyException tooLong(long length) {
    return ParleyException.invalid(
        TOO_LONG,
        "The message would be a line of "
            + length
            + " bytes; this bus takes at most "
            + line
            + " (maxLine).",
        "Put the content into a file and send its path, or raise maxLine in bus.json.");
  }
}

package dev.parley.core;

import dev.parley.core.bus.WriterTable;
import dev.parley.core.json.Json;

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

  private static final String BAD_LIMITS = "bad-limits";

  /** The smallest line limit that can be set. */
  public static final int MIN_LINE = 1024;

  /** The largest line limit that can be set: one line must fit into memory a few times. */
  public static final int MAX_LINE = 1 << 28;

  /** The flattest nesting that can be set: the envelope and its payload. */
  public static final int MIN_DEPTH = 2;

  /** The deepest nesting that can be set: reading is recursive. */
  public static final int MAX_DEPTH = 512;

  /** The most writers that can be set: each feed has them in memory, and each view on disk. */
  public static final int MAX_WRITERS = 1 << 20;

  public Limits {
    if (line < MIN_LINE || line > MAX_LINE || depth < MIN_DEPTH || depth > MAX_DEPTH) {
      throw ParleyException.invalid(
          BAD_LIMITS,
          Json.object()
              .put("maxLine", line)
              .put("maxDepth", depth)
              .put("leastLine", MIN_LINE)
              .put("mostLine", MAX_LINE)
              .put("leastDepth", MIN_DEPTH)
              .put("mostDepth", MAX_DEPTH));
    }
    if (writers < 1 || writers > MAX_WRITERS) {
      throw ParleyException.invalid(
          BAD_LIMITS, Json.object().put("rememberedWriters", writers).put("most", MAX_WRITERS));
    }
  }

  public Limits(int line, int depth) {
    this(line, depth, DEFAULT_WRITERS);
  }

  /** What answers a message that would become too long a line. */
  public ParleyException tooLong(long length) {
    return ParleyException.invalid(TOO_LONG, Json.object().put("bytes", length).put("most", line));
  }
}

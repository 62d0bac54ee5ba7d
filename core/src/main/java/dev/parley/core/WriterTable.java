package dev.parley.core;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a reader remembers of the writers of one topic, to tell repeats and gaps.
 *
 * <p>Invariant: it is a function of the envelopes seen, in their order, so all readers that began
 * at the same place agree. It remembers the {@link #REMEMBERED} writers seen last, so it stays
 * small however long the topic grows; a writer that finds itself further back than that does not
 * retry.
 */
public final class WriterTable {
  /** How many writers are remembered ({@code rememberedWriters}). */
  public static final int REMEMBERED = 1024;

  private final Map<String, Long> lastSeq =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * Takes note of a line.
   *
   * @return what was expected: {@code seq} itself if all is well or the writer is new, something
   *     larger if the line is a repeat, something smaller if lines are missing before it
   */
  public long see(String writer, long seq) {
    Long last = lastSeq.get(writer);
    if (last == null || seq > last) {
      lastSeq.put(writer, seq);
    }
    return last == null ? seq : last + 1;
  }
}

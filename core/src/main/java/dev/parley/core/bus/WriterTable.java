package dev.parley.core.bus;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Report;
import dev.parley.core.writer.WriterId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a reader remembers of the writers of one topic, to tell repeats and gaps.
 *
 * <p>Invariant: it is a function of the envelopes seen, in their order, so all readers that began
 * at the same place agree. It remembers the writers seen last, so it stays small however long the
 * topic grows.
 */
public final class WriterTable {
  private final int remembered;

  /** Invariant: {@link #latest} is the most recent entry of the map, or null. */
  private final Map<WriterId, Seen> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<WriterId, Seen> eldest) {
          return size() > remembered;
        }
      };

  private @Nullable Seen latest;

  /**
   * An empty one.
   *
   * @param limits say how many writers are remembered: {@link Limits#writers}
   */
  public WriterTable(Limits limits) {
    this.remembered = limits.writers();
  }

  private static final class Seen {
    final WriterId writer;
    long seq;

    Seen(WriterId writer, long seq) {
      this.writer = writer;
      this.seq = seq;
    }
  }

  /**
   * The table that {@link #save} wrote. Whoever saves a fold's state saves its table with it.
   *
   * @throws IllegalArgumentException if it was not
   */
  public static WriterTable load(String saved, Limits limits) {
    WriterTable table = new WriterTable(limits);
    int at = 0;
    while (at < saved.length()) {
      int end = saved.indexOf(' ', at);
      int hyphen = at + WriterId.LENGTH;
      WriterId writer = end < 0 ? null : WriterId.in(saved.substring(at, end));
      if (writer == null) {
        throw new IllegalArgumentException("not a table of writers");
      }
      var _ = table.see(writer, Long.parseLong(saved, hyphen + 1, end, 10));
      at = end + 1;
    }
    return table;
  }

  /** {@code <writer>-<seq> } for each, the one seen last at the end: short, and quick to read. */
  public String save() {
    StringBuilder text = new StringBuilder(24 * entries.size());
    for (Seen entry : entries.values()) {
      text.append(entry.writer.id(entry.seq)).append(' ');
    }
    return text.toString();
  }

  /**
   * Takes note of an envelope and says what is wrong with its place among its writer's.
   *
   * @return a {@link Report.Repeated}, whose envelope is to be passed over, or a {@link
   *     Report.Gap}; null if all is well, as it always is with foreign envelopes
   */
  public @Nullable Report see(Envelope envelope) {
    WriterId writer = envelope.writer();
    if (writer == null) {
      return null;
    }
    long seq = envelope.seq();
    long expected = see(writer, seq);
    if (expected == seq) {
      return null;
    }
    return expected > seq
        ? new Report.Repeated(envelope.topic(), envelope.position(), envelope.id())
        : new Report.Gap(envelope.topic(), envelope.position(), writer, expected, seq);
  }

  /**
   * Takes note of a line.
   *
   * @return what was expected: {@code seq} itself if all is well or the writer is new, something
   *     larger if the line is a repeat, something smaller if lines are missing before it
   */
  long see(WriterId writer, long seq) {
    Seen entry = latest;
    // Lines of one writer come in runs: then the map need not be asked.
    if (entry == null || !entry.writer.equals(writer)) {
      entry = entries.get(writer);
      if (entry == null) {
        latest = new Seen(writer, seq);
        entries.put(writer, latest);
        return seq;
      }
      latest = entry;
    }
    long expected = entry.seq + 1;
    entry.seq = Math.max(entry.seq, seq);
    return expected;
  }
}

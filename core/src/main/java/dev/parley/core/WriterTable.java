package dev.parley.core;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a reader remembers of the writers of one topic, to tell repeats and gaps.
 *
 * <p>Invariant: it is a function of the envelopes seen, in their order, so all readers that began
 * at the same place agree. It remembers the {@link #REMEMBERED} writers seen last, so it stays
 * small however long the topic grows.
 */
public final class WriterTable {
  /** How many writers are remembered. */
  static final int REMEMBERED = 1024;

  /** Invariant: {@link #latest} is the most recent entry of the map, or null. */
  private final Map<WriterId, Seen> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<WriterId, Seen> eldest) {
          return size() > REMEMBERED;
        }
      };

  private @Nullable Seen latest;

  private static final class Seen {
    final WriterId writer;
    long seq;

    Seen(WriterId writer, long seq) {
      this.writer = writer;
      this.seq = seq;
    }
  }

  /** The table that {@link #toJson} wrote. Whoever saves a fold's state saves its table with it. */
  public static WriterTable fromJson(Json saved) {
    WriterTable table = new WriterTable();
    List<Json> items = saved.items();
    for (int i = 0; i + 1 < items.size(); i += 2) {
      String name = items.get(i).text();
      WriterId writer = name == null ? null : WriterId.named(name);
      if (writer != null) {
        table.see(writer, items.get(i + 1).number(0));
      }
    }
    return table;
  }

  /** Writer and seq by turns, the writer seen last at the end. */
  public Json toJson() {
    List<Json> items = new ArrayList<>(2 * entries.size());
    for (Seen entry : entries.values()) {
      items.add(Json.of(entry.writer.toString()));
      items.add(Json.of(entry.seq));
    }
    return Json.of(items);
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

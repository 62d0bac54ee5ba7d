package dev.parley.cli.tail;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The content of the selected topics at one moment, merged by time.
 *
 * <p>Topics have no common order; the merge is for readers only. Within a topic the topic's own
 * order is kept, whatever the times say. Memory holds a piece of each topic, never all of it.
 */
final class Backlog {
  /** Roughly how many envelopes are held in memory, for all topics together. */
  private static final int HELD = 4096;

  private final Log log;
  private final Selection selection;
  private final Reporter reporter;
  private final Map<Topic, Bookmark> ends;

  private Backlog(Log log, Selection selection, Reporter reporter, Map<Topic, Bookmark> ends) {
    this.log = log;
    this.selection = selection;
    this.reporter = reporter;
    this.ends = ends;
  }

  /** Records the current ends of the topics. */
  static Backlog open(Log log, Selection selection, Reporter reporter) {
    Map<Topic, Bookmark> ends = new HashMap<>();
    for (Topic topic : log.topics(selection.prefix())) {
      if (selection.covers(topic)) {
        ends.put(topic, log.end(topic));
      }
    }
    Topic only = selection.prefix().root();
    Position after = selection.after();
    if (only != null && after != null) {
      log.bookmark(only, after); // rejects a position that is not in the topic
    }
    return new Backlog(log, selection, reporter, ends);
  }

  /** The recorded ends, where following begins. */
  Map<Topic, Bookmark> ends() {
    return ends;
  }

  void forEach(Consumer<Envelope> action) {
    if (!selection.backlog()) {
      return;
    }
    int piece = Math.max(16, HELD / Math.max(1, ends.size()));
    PriorityQueue<TopicSlice> runs = new PriorityQueue<>();
    ends.forEach((topic, end) -> {
      TopicSlice run = new TopicSlice(log, topic, end.position(), piece, reporter);
      Position after = selection.after();
      if (run.begin(after == null ? Position.START : after)) {
        runs.add(run);
      }
    });
    for (TopicSlice run = runs.poll(); run != null; run = runs.poll()) {
      if (selection.wants(run.envelope()) && selection.isRecent(run)) {
        action.accept(run.envelope());
      }
      if (run.advance()) {
        runs.add(run);
      }
    }
  }

  /** The last {@code count} envelopes of {@link #forEach}. */
  Queue<Envelope> last(int count) {
    ArrayDeque<Envelope> last = new ArrayDeque<>();
    forEach(envelope -> {
      if (count > 0) {
        if (last.size() == count) {
          last.remove();
        }
        last.add(envelope);
      }
    });
    return last;
  }
}

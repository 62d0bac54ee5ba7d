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
 * What is in the selected topics at one moment, merged by time.
 *
 * <p>Topics have no order between them: this one is for the eye. Within a topic the order is the
 * topic's own, whatever the times say. Memory holds a piece of each topic, never all.
 */
final class Backlog {
  /** How many envelopes of all topics together are held, roughly. */
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

  /** Looks where the topics end now. */
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
      log.bookmark(only, after); // refuses a place that is not in the topic
    }
    return new Backlog(log, selection, reporter, ends);
  }

  /** Where it ends, and something that follows begins. */
  Map<Topic, Bookmark> ends() {
    return ends;
  }

  void forEach(Consumer<Envelope> action) {
    if (!selection.backlog()) {
      return;
    }
    int piece = Math.max(16, HELD / Math.max(1, ends.size()));
    PriorityQueue<TopicRun> runs = new PriorityQueue<>();
    ends.forEach((topic, end) -> {
      TopicRun run = new TopicRun(log, topic, end.position(), piece, reporter);
      Position after = selection.after();
      if (run.begin(after == null ? Position.START : after)) {
        runs.add(run);
      }
    });
    for (TopicRun run = runs.poll(); run != null; run = runs.poll()) {
      if (selection.wants(run.envelope()) && selection.isRecent(run)) {
        action.accept(run.envelope());
      }
      if (run.advance()) {
        runs.add(run);
      }
    }
  }

  /** The last {@code count} of what {@link #forEach} gives. */
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

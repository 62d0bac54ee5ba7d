package dev.parley.dialects.sync;

import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Stores a pass's messages that are for everyone to read. One thread adds messages while another
 * stores them, in the same order.
 */
final class TopicImport {
  private static final int AT_ONCE = 1024;

  private final Log log;
  private final Map<Topic, List<Message>> waiting = new LinkedHashMap<>();
  private final Deque<Batch> latest = new ArrayDeque<>();
  private final Map<Topic, Position> ends;
  private BackgroundTask<Void> storing = BackgroundTask.nothing();

  private record Batch(List<Message> messages, List<Stored> stored) {}

  /**
   * @param ends how far each topic was looked at
   */
  TopicImport(Log log, Map<Topic, Position> ends) {
    this.log = log;
    this.ends = new LinkedHashMap<>(ends);
  }

  void add(Topic topic, Message message) {
    List<Message> messages = waiting.computeIfAbsent(topic, name -> new ArrayList<>());
    messages.add(message);
    if (messages.size() == AT_ONCE) {
      waiting.remove(topic);
      storing = storing.then(() -> store(topic, messages));
    }
  }

  private void store(Topic topic, List<Message> messages) {
    List<Stored> stored = log.append(topic, messages);
    ends.computeIfPresent(topic, (name, end) -> endOf(stored, end));
    latest.add(new Batch(messages, stored));
    if (latest.size() > MirrorState.REMEMBERED / AT_ONCE + 1) {
      latest.remove();
    }
  }

  /**
   * The end of a topic that was read up to a place and then appended to; that place, if other
   * writers appended as well. A writer may put a newline before its lines.
   */
  private static Position endOf(List<Stored> stored, Position looked) {
    long end = looked.value();
    for (Stored each : stored) {
      long begin = each.position().value() - each.length();
      if (begin > end + 1) {
        return looked;
      }
      end = each.position().value();
    }
    return new Position(end);
  }

  /** Stores what is left. */
  void finish() {
    settle();
    waiting.forEach(this::store);
    waiting.clear();
  }

  /** Waits until all background stores are done. */
  void settle() {
    var _ = storing.join();
  }

  /** The ends of the topics, as far as they were read or only our own lines follow. */
  Map<Topic, Position> ends() {
    return ends;
  }

  /** The messages stored last, as many as are remembered. */
  void latest(BiConsumer<Message, Stored> action) {
    int skipped = latest.stream().mapToInt(batch -> batch.stored.size()).sum();
    skipped -= MirrorState.REMEMBERED;
    for (Batch batch : latest) {
      for (int i = Math.max(0, skipped); i < batch.stored.size(); i++) {
        action.accept(batch.messages.get(i), batch.stored.get(i));
      }
      skipped -= batch.stored.size();
    }
  }
}

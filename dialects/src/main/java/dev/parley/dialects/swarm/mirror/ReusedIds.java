package dev.parley.dialects.swarm.mirror;

import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import dev.parley.dialects.swarm.MessageIds;
import dev.parley.dialects.swarm.QueueFile;
import dev.parley.dialects.swarm.SwarmCodec;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.sync.SyncPass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds messages with another message's id, because agents that write by hand use {@code msg-001},
 * or the UUID of an example, again and again. Same id and same content is the same message. Same id
 * and other content is a new message, which gets one of our ids in its file.
 */
final class ReusedIds {
  private final Map<String, String> marks = new HashMap<>();
  private final Set<String> ofSeveral = new HashSet<>();
  private final Set<String> ofOutboxes = new HashSet<>();
  private final Set<String> newIds = new HashSet<>();
  private final Map<SwarmMessage, QueueFile> sharing = new LinkedHashMap<>();
  private final Map<SwarmMessage, QueueFile> doubtful = new LinkedHashMap<>();
  private final Map<QueueFile, Set<Json>> renamed = new LinkedHashMap<>();
  private final Set<String> known = new HashSet<>();

  /** Takes note of an outbox entry, before any is decided on. */
  void meet(SwarmMessage entry) {
    String other = marks.putIfAbsent(entry.id(), entry.mark());
    if (other != null && !other.equals(entry.mark())) {
      ofSeveral.add(entry.id());
    }
  }

  /** Whether an id has the form of a unique one, and no two outbox entries share it. */
  boolean isUnique(String id) {
    return MessageIds.isUnique(id) && !ofSeveral.contains(id);
  }

  /** Whether another outbox entry with the same message was seen. */
  boolean isRepeated(SwarmMessage entry) {
    return !ofOutboxes.add(entry.mark());
  }

  /** Whether another new outbox entry has the same id; then the log is searched first. */
  boolean isShared(SwarmMessage entry, QueueFile outbox) {
    boolean shared = !newIds.add(entry.id());
    if (shared) {
      sharing.put(entry, outbox);
    }
    return shared;
  }

  /**
   * Marks an entry for the search in the log if its id may be used again.
   *
   * @param isMailed whether the log has mail under its id
   */
  void lookUp(SwarmMessage entry, QueueFile queue, boolean isMailed) {
    if (isMailed || !isUnique(entry.id())) {
      doubtful.put(entry, queue);
    }
  }

  void rename(SwarmMessage entry, QueueFile queue) {
    renamed.computeIfAbsent(queue, file -> new HashSet<>()).add(entry.json());
  }

  /** Searches the log for all marked entries, and gives new ids to messages with another's id. */
  void settle(SyncPass pass, SwarmCodec codec) {
    if (!doubtful.isEmpty() || !sharing.isEmpty()) {
      Map<String, Set<String>> stored = new HashMap<>();
      Set<String> ids = new HashSet<>();
      doubtful.keySet().forEach(entry -> ids.add(entry.id()));
      sharing.keySet().forEach(entry -> ids.add(entry.id()));
      for (Envelope mail : pass.mailUnder(ids)) {
        SwarmMessage before = codec.fromLog(mail);
        stored.computeIfAbsent(before.id(), id -> new HashSet<>()).add(before.mark());
      }
      doubtful.forEach((entry, queue) -> {
        Set<String> before = stored.getOrDefault(entry.id(), Set.of());
        if (before.contains(entry.mark())) {
          known.add(entry.mark());
        } else if (!before.isEmpty()) {
          rename(entry, queue);
        }
      });
      sharing.forEach((entry, queue) -> {
        if (stored.getOrDefault(entry.id(), Set.of()).contains(entry.mark())) {
          pass.taken(entry.mark()); // a killed process stored it without noting it
        } else {
          rename(entry, queue);
        }
      });
    }
    renamed.forEach((queue, entries) -> {
      queue.change(items -> {
        Set<Json> left = new HashSet<>(entries);
        return items.stream()
            .map(item -> left.remove(item) ? EntryCompletion.renamed(item) : item)
            .toList();
      });
      queue.remarks().add(0, true, "messages that reused an id got new ids");
      pass.again();
    });
  }

  /** Whether a message was stored before. */
  boolean isKnown(SwarmMessage entry) {
    return known.contains(entry.mark());
  }

  /** Whether an entry got a new id; the next pass finds it under that id. */
  boolean isRenamed(SwarmMessage entry, QueueFile queue) {
    return renamed.getOrDefault(queue, Set.of()).contains(entry.json());
  }
}

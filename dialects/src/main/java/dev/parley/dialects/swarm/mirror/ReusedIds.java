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
 * Finds messages with the id of another one: agents that write by hand take {@code msg-001} again
 * and again. The same id with the same content is one message; with other content it is another
 * one, and gets an id of ours in its file.
 */
final class ReusedIds {
  private final Set<String> ofOutboxes = new HashSet<>();
  private final Set<String> newIds = new HashSet<>();
  private final Map<SwarmMessage, QueueFile> sharing = new LinkedHashMap<>();
  private final Map<SwarmMessage, QueueFile> doubtful = new LinkedHashMap<>();
  private final Map<QueueFile, Set<Json>> renamed = new LinkedHashMap<>();
  private final Set<String> known = new HashSet<>();

  /** Whether the same message was met in another entry of an outbox. */
  boolean isRepeated(SwarmMessage entry) {
    return !ofOutboxes.add(entry.mark());
  }

  /** Whether another new entry of an outbox has the id of this one: then the log is asked first. */
  boolean isShared(SwarmMessage entry, QueueFile outbox) {
    boolean shared = !newIds.add(entry.id());
    if (shared) {
      sharing.put(entry, outbox);
    }
    return shared;
  }

  /** Has an entry looked up in the log if its id may be used again. */
  void lookUp(SwarmMessage entry, QueueFile queue) {
    if (!MessageIds.isUnique(entry.id())) {
      doubtful.put(entry, queue);
    }
  }

  void rename(SwarmMessage entry, QueueFile queue) {
    renamed.computeIfAbsent(queue, file -> new HashSet<>()).add(entry.json());
  }

  /** Looks up what is doubtful, and gives other ids to what has the id of another message. */
  void settle(SyncPass pass, SwarmCodec codec) {
    if (!doubtful.isEmpty() || !sharing.isEmpty()) {
      Map<String, Set<String>> marks = new HashMap<>();
      Set<String> ids = new HashSet<>();
      doubtful.keySet().forEach(entry -> ids.add(entry.id()));
      sharing.keySet().forEach(entry -> ids.add(entry.id()));
      for (Envelope mail : pass.mailUnder(ids)) {
        SwarmMessage stored = codec.fromLog(mail);
        marks.computeIfAbsent(stored.id(), id -> new HashSet<>()).add(stored.mark());
      }
      doubtful.forEach((entry, queue) -> {
        Set<String> before = marks.getOrDefault(entry.id(), Set.of());
        if (before.contains(entry.mark())) {
          known.add(entry.mark());
        } else if (!before.isEmpty()) {
          rename(entry, queue);
        }
      });
      sharing.forEach((entry, queue) -> {
        if (marks.getOrDefault(entry.id(), Set.of()).contains(entry.mark())) {
          pass.taken(entry.mark()); // a killed process stored it and could not note that
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

  /** Whether an entry is left to the next look, which finds it under its new id. */
  boolean isRenamed(SwarmMessage entry, QueueFile queue) {
    return renamed.getOrDefault(queue, Set.of()).contains(entry.json());
  }
}

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
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds messages with the id of another one: agents that write by hand take {@code msg-001} again
 * and again. The same id with the same content is one message; with other content it is another
 * one, and gets an id of ours in its file.
 */
final class ReusedIds {
  private final Map<String, SwarmMessage> ofOutboxes = new HashMap<>();
  private final Map<SwarmMessage, QueueFile> doubtful = new LinkedHashMap<>();
  private final Map<QueueFile, Set<Json>> renamed = new LinkedHashMap<>();
  private final Set<String> known = new HashSet<>();

  /** Whether an entry of an outbox is not one that was met already, nor one with the id of it. */
  boolean isNew(SwarmMessage entry, QueueFile outbox) {
    SwarmMessage other = ofOutboxes.putIfAbsent(entry.id(), entry);
    if (other != null && !other.mark().equals(entry.mark())) {
      rename(entry, outbox);
    }
    return other == null;
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
    if (!doubtful.isEmpty()) {
      Map<String, Set<String>> marks = new HashMap<>();
      List<String> ids = doubtful.keySet().stream().map(SwarmMessage::id).toList();
      for (Envelope mail : pass.mailUnder(Set.copyOf(ids))) {
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
    }
    renamed.forEach((queue, entries) -> {
      queue.change(items -> {
        Set<Json> left = new HashSet<>(entries);
        return items.stream()
            .map(item -> left.remove(item) ? EntryCompletion.renamed(item) : item)
            .toList();
      });
      queue.remarks().add(0, true, "messages that had the ids of others got new ones");
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

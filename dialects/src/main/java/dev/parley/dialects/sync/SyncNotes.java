package dev.parley.dialects.sync;

import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notes of one pass, split into as many envelopes as needed so that each fits into a line.
 * Places in files and topics come last, because they are valid only together with all other notes.
 */
final class SyncNotes {
  /** The size of one envelope's notes, in bytes. */
  private static final int FULL = 128 << 10;

  private final List<Message> full = new ArrayList<>();
  private final Map<String, List<Json>> lists = new LinkedHashMap<>();
  private final Map<String, Json.ObjectBuilder> maps = new LinkedHashMap<>();
  private int size;

  boolean isEmpty() {
    return full.isEmpty() && size == 0;
  }

  void addAll(String name, List<Json> items) {
    for (Json item : items) {
      grow(item.length());
      lists.computeIfAbsent(name, list -> new ArrayList<>()).add(item);
    }
  }

  void put(String name, String key, Json value) {
    grow(key.length() + value.length());
    maps.computeIfAbsent(name, map -> Json.object()).put(key, value);
  }

  /** Notes what the files know about subjects; a null value removes the note. */
  void tell(Map<String, @Nullable String> about) {
    about.forEach((name, what) -> put("told", name, what == null ? Json.NULL : Json.of(what)));
  }

  private void grow(int more) {
    if (size + more > FULL && size > 0) {
      full.add(message());
    }
    size += more;
  }

  private Message message() {
    Json.ObjectBuilder note = Json.object();
    lists.forEach((name, items) -> note.put(name, Json.of(items)));
    maps.forEach((name, map) -> note.put(name, map.build()));
    lists.clear();
    maps.clear();
    size = 0;
    return Message.builder(Bus.SYSTEM, MirrorTypes.SYNCED)
        .payload(note.build())
        .automatic(true)
        .build();
  }

  void appendTo(Log log, String mount) {
    if (size > 0) {
      full.add(message());
    }
    var _ = log.append(MirrorState.topicOf(mount), full);
  }
}

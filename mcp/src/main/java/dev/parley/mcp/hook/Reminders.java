package dev.parley.mcp.hook;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts an agent's reminders in a small file in the bus folder, because hooks may run in separate
 * processes. If the file is lost, there are too many reminders at worst.
 */
final class Reminders {
  /** The most reminders of one thing. */
  static final int MOST = 2;

  private static final String FOLDER = "hooks";
  private static final int MOST_KEPT = 100;

  private final Path file;

  Reminders(Path bus, String agent) {
    this.file = bus.resolve(FOLDER).resolve(agent + ".json");
  }

  /** Counts a reminder of each thing, and returns those below the limit. */
  synchronized List<String> due(List<String> things) {
    Map<String, Long> counts = read();
    List<String> due =
        things.stream().filter(thing -> counts.getOrDefault(thing, 0L) < MOST).toList();
    if (!due.isEmpty()) {
      due.forEach(thing -> counts.merge(thing, 1L, Long::sum));
      write(counts);
    }
    return due;
  }

  private Map<String, Long> read() {
    Map<String, Long> counts = new LinkedHashMap<>();
    try {
      if (Files.exists(file)) {
        Json.parse(Files.readString(file))
            .fields()
            .forEach((thing, count) -> counts.put(thing, count.number(0)));
      }
    } catch (IOException | JsonException e) {
      // Unreadable counts as none.
    }
    return counts;
  }

  private void write(Map<String, Long> counts) {
    Json.ObjectBuilder json = Json.object();
    counts.entrySet().stream()
        .skip(Math.max(0, counts.size() - MOST_KEPT))
        .forEach(count -> json.put(count.getKey(), count.getValue()));
    try {
      SafeFiles.createFolder(file.resolveSibling("."));
      if (!Files.exists(file)) {
        SafeFiles.createFile(file);
      }
      Files.write(file, json.build().toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // Not stored: one reminder too many at worst.
    }
  }
}

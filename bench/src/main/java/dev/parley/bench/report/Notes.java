package dev.parley.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What people wrote about the figures, kept apart from what is measured so that it survives.
 *
 * <p>In {@code NOTES.md} a heading {@code ## name} begins the notes on the figure of that name.
 */
final class Notes {
  private final Map<String, String> notes = new HashMap<>();

  private Notes() {}

  static Notes read(Path file) throws IOException {
    Notes found = new Notes();
    if (Files.exists(file)) {
      for (String section : Files.readString(file).split("(?m)^## ", -1)) {
        int end = section.indexOf('\n');
        if (end > 0) {
          found.notes.put(section.substring(0, end).strip(), section.substring(end).strip());
        }
      }
    }
    return found;
  }

  /** Empty if nobody wrote any. */
  String on(String figure) {
    return notes.getOrDefault(figure, "");
  }
}

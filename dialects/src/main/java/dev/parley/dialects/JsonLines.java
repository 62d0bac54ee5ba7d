package dev.parley.dialects;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Files of one JSON object a line. What follows the last newline is not there yet. */
public final class JsonLines {
  private JsonLines() {}

  /** Reads the objects that have a type; says which lines are something else. */
  public static List<AppendedFiles.Item<Json>> read(
      byte[] bytes, int linesBefore, Remark.Sink remarks) {
    List<AppendedFiles.Item<Json>> items = new ArrayList<>();
    int line = linesBefore;
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\n') {
        continue;
      }
      line++;
      if (!isBlank(bytes, from, i)) {
        try {
          Json json = Json.parse(Arrays.copyOfRange(bytes, from, i), Json.DEFAULT_DEPTH);
          if (json.isObject() && json.fields().containsKey("type")) {
            items.add(new AppendedFiles.Item<>(json, i + 1L));
          } else {
            remarks.add(line, false, "is no message");
          }
        } catch (JsonException e) {
          remarks.add(line, false, "is not JSON: " + e.getMessage());
        }
      }
      from = i + 1;
    }
    return items;
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] > ' ' || bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** A line to be appended; it begins with a newline if the file does not end with one. */
  public static byte[] line(Json message, boolean fileEndsWithNewline) {
    String text = (fileEndsWithNewline ? "" : "\n") + message + "\n";
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

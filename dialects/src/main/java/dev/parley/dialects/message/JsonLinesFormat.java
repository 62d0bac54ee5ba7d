package dev.parley.dialects.message;

import dev.parley.core.json.ByteWords;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.json.JsonScanner;
import dev.parley.dialects.file.FileRemark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** JSON Lines files. Text after the last newline is not complete yet and is not read. */
public final class JsonLinesFormat {
  private JsonLinesFormat() {}

  /** Turns a line into a message. */
  public interface Form<T> {
    T message(JsonLine line, long end);
  }

  /** Reads the objects that have a type, and reports the lines that are something else. */
  public static <T> ForeignMessage.Found<T> read(
      byte[] bytes, int linesBefore, FileRemark.Sink remarks, Form<T> form) {
    List<T> messages = new ArrayList<>();
    JsonScanner scanner = new JsonScanner(Json.DEFAULT_DEPTH);
    int line = linesBefore;
    int from = 0;
    for (int end = end(bytes, 0); end < bytes.length; end = end(bytes, from)) {
      line++;
      if (!isBlank(bytes, from, end)) {
        try {
          JsonLine found = JsonLine.scan(scanner, bytes, from, end);
          if (found.has("type")) {
            messages.add(form.message(found, end + 1L));
          } else {
            remarks.add(line, false, "is not a message");
          }
        } catch (JsonException e) {
          remarks.add(line, false, "is not a JSON object: " + e.getMessage());
        }
      }
      from = end + 1;
    }
    return new ForeignMessage.Found<>(messages, from);
  }

  private static int end(byte[] bytes, int from) {
    return ByteWords.find(bytes, from, bytes.length, '\n');
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] > ' ' || bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** A line to append. It begins with a newline if the file does not end with one. */
  public static byte[] line(Json message, boolean fileEndsWithNewline) {
    String text = (fileEndsWithNewline ? "" : "\n") + message + "\n";
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

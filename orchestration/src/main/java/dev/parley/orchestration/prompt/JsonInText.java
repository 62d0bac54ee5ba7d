package dev.parley.orchestration.prompt;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds JSON objects in a model's answer: alone, in code fences, or with text around them. */
public final class JsonInText {
  /** How many opening braces are tried, because an answer may have a million of them. */
  private static final int MOST_TRIES = 1_000;

  /** How many characters all tries may read. Each one may go to the end of the answer. */
  private static final long MOST_READ = 1 << 26;

  private JsonInText() {}

  /** The outermost objects of a text, in order. */
  public static List<Json> objects(String text) {
    List<Json> found = new ArrayList<>();
    int from = text.indexOf('{');
    long read = 0;
    for (int tries = 0; from >= 0 && tries < MOST_TRIES && read < MOST_READ; tries++) {
      int end = end(text, from);
      read += (end < 0 ? text.length() : end) - from;
      Json object = end < 0 ? null : parsed(text.substring(from, end));
      if (object != null) {
        found.add(object);
      }
      from = text.indexOf('{', object == null ? from + 1 : end);
    }
    return found;
  }

  private static @Nullable Json parsed(String text) {
    try {
      return Json.parse(text);
    } catch (JsonException e) {
      return null;
    }
  }

  /** The end of the object that begins here, by counting braces; -1 if there is none. */
  private static int end(String text, int from) {
    int depth = 0;
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return i + 1;
      }
    }
    return -1;
  }
}

package dev.parley.cli.setup;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the values of a JSON text stand in it. Comments and commas after a last element, which some
 * hosts allow, are passed over.
 */
final class JsonLayout {
  /** The text with blanks instead of comments; each character stays in its place. */
  private final String code;

  /** The same without commas after a last element: strict JSON. */
  private final String strict;

  private int at;

  private JsonLayout(String code, String strict) {
    this.code = code;
    this.strict = strict;
  }

  /**
   * A value.
   *
   * @param start where it begins; for what has a name, where the name begins
   * @param name in the object that it is in; null if it is in none
   * @param valueStart where it begins without its name
   * @param parts what it holds, in order
   */
  record Value(int start, @Nullable String name, int valueStart, int end, List<Value> parts) {}

  static JsonLayout of(String text) {
    String code = withoutComments(text);
    return new JsonLayout(code, withoutLastCommas(code));
  }

  /**
   * What the text means.
   *
   * @throws dev.parley.core.json.JsonException if it is not one JSON value
   */
  Json json() {
    return Json.parse(strict);
  }

  /** What a value means. */
  Json json(Value value) {
    return Json.parse(strict.substring(value.valueStart(), value.end()));
  }

  /** The outermost value of a text that is JSON. */
  Value root() {
    at = 0;
    return value();
  }

  /** Where the first comma after a place stands; -1 if something else but blanks stands before. */
  int comma(int from) {
    int next = from;
    while (next < code.length() && Character.isWhitespace(code.charAt(next))) {
      next++;
    }
    return next < code.length() && code.charAt(next) == ',' ? next : -1;
  }

  /** The end of a line of which the rest is a comment or blank; the place itself otherwise. */
  int endOfLine(int from, int comma) {
    for (int next = from; next < code.length(); next++) {
      char c = code.charAt(next);
      if (c == '\n') {
        return next > from && code.charAt(next - 1) == '\r' ? next - 1 : next;
      }
      if (next != comma && !Character.isWhitespace(c)) {
        return from;
      }
    }
    return from;
  }

  private Value value() {
    skipBlanks();
    return value(at, null);
  }

  private Value value(int start, @Nullable String name) {
    int valueStart = at;
    List<Value> parts = new ArrayList<>();
    char first = strict.charAt(at);
    if (first == '{' || first == '[') {
      at++;
      skipBlanks();
      while (strict.charAt(at) != '}' && strict.charAt(at) != ']') {
        parts.add(first == '{' ? named() : value());
        skipBlanks();
        if (strict.charAt(at) == ',') {
          at++;
          skipBlanks();
        }
      }
      at++;
    } else if (first == '"') {
      at = endOfString(strict, at);
    } else {
      while (at < strict.length() && ",}] \t\r\n".indexOf(strict.charAt(at)) < 0) {
        at++;
      }
    }
    return new Value(start, name, valueStart, at, List.copyOf(parts));
  }

  private Value named() {
    int start = at;
    at = endOfString(strict, at);
    String name = Json.parse(strict.substring(start, at)).text();
    skipBlanks();
    at++; // the colon
    skipBlanks();
    return value(start, name);
  }

  private void skipBlanks() {
    while (at < strict.length() && Character.isWhitespace(strict.charAt(at))) {
      at++;
    }
  }

  private static int endOfString(String text, int quote) {
    int next = quote + 1;
    while (next < text.length() && text.charAt(next) != '"') {
      next += text.charAt(next) == '\\' ? 2 : 1;
    }
    return Math.min(text.length(), next + 1);
  }

  private static String withoutComments(String text) {
    StringBuilder code = new StringBuilder(text);
    int next = 0;
    while (next < text.length()) {
      int end = next + 1;
      if (text.charAt(next) == '"') {
        end = endOfString(text, next);
      } else if (text.startsWith("//", next)) {
        end = orEnd(text, text.indexOf('\n', next));
        blank(code, next, end);
      } else if (text.startsWith("/*", next)) {
        int close = text.indexOf("*/", next + 2);
        end = close < 0 ? text.length() : close + 2;
        blank(code, next, end);
      }
      next = end;
    }
    return code.toString();
  }

  private static int orEnd(String text, int place) {
    return place < 0 ? text.length() : place;
  }

  private static void blank(StringBuilder code, int from, int to) {
    for (int i = from; i < to; i++) {
      if (code.charAt(i) != '\n' && code.charAt(i) != '\r') {
        code.setCharAt(i, ' ');
      }
    }
  }

  private static String withoutLastCommas(String code) {
    StringBuilder strict = new StringBuilder(code);
    int comma = -1;
    int next = 0;
    while (next < code.length()) {
      char c = code.charAt(next);
      if (c == '"') {
        comma = -1;
        next = endOfString(code, next);
        continue;
      }
      if ((c == '}' || c == ']') && comma >= 0) {
        strict.setCharAt(comma, ' ');
      }
      if (!Character.isWhitespace(c)) {
        comma = c == ',' ? next : -1;
      }
      next++;
    }
    return strict.toString();
  }
}

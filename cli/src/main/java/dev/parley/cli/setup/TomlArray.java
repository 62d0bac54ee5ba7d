package dev.parley.cli.setup;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An array of strings in a TOML text, on one line or on several, with comments. Only the element
 * that is added or removed changes, and to remove what was added gives the same text again.
 */
final class TomlArray {
  /**
   * A string.
   *
   * @param begin of its first quote
   * @param end after its last quote
   * @param comma of the comma after it; -1 if there is none
   */
  private record Element(String value, int begin, int end, int comma) {}

  private final String text;
  private final int open;
  private final int close;
  private final List<Element> elements;

  private TomlArray(String text, int open, int close, List<Element> elements) {
    this.text = text;
    this.open = open;
    this.close = close;
    this.elements = List.copyOf(elements);
  }

  /**
   * The array that begins at a bracket.
   *
   * @return null if it holds anything but strings of one line
   */
  static @Nullable TomlArray at(String text, int bracket) {
    List<Element> elements = new ArrayList<>();
    int i = bracket + 1;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == ']') {
        return new TomlArray(text, bracket, i, elements);
      } else if (Character.isWhitespace(c)) {
        i++;
      } else if (c == '#') {
        int line = text.indexOf('\n', i);
        i = line < 0 ? text.length() : line;
      } else if (c == ',' && !elements.isEmpty() && elements.getLast().comma() < 0) {
        Element last = elements.removeLast();
        elements.add(new Element(last.value(), last.begin(), last.end(), i));
        i++;
      } else if (c == '"' || c == '\'') {
        int end = endOfString(text, i);
        if (end < 0 || (!elements.isEmpty() && elements.getLast().comma() < 0)) {
          return null;
        }
        elements.add(new Element(value(text, i, end), i, end, -1));
        i = end;
      } else {
        return null;
      }
    }
    return null;
  }

  /** After the last quote; -1 if the string does not end in its line. */
  private static int endOfString(String text, int begin) {
    char quote = text.charAt(begin);
    for (int i = begin + 1; i < text.length() && text.charAt(i) != '\n'; i++) {
      if (text.charAt(i) == quote) {
        return i + 1;
      }
      i += quote == '"' && text.charAt(i) == '\\' ? 1 : 0;
    }
    return -1;
  }

  private static String value(String text, int begin, int end) {
    String inner = text.substring(begin + 1, end - 1);
    return text.charAt(begin) == '"' ? inner.replaceAll("\\\\([\"\\\\])", "$1") : inner;
  }

  /** A string as TOML has it. */
  static String quoted(String value) {
    return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  List<String> values() {
    return elements.stream().map(Element::value).toList();
  }

  /** The position after its last bracket. */
  int end() {
    return close + 1;
  }

  /** The whole text, with an element added at the end of the array unless it is there. */
  String with(String value) {
    if (values().contains(value)) {
      return text;
    }
    int line = text.lastIndexOf('\n', close) + 1;
    if (line > open && text.substring(line, close).isBlank()) {
      return withLine(value, line);
    }
    if (elements.isEmpty()) {
      return text.substring(0, open + 1) + quoted(value) + text.substring(open + 1);
    }
    Element last = elements.getLast();
    return last.comma() < 0
        ? inserted(last.end(), ", " + quoted(value))
        : inserted(last.comma() + 1, " " + quoted(value) + ",");
  }

  private String inserted(int at, String added) {
    return text.substring(0, at) + added + text.substring(at);
  }

  /**
   * With a line of its own before the line of the bracket. It ends with a comma if the one before
   * does, so that its removal can tell whether that comma was added.
   */
  private String withLine(String value, int line) {
    String newline = text.charAt(line - 2) == '\r' ? "\r\n" : "\n";
    if (elements.isEmpty()) {
      return inserted(line, "  " + quoted(value) + "," + newline);
    }
    Element last = elements.getLast();
    String before = text.substring(text.lastIndexOf('\n', last.begin()) + 1, last.begin());
    String indent = before.isBlank() ? before : "  ";
    boolean comma = last.comma() >= 0;
    String added = indent + quoted(value) + (comma ? "," : "") + newline;
    return comma
        ? inserted(line, added)
        : text.substring(0, last.end())
            + ","
            + text.substring(last.end(), line)
            + added
            + text.substring(line);
  }

  /** The whole text, with an element removed. */
  String without(String value) {
    int index = values().indexOf(value);
    if (index < 0) {
      return text;
    }
    Element gone = elements.get(index);
    Element before = index == 0 ? null : elements.get(index - 1);
    int after = gone.comma() < 0 ? gone.end() : gone.comma() + 1;
    int line = text.lastIndexOf('\n', gone.begin()) + 1;
    int next = text.indexOf('\n', after) + 1;
    boolean isOwnLine =
        line > open
            && next > 0
            && next <= close
            && text.substring(line, gone.begin()).isBlank()
            && text.substring(after, next).isBlank();
    int from = isOwnLine ? line : before == null ? gone.begin() : blanksBefore(gone.begin());
    int to = isOwnLine ? next : after;
    if (!isOwnLine && before == null && index + 1 < elements.size()) {
      to = blanksAfter(after);
    }
    String head = text.substring(0, from);
    if (gone.comma() < 0 && before != null) {
      head = head.substring(0, before.comma()) + head.substring(before.comma() + 1);
    }
    return head + text.substring(to);
  }

  private int blanksBefore(int at) {
    int from = at;
    while (from > 0 && (text.charAt(from - 1) == ' ' || text.charAt(from - 1) == '\t')) {
      from--;
    }
    return from;
  }

  private int blanksAfter(int at) {
    int to = at;
    while (to < text.length() && (text.charAt(to) == ' ' || text.charAt(to) == '\t')) {
      to++;
    }
    return to;
  }
}

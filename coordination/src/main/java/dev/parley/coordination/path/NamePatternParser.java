package dev.parley.coordination.path;

import dev.parley.coordination.path.CharacterSet.Range;
import dev.parley.coordination.path.SequencePattern.Step;
import java.util.ArrayList;
import java.util.List;

/** Reads the pattern of one name of a path. */
final class NamePatternParser {
  private final int[] text;
  private int at;

  private NamePatternParser(String text) {
    this.text = text.codePoints().toArray();
  }

  /**
   * @throws IllegalArgumentException if the text is not a pattern; the message tells why
   */
  static NamePattern parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("it has an empty part");
    }
    if (text.equals(".") || text.equals("..")) {
      throw new IllegalArgumentException("it has the part " + text);
    }
    return isPlain(text) ? new NamePattern.Fixed(text) : new NamePatternParser(text).name();
  }

  /**
   * Whether a path consists of plain names: without wildcards, empty names, {@code .} or {@code
   * ..}.
   */
  static boolean arePlain(String path) {
    int start = 0;
    for (int i = 0; i <= path.length(); i++) {
      if (i == path.length() || path.charAt(i) == '/') {
        if (isNone(path, start, i)) {
          return false;
        }
        start = i + 1;
      } else if (!isPlain(path.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a name is empty, {@code .} or {@code ..}. */
  private static boolean isNone(String path, int from, int to) {
    return to == from
        || (path.charAt(from) == '.'
            && (to == from + 1 || (to == from + 2 && path.charAt(from + 1) == '.')));
  }

  /** Whether every character stands for itself. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isPlain(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(char c) {
    return c != '*' && c != '?' && c != '[' && c != '\\' && !isControl(c);
  }

  private static boolean isControl(int character) {
    return character < ' ' || character == 0x7f;
  }

  private NamePattern name() {
    List<Step<CharacterSet>> steps = new ArrayList<>();
    StringBuilder fixed = new StringBuilder();
    boolean isFixed = true;
    while (at < text.length) {
      int character = text[at++];
      switch (character) {
        case '*' -> {
          isFixed = false;
          steps.add(new Step<>(null));
        }
        case '?' -> {
          isFixed = false;
          steps.add(new Step<>(CharacterSet.ANY));
        }
        case '[' -> {
          isFixed = false;
          steps.add(new Step<>(characters()));
        }
        default -> {
          int one = character == '\\' ? next("it ends with a backslash") : character;
          if (isControl(one)) {
            throw new IllegalArgumentException("it has a control character");
          }
          fixed.appendCodePoint(one);
          steps.add(new Step<>(CharacterSet.only(one)));
        }
      }
    }
    return isFixed
        ? new NamePattern.Fixed(fixed.toString())
        : new NamePattern.Described(new SequencePattern<>(List.copyOf(steps)));
  }

  private int next(String otherwise) {
    if (at == text.length) {
      throw new IllegalArgumentException(otherwise);
    }
    return text[at++];
  }

  private CharacterSet characters() {
    String unfinished = "it has a [ without a ]";
    boolean others = at < text.length && (text[at] == '!' || text[at] == '^');
    if (others) {
      at++;
    }
    List<Range> ranges = new ArrayList<>();
    int character = next(unfinished);
    do {
      int first = character == '\\' ? next(unfinished) : character;
      character = next(unfinished);
      int last = first;
      if (character == '-' && at < text.length && text[at] != ']') {
        last = next(unfinished);
        last = last == '\\' ? next(unfinished) : last;
        character = next(unfinished);
      }
      ranges.add(new Range(first, last));
    } while (character != ']');
    CharacterSet set = CharacterSet.of(ranges.stream().filter(r -> r.first() <= r.last()).toList());
    CharacterSet result = others ? set.others() : set;
    if (result.isEmpty()) {
      throw new IllegalArgumentException("it has a [] that no character matches");
    }
    return result;
  }
}

package dev.parley.coordination.path;

import java.util.ArrayList;
import java.util.List;

/** Expands braces in a pattern: {@code {a,b}/x} is {@code a/x} and {@code b/x}. */
final class BraceExpansion {
  private BraceExpansion() {}

  /**
   * @throws IllegalArgumentException if braces do not match, or expand to more than {@code most}
   *     patterns
   */
  static List<String> expand(String text, int most) {
    if (text.indexOf('{') < 0 && text.indexOf('}') < 0) {
      return List.of(text);
    }
    List<String> done = new ArrayList<>();
    List<String> open = new ArrayList<>(List.of(text));
    while (!open.isEmpty()) {
      String next = open.removeLast();
      int brace = first(next);
      if (brace < 0) {
        done.add(next);
      } else {
        open.addAll(inside(next, brace).reversed());
      }
      if (done.size() + open.size() > most) {
        throw new IllegalArgumentException("its braces stand for more than " + most + " patterns");
      }
    }
    return done;
  }

  /** The index of the first opening brace; -1 if there is none. */
  private static int first(String text) {
    boolean set = false;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '[' -> set = true;
        case ']' -> set = false;
        case '{' -> {
          if (!set) {
            return i;
          }
        }
        case '}' -> {
          if (!set) {
            throw new IllegalArgumentException("it has a } without a {");
          }
        }
        default -> {
          // Any other character stands for itself.
        }
      }
    }
    return -1;
  }

  private static List<String> inside(String text, int brace) {
    List<String> parts = new ArrayList<>();
    String before = text.substring(0, brace);
    int depth = 0;
    int start = brace + 1;
    for (int i = brace; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '{') {
        depth++;
      } else if (c == ',' && depth == 1) {
        parts.add(text.substring(start, i));
        start = i + 1;
      } else if (c == '}' && --depth == 0) {
        parts.add(text.substring(start, i));
        String after = text.substring(i + 1);
        return parts.stream().map(part -> before + part + after).toList();
      }
    }
    throw new IllegalArgumentException("it has a { without a }");
  }
}

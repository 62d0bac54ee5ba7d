package dev.parley.coordination.path;

import dev.parley.coordination.path.SequencePattern.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pattern of one name in a path: a fixed name or wildcards. */
sealed interface NamePattern {
  /** Whether some name matches both. */
  boolean meets(NamePattern other);

  /** The only name that matches; null if several do. */
  default @Nullable String only() {
    return null;
  }

  /** Exactly this name. */
  record Fixed(String text) implements NamePattern {
    @Override
    public boolean meets(NamePattern other) {
      return switch (other) {
        case Fixed fixed -> text.equals(fixed.text);
        case Described described -> described.describes(text);
      };
    }

    @Override
    public String only() {
      return text;
    }
  }

  /** Any name that matches this sequence of characters. */
  record Described(SequencePattern<CharacterSet> characters) implements NamePattern {
    @Override
    public boolean meets(NamePattern other) {
      return switch (other) {
        case Fixed fixed -> describes(fixed.text);
        case Described described -> characters.meets(described.characters, CharacterSet::meets);
      };
    }

    /**
     * Compares the end first, because most names differ there. Then each star takes as few
     * characters as possible; only the last star that was reached ever needs to take more.
     */
    private boolean describes(String name) {
      List<Step<CharacterSet>> steps = characters.steps();
      int count = steps.size();
      int end = name.length();
      while (count > 0 && end > 0) {
        CharacterSet last = steps.get(count - 1).one();
        if (last == null) {
          break; // a star: what is left must match from the beginning
        }
        int character = name.codePointBefore(end);
        if (!last.has(character)) {
          return false;
        }
        end -= Character.charCount(character);
        count--;
      }
      return describes(name.substring(0, end), steps.subList(0, count));
    }

    private static boolean describes(String name, List<Step<CharacterSet>> steps) {
      int step = 0;
      int at = 0;
      int star = -1;
      int starEnd = 0;
      while (at < name.length()) {
        int character = name.codePointAt(at);
        CharacterSet set = step < steps.size() ? steps.get(step).one() : CharacterSet.NONE;
        if (set == null) {
          star = step++;
          starEnd = at;
        } else if (set.has(character)) {
          step++;
          at += Character.charCount(character);
        } else if (star >= 0) {
          starEnd += Character.charCount(name.codePointAt(starEnd));
          at = starEnd;
          step = star + 1;
        } else {
          return false;
        }
      }
      while (step < steps.size() && steps.get(step).one() == null) {
        step++;
      }
      return step == steps.size();
    }
  }
}

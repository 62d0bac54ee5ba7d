package dev.parley.coordination.path;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The set of characters that may stand at one place in a file name.
 *
 * <p>Invariant: the ranges are in order and do not touch.
 */
record CharacterSet(List<Range> ranges) {
  record Range(int first, int last) {}

  /** Every character except the slash and NUL. */
  static final CharacterSet ANY =
      new CharacterSet(
          List.of(new Range(1, '/' - 1), new Range('/' + 1, Character.MAX_CODE_POINT)));

  static final CharacterSet NONE = new CharacterSet(List.of());

  static CharacterSet only(int character) {
    return new CharacterSet(List.of(new Range(character, character)));
  }

  static CharacterSet of(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingInt(Range::first));
    List<Range> joined = new ArrayList<>();
    for (Range range : sorted) {
      Range last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && range.first <= last.last + 1) {
        joined.set(joined.size() - 1, new Range(last.first, Math.max(last.last, range.last)));
      } else {
        joined.add(range);
      }
    }
    return ANY.and(new CharacterSet(joined));
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  boolean has(int character) {
    for (int i = 0; i < ranges.size(); i++) {
      Range range = ranges.get(i);
      if (range.first <= character && character <= range.last) {
        return true;
      }
    }
    return false;
  }

  boolean meets(CharacterSet other) {
    int mine = 0;
    int theirs = 0;
    while (mine < ranges.size() && theirs < other.ranges.size()) {
      Range one = ranges.get(mine);
      Range two = other.ranges.get(theirs);
      if (one.first <= two.last && two.first <= one.last) {
        return true;
      }
      if (one.last < two.last) {
        mine++;
      } else {
        theirs++;
      }
    }
    return false;
  }

  CharacterSet and(CharacterSet other) {
    List<Range> both = new ArrayList<>();
    for (Range mine : ranges) {
      for (Range theirs : other.ranges) {
        int first = Math.max(mine.first, theirs.first);
        int last = Math.min(mine.last, theirs.last);
        if (first <= last) {
          both.add(new Range(first, last));
        }
      }
    }
    return new CharacterSet(both);
  }

  /** The complement within {@link #ANY}. */
  CharacterSet others() {
    List<Range> rest = new ArrayList<>();
    int next = 1;
    for (Range range : ranges) {
      if (next < range.first) {
        rest.add(new Range(next, range.first - 1));
      }
      next = range.last + 1;
    }
    if (next <= Character.MAX_CODE_POINT) {
      rest.add(new Range(next, Character.MAX_CODE_POINT));
    }
    return ANY.and(new CharacterSet(rest));
  }
}

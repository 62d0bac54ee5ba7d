package dev.parley.coordination.path;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of steps, each of which matches one element or any number of elements. A path is a
 * sequence of names; a name is a sequence of characters.
 */
final class SequencePattern<T> {
  private final List<Step<T>> steps;

  /** Whether a step matches any number of elements. */
  private final boolean stretches;

  /**
   * @param one the elements that match; null for any number of any elements
   */
  record Step<T>(@Nullable T one) {}

  /**
   * @param steps each of which some element matches
   */
  SequencePattern(List<Step<T>> steps) {
    this.steps = steps;
    boolean any = false;
    for (Step<T> step : steps) {
      any |= step.one == null;
    }
    this.stretches = any;
  }

  List<Step<T>> steps() {
    return steps;
  }

  private @Nullable T one(int step) {
    return steps.get(step).one;
  }

  /**
   * Whether some sequence matches both patterns. The steps before the first star of either must
   * agree in pairs, and so must the steps after the last star. If both patterns have a star, that
   * is enough: one star can take the middle of the other pattern. Otherwise dynamic programming
   * decides, for each pair of prefixes, whether some sequence matches both. The cost is at most the
   * product of the lengths.
   *
   * @param both whether one element can match both steps
   */
  boolean meets(SequencePattern<T> other, BiPredicate<T, T> both) {
    int mine = steps.size();
    int theirs = other.steps.size();
    int same = 0;
    while (same < mine && same < theirs) {
      T one = one(same);
      T two = other.one(same);
      if (one == null || two == null) {
        break;
      }
      if (!both.test(one, two)) {
        return false; // most pairs differ in their first steps
      }
      same++;
    }
    while (same < mine && same < theirs) {
      T one = one(mine - 1);
      T two = other.one(theirs - 1);
      if (one == null || two == null) {
        break;
      }
      if (!both.test(one, two)) {
        return false;
      }
      mine--;
      theirs--;
    }
    return (stretches && other.stretches) || meetsBetween(same, mine, other, theirs, both);
  }

  /** The same for the steps from one index to another. */
  private boolean meetsBetween(
      int from, int to, SequencePattern<T> other, int otherTo, BiPredicate<T, T> both) {
    int count = otherTo - from;
    boolean[] met = new boolean[count + 1];
    met[0] = true;
    for (int j = 1; j <= count && other.one(from + j - 1) == null; j++) {
      met[j] = true; // a star also matches nothing
    }
    for (int i = from; i < to; i++) {
      T one = one(i);
      if (one == null) {
        // A star matches whatever follows in the other pattern.
        int first = 0;
        while (first <= count && !met[first]) {
          first++;
        }
        Arrays.fill(met, first, count + 1, true);
      } else if (!take(one, met, other, from, both)) {
        return false;
      }
    }
    return met[count];
  }

  /** Adds one step of ours; false if no prefix matches both patterns any more. */
  private static <T> boolean take(
      T one, boolean[] met, SequencePattern<T> other, int from, BiPredicate<T, T> both) {
    boolean before = met[0];
    boolean any = false;
    met[0] = false;
    for (int j = 1; j < met.length; j++) {
      boolean here = met[j];
      if (here || before || met[j - 1]) {
        T two = other.one(from + j - 1);
        met[j] = two == null ? met[j - 1] || here : before && both.test(one, two);
        any |= met[j];
      }
      before = here;
    }
    return any;
  }
}

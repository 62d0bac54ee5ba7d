package dev.parley.coordination.path;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of steps one after the other, each of which is one thing of some kind, or any number of
 * anything. A path is a sequence of names, a name one of characters.
 */
final class SequencePattern<T> {
  private final List<Step<T>> steps;

  /** Whether one of the steps is any number of anything. */
  private final boolean stretches;

  /**
   * @param one what one thing must be; null for any number of anything
   */
  record Step<T>(@Nullable T one) {}

  /**
   * @param steps each of which something can be
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
   * Whether there is something that both describe. Steps before the first that stretches must agree
   * one by one, and those after the last. If both have one that stretches that is all: what lies
   * between in one can come before what lies between in the other. Otherwise it is found out
   * whether so many first steps of one and so many of the other can describe the same, for all
   * numbers in turn. It takes no more than the product of their lengths, whatever they are.
   *
   * @param both whether one thing can be of both kinds
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
        return false; // most pairs end here: they begin with different things
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

  /** The same for the steps of each from one place to another. */
  private boolean meetsBetween(
      int from, int to, SequencePattern<T> other, int otherTo, BiPredicate<T, T> both) {
    int count = otherTo - from;
    boolean[] met = new boolean[count + 1];
    met[0] = true;
    for (int j = 1; j <= count && other.one(from + j - 1) == null; j++) {
      met[j] = true; // any number may be none
    }
    for (int i = from; i < to; i++) {
      T one = one(i);
      if (one == null) {
        // Any number takes as much of the other as there is.
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

  /** Takes one more step of ours; whether anything is left that both can describe. */
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

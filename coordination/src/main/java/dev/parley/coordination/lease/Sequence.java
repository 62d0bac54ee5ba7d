package dev.parley.coordination.lease;

import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of steps one after the other, each of which is one thing of some kind, or any number of
 * anything. A path is a sequence of names, a name one of characters.
 */
record Sequence<T>(List<Step<T>> steps) {
  /**
   * @param one what one thing must be; null for any number of anything
   */
  record Step<T>(@Nullable T one) {}

  /**
   * Whether there is something that both describe. Steps before the first that stretches must agree
   * one by one; for the rest it is found out whether so many first steps of one and so many of the
   * other can describe the same, for all numbers in turn. It takes no more than the product of
   * their lengths, whatever they are.
   *
   * @param both whether one thing can be of both kinds
   */
  boolean meets(Sequence<T> other, BiPredicate<T, T> both) {
    int same = 0;
    int most = Math.min(steps.size(), other.steps.size());
    while (same < most && steps.get(same).one != null && other.steps.get(same).one != null) {
      if (!both.test(steps.get(same).one, other.steps.get(same).one)) {
        return false; // most pairs end here: they begin with different things
      }
      same++;
    }
    return from(same).meetsSomehow(other.from(same), both);
  }

  private Sequence<T> from(int step) {
    return new Sequence<>(steps.subList(step, steps.size()));
  }

  private boolean meetsSomehow(Sequence<T> other, BiPredicate<T, T> both) {
    boolean[] met = row(null, new boolean[0], other, both);
    for (Step<T> mine : steps) {
      met = row(mine, met, other, both);
    }
    return met[other.steps.size()];
  }

  /**
   * @param mine the last of our steps; null if none is taken yet
   * @param before the row for all but that one
   */
  private boolean[] row(
      @Nullable Step<T> mine, boolean[] before, Sequence<T> other, BiPredicate<T, T> both) {
    boolean[] met = new boolean[other.steps.size() + 1];
    met[0] = mine == null || (mine.one == null && before[0]);
    for (int j = 1; j < met.length; j++) {
      T one = mine == null ? null : mine.one;
      T two = other.steps.get(j - 1).one;
      if (one != null && two != null) {
        met[j] = before[j - 1] && both.test(one, two);
      } else {
        // Any number is none, or one more than before.
        boolean stretches = two == null || mine != null;
        met[j] = stretches && (met[j - 1] || (mine != null && before[j]));
      }
    }
    return met;
  }
}

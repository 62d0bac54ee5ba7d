package dev.parley.coordination.lease;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
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
   * Whether there is something that both describe: walks through both at once, along every way in
   * which the steps that are any number may be stretched.
   *
   * @param both whether one thing can be of both kinds
   */
  boolean meets(Sequence<T> other, BiPredicate<T, T> both) {
    int width = other.steps.size() + 1;
    BitSet been = new BitSet();
    Deque<Integer> open = new ArrayDeque<>();
    open.push(0);
    while (!open.isEmpty()) {
      int at = open.pop();
      if (been.get(at)) {
        continue;
      }
      been.set(at);
      int here = at / width;
      int there = at % width;
      Step<T> mine = here < steps.size() ? steps.get(here) : null;
      Step<T> theirs = there < other.steps.size() ? other.steps.get(there) : null;
      if (mine == null && theirs == null) {
        return true;
      }
      T one = mine == null ? null : mine.one;
      T two = theirs == null ? null : theirs.one;
      if (one != null && two != null) {
        if (both.test(one, two)) {
          open.push(at + width + 1);
        }
        continue;
      }
      if (mine != null && (one == null || isAny(theirs))) {
        open.push(at + width);
      }
      if (theirs != null && (two == null || isAny(mine))) {
        open.push(at + 1);
      }
    }
    return false;
  }

  private static boolean isAny(@Nullable Step<?> step) {
    return step != null && step.one == null;
  }
}

package dev.parley;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a history of concurrent operations on one object is linearizable: whether each
 * operation can have taken effect at one instant between its call and its return, so that every
 * answer is right in that order.
 *
 * <p>It sweeps over calls and returns and keeps every state that the object may be in, each with
 * the operations that are still open and have taken effect already. When an operation returns, only
 * those remain in which it has taken effect.
 */
final class HistoryChecker {
  private HistoryChecker() {}

  /**
   * An operation with its answer.
   *
   * @param effect the state after it; null if the answer can't be given in that state
   */
  record Operation(String what, long called, long returned, Effect effect) {}

  /** A state is a word; the empty one is where every object begins. */
  interface Effect {
    @Nullable String after(String state);
  }

  private record Possible(String state, Set<Operation> done) {}

  private record Event(long time, boolean isReturn, Operation operation) {}

  /** What the object may be in the end; empty if the history is not linearizable. */
  static Set<String> check(List<Operation> history, UnaryOperator<String> explain) {
    List<Event> events = new ArrayList<>();
    for (Operation operation : history) {
      events.add(new Event(operation.called, false, operation));
      events.add(new Event(operation.returned, true, operation));
    }
    events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::isReturn));
    Set<Operation> open = new HashSet<>();
    Set<Possible> possible = new HashSet<>(Set.of(new Possible("", Set.of())));
    for (Event event : events) {
      if (!event.isReturn) {
        open.add(event.operation);
        continue;
      }
      Set<Possible> next = new HashSet<>();
      for (Possible one : closure(possible, open)) {
        if (one.done.contains(event.operation)) {
          Set<Operation> done = new HashSet<>(one.done);
          done.remove(event.operation);
          next.add(new Possible(one.state, done));
        }
      }
      if (next.isEmpty()) {
        throw new AssertionError(
            explain.apply(event.operation.what + " fits no order; possible before: " + possible));
      }
      open.remove(event.operation);
      possible = next;
    }
    Set<String> ends = new HashSet<>();
    possible.forEach(one -> ends.add(one.state));
    return ends;
  }

  /** All that may be once any number of open operations has taken effect. */
  private static Set<Possible> closure(Set<Possible> from, Set<Operation> open) {
    Set<Possible> all = new HashSet<>(from);
    Deque<Possible> todo = new ArrayDeque<>(from);
    for (Possible one = todo.poll(); one != null; one = todo.poll()) {
      for (Operation operation : open) {
        String state = one.done.contains(operation) ? null : operation.effect.after(one.state);
        if (state != null) {
          Set<Operation> done = new HashSet<>(one.done);
          done.add(operation);
          Possible more = new Possible(state, done);
          if (all.add(more)) {
            todo.add(more);
          }
        }
      }
    }
    return all;
  }
}

package dev.parley.orchestration.plan;

import dev.parley.coordination.path.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the tasks that can be done at the same time.
 *
 * <p>If two tasks name the same file, or one names a folder or pattern that covers a file of the
 * other, the later one depends on the earlier one: both could not hold the file at the same time. A
 * task's wave is the length of the longest chain of dependencies that leads to it, from 0.
 */
public final class Waves {
  private Waves() {}

  /** The dependencies of each task, stated or because of a file; unknown numbers are left out. */
  public static Map<Integer, Set<Integer>> dependencies(List<PlannedTask> tasks) {
    Set<Integer> known = new HashSet<>();
    tasks.forEach(task -> known.add(task.number()));
    Map<String, List<Integer>> users = new HashMap<>();
    Map<Integer, Set<Integer>> all = new HashMap<>();
    for (PlannedTask task : tasks) {
      Set<Integer> after = new LinkedHashSet<>(task.after());
      after.retainAll(known);
      for (String file : task.files()) {
        users.forEach((other, before) -> {
          if (meet(other, file)) {
            after.addAll(before);
          }
        });
      }
      task.files()
          .forEach(
              file -> users.computeIfAbsent(file, name -> new ArrayList<>()).add(task.number()));
      all.put(task.number(), after);
    }
    return all;
  }

  /** Whether two paths or patterns of plans have a file in common. */
  public static boolean meet(String one, String other) {
    PathPattern pattern = PathPattern.find(one);
    PathPattern second = PathPattern.find(other);
    return one.equals(other) || (pattern != null && second != null && pattern.overlaps(second));
  }

  /** The waves, each in plan order. There must be no cycles. */
  public static List<List<PlannedTask>> of(List<PlannedTask> tasks) {
    Map<Integer, Set<Integer>> dependencies = dependencies(tasks);
    Map<Integer, Integer> depths = new HashMap<>();
    List<List<PlannedTask>> waves = new ArrayList<>();
    for (PlannedTask task : tasks) {
      int depth = depth(task.number(), dependencies, depths);
      while (waves.size() <= depth) {
        waves.add(new ArrayList<>());
      }
      waves.get(depth).add(task);
    }
    return waves;
  }

  private static int depth(
      int task, Map<Integer, Set<Integer>> dependencies, Map<Integer, Integer> depths) {
    Integer known = depths.get(task);
    if (known != null) {
      return known;
    }
    int depth = 0;
    for (int before : dependencies.getOrDefault(task, Set.of())) {
      depth = Math.max(depth, depth(before, dependencies, depths) + 1);
    }
    depths.put(task, depth);
    return depth;
  }

  /** Groups of tasks that depend on each other in a cycle. */
  static List<List<Integer>> cycles(List<PlannedTask> tasks) {
    Map<Integer, Set<Integer>> dependencies = dependencies(tasks);
    Map<Integer, Set<Integer>> reach = new HashMap<>();
    tasks.forEach(task -> reach.put(task.number(), reachable(task.number(), dependencies)));
    List<List<Integer>> cycles = new ArrayList<>();
    Set<Integer> told = new HashSet<>();
    for (PlannedTask task : tasks) {
      int number = task.number();
      if (reach.getOrDefault(number, Set.of()).contains(number) && !told.contains(number)) {
        List<Integer> members =
            tasks.stream()
                .map(PlannedTask::number)
                .filter(other ->
                    reach.getOrDefault(number, Set.of()).contains(other)
                        && reach.getOrDefault(other, Set.of()).contains(number))
                .toList();
        told.addAll(members);
        cycles.add(members);
      }
    }
    return cycles;
  }

  private static Set<Integer> reachable(int from, Map<Integer, Set<Integer>> dependencies) {
    Set<Integer> met = new HashSet<>();
    List<Integer> open = new ArrayList<>(dependencies.getOrDefault(from, Set.of()));
    while (!open.isEmpty()) {
      int next = open.removeLast();
      if (met.add(next)) {
        open.addAll(dependencies.getOrDefault(next, Set.of()));
      }
    }
    return met;
  }

  /** All direct and indirect dependents of a task. */
  public static Set<Integer> dependents(List<PlannedTask> tasks, int task) {
    Map<Integer, Set<Integer>> dependencies = dependencies(tasks);
    Set<Integer> found = new LinkedHashSet<>();
    for (PlannedTask other : tasks) {
      if (reachable(other.number(), dependencies).contains(task)) {
        found.add(other.number());
      }
    }
    return found;
  }
}

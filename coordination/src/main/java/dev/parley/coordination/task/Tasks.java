package dev.parley.coordination.task;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Lazy;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All tasks of a ledger and the indexes that the rules need: by dependency, by owner, by the end of
 * a claim. {@link TaskRules} decides what becomes of them.
 */
public final class Tasks {
  private static final Comparator<Task> BY_AGE =
      (one, other) -> Long.compare(one.added(), other.added());
  private static final Comparator<Task> BY_END =
      (one, other) -> {
        int order = end(one).compareTo(end(other));
        return order != 0 ? order : BY_AGE.compare(one, other);
      };

  /** The tasks that are not done, in the order in which they were added. */
  private final SequencedMap<String, Task> tasks = new LinkedHashMap<>();

  /**
   * The tasks that are done, which never changes. Invariant: all their dependencies are done too.
   */
  private final SequencedMap<String, Lazy<Task>> done = new LinkedHashMap<>();

  /** The tasks that are not done, by the tasks that they depend on. */
  private final Map<String, Set<String>> dependents = new HashMap<>();

  private final TreeSet<Task> ready = new TreeSet<>(Task.FIRST);

  /** Sorted by session, because a loaded view does not know which session claimed first. */
  private final Map<String, Set<Task>> bySession = new TreeMap<>();

  private final TreeSet<Task> byEnd = new TreeSet<>(BY_END);

  /** How many tasks can still be done. */
  private int open;

  /** The tasks that ended since the last call of {@link #whatEnded}. */
  private final List<String> ended = new ArrayList<>();

  /** No tasks. */
  public Tasks() {}

  /** All tasks, in the order in which they were added. */
  public List<Task> all() {
    List<Task> all = new ArrayList<>(tasks.values());
    done.values().forEach(task -> all.add(task.get()));
    all.sort(BY_AGE);
    return all;
  }

  /** How many tasks can still be done. */
  int open() {
    return open;
  }

  /** The task of this name that is not done; null if there is none. */
  @Nullable Task notDone(String id) {
    return tasks.get(id);
  }

  /** The tasks that are not done, in the order in which they were added. */
  public Collection<Task> notDone() {
    return Collections.unmodifiableCollection(tasks.values());
  }

  public @Nullable Task task(String id) {
    Task task = tasks.get(id);
    Lazy<Task> shelved = task == null ? done.get(id) : null;
    return shelved == null ? task : shelved.get();
  }

  public boolean knows(String id) {
    return tasks.containsKey(id) || isDone(id);
  }

  /** The tasks that can be claimed, the one to do first in front. */
  public Collection<Task> ready() {
    return Collections.unmodifiableSet(ready);
  }

  /** The sessions that have claims. */
  public List<String> owners() {
    return List.copyOf(bySession.keySet());
  }

  /** The tasks that a session has claimed. */
  public List<Task> of(String session) {
    return List.copyOf(bySession.getOrDefault(session, Set.of()));
  }

  /** The dependencies of a task that are not done. */
  public List<String> missing(Task task) {
    return task.plan().after().stream().filter(id -> !isDone(id)).toList();
  }

  /** The tasks that depend directly on this one and are not done. */
  public Set<String> dependents(String id) {
    return Collections.unmodifiableSet(dependents.getOrDefault(id, Set.of()));
  }

  private boolean isDone(String id) {
    return done.containsKey(id);
  }

  /** The details of a refusal when there is no next task. */
  public Json nothing(List<HeldTask> held) {
    Json.ObjectBuilder details = Json.object().put("open", open).put("ready", ready.size());
    return held.isEmpty() ? details.build() : details.put("held", HeldTask.toJson(held)).build();
  }

  /** The task that a line has added, if it is not over; null if there is none. */
  public @Nullable Task addedAt(long position) {
    for (Task task : tasks.values()) {
      if (task.added() == position && !task.state().isOver()) {
        return task;
      }
    }
    return null;
  }

  /** The task that a line has claimed; null if that claim is over. */
  public @Nullable Task claimedAt(long position) {
    for (Set<Task> own : bySession.values()) {
      for (Task task : own) {
        if (task.claim().token() == position) {
          return task;
        }
      }
    }
    return null;
  }

  /** The tasks whose claims are over by time. */
  public List<Task> over(FoldTime time) {
    List<Task> over = new ArrayList<>();
    for (Task task : byEnd) {
      if (!time.isAtOrAfter(end(task))) {
        break;
      }
      over.add(task);
    }
    return over;
  }

  private static Instant end(Task task) {
    return Objects.requireNonNullElse(task.claim().until(), Instant.MAX);
  }

  /** Stores a task, and updates the indexes. */
  void put(Task task) {
    Task before = tasks.get(task.id());
    open += isOpen(task) - isOpen(before);
    if (task.state().isOver()) {
      ended.add(task.id());
    }
    if (task.state() == TaskState.DONE) {
      tasks.remove(task.id());
      done.put(task.id(), Lazy.of(task));
      task.plan().after().forEach(id -> removeDependent(id, task.id()));
    } else {
      tasks.put(task.id(), task);
    }
    if (before == null) {
      task.plan()
          .after()
          .forEach(
              id -> dependents.computeIfAbsent(id, key -> new LinkedHashSet<>()).add(task.id()));
    } else {
      ready.remove(before);
      byEnd.remove(before);
      forget(before);
    }
    if (task.state() == TaskState.READY) {
      ready.add(task);
    }
    if (task.session() != null) {
      bySession.computeIfAbsent(task.session(), key -> new TreeSet<>(BY_AGE)).add(task);
    }
    if (task.claim().until() != null) {
      byEnd.add(task);
    }
  }

  private static int isOpen(@Nullable Task task) {
    return task == null || task.state().isOver() ? 0 : 1;
  }

  /** Calls back with the tasks that ended since the last call. */
  public void whatEnded(Consumer<String> task) {
    if (!ended.isEmpty()) {
      ended.forEach(task);
      ended.clear();
    }
  }

  private void removeDependent(String id, String task) {
    Set<String> left = dependents.get(id);
    if (left != null) {
      left.remove(task);
      if (left.isEmpty()) {
        dependents.remove(id);
      }
    }
  }

  private void forget(Task task) {
    Set<Task> own = task.session() == null ? null : bySession.get(task.session());
    if (own != null) {
      own.remove(task);
      if (own.isEmpty()) {
        bySession.remove(task.session());
      }
    }
  }

  /** Moves all times back with the ledger's time, so that every remaining duration is kept. */
  public void moveBack(Duration by) {
    List.copyOf(tasks.values()).forEach(task -> put(task.movedBack(by)));
    done.replaceAll((id, task) -> Lazy.of(task.get().movedBack(by)));
  }

  public Json save() {
    return Json.of(tasks.values().stream().map(Task::save).toList());
  }

  public Json saveDone() {
    Json.ObjectBuilder json = Json.object();
    done.forEach((id, task) -> json.put(id, task.save(Task::save)));
    return json.build();
  }

  public static Tasks load(List<Json> saved, Fields done) {
    Tasks tasks = new Tasks();
    saved.forEach(item -> tasks.put(Task.load(Fields.of(item))));
    tasks.ended.clear();
    done.values()
        .forEach(
            (id, task) -> tasks.done.put(id, Lazy.saved(task, json -> Task.load(Fields.of(json)))));
    return tasks;
  }
}

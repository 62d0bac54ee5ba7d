package dev.parley.cli.work;

import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.task.Task;
import dev.parley.core.ParleyException;
import java.util.List;
import java.util.Locale;

/** Ids of tasks as people type them, and those that are made for tasks without one. */
final class TaskId {
  /** Longer ids are tiresome to type. */
  private static final int LONGEST = 24;

  private TaskId() {}

  /** The task that was typed: its id, or the beginning of it if only one task begins like that. */
  static String of(LedgerOwner owner, String typed) {
    List<String> found =
        owner.look(ledger ->
            ledger.tasks().task(typed) != null
                ? List.of(typed)
                : ledger.tasks().all().stream()
                    .map(Task::plan)
                    .map(plan -> plan.id())
                    .filter(id -> id.startsWith(typed))
                    .toList());
    if (found.size() > 1) {
      throw ParleyException.invalid(
          "ambiguous-id",
          found.size() + " tasks have ids that begin with " + typed + ".",
          "Write more of it: " + String.join(", ", found.subList(0, Math.min(3, found.size()))));
    }
    return found.isEmpty() ? typed : found.getFirst();
  }

  /** An id that no task has, made of the words of a title. */
  static String made(LedgerOwner owner, String title) {
    StringBuilder words = new StringBuilder();
    for (String word : title.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1)) {
      if (!word.isEmpty() && words.length() + 1 + word.length() <= LONGEST) {
        words.append(words.isEmpty() ? "" : "-").append(word);
      }
    }
    String base = words.isEmpty() ? "task" : words.toString();
    return owner.look(ledger -> {
      String id = base;
      for (int n = 2; ledger.tasks().task(id) != null; n++) {
        id = base + "-" + n;
      }
      return id;
    });
  }
}

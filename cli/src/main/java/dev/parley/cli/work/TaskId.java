package dev.parley.cli.work;

import dev.parley.cli.command.UniquePrefix;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.task.Task;
import java.util.Locale;

/** Abbreviated ids of tasks, and ids for tasks without one. */
final class TaskId {
  /** Longer ids are tedious to type. */
  private static final int LONGEST = 24;

  private TaskId() {}

  /** The task with an id, or with a prefix that fits only one. */
  static String of(LedgerOwner owner, String typed) {
    return owner.look(ledger ->
        ledger.tasks().task(typed) != null
            ? typed
            : UniquePrefix.of(
                "tasks", typed, ledger.tasks().all().stream().map(Task::id).toList()));
  }

  /** An unused id made of the words of a title. */
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

package dev.parley.json;

import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.Tasks;
import dev.parley.core.json.Json;

/** Tasks as JSON: the plan, the state, and the dependencies that are not done. */
public final class TaskJson {
  private TaskJson() {}

  /**
   * A whole task.
   *
   * @param all all tasks of the ledger
   */
  public static Json of(Tasks all, Task task, LedgerTimes times) {
    return task.plan()
        .write()
        .put("state", task.state().word())
        .put("owner", task.owner())
        .put("token", task.claim().token())
        .put("since", times.written(task.since()))
        .put("progress", task.claim().progress())
        .put("blockedOn", task.claim().blockedOn())
        .put("note", task.note())
        .put("tried", task.tried())
        .put("recoverable", task.state() == TaskState.FAILED && task.canBeRetried())
        .put("commit", task.result().commit())
        .put("changed", Json.ofStrings(task.result().files()))
        .put("missing", Json.ofStrings(all.missing(task)))
        .put("addedBy", task.addedBy())
        .put("added", task.added())
        .build();
  }
}

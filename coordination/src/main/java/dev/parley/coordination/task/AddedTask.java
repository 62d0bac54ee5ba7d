package dev.parley.coordination.task;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;

/**
 * A task that was added.
 *
 * @param state right after that
 */
public record AddedTask(String task, TaskState state) implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object().put("task", task).put("state", state.word()).build();
  }
}

package dev.parley.coordination.task;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;
import java.util.List;

/**
 * A task that is done.
 *
 * @param unblocks the tasks that are ready now because of it
 */
public record DoneTask(String task, List<String> unblocks) implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object().put("task", task).put("unblocks", Json.ofStrings(unblocks)).build();
  }
}

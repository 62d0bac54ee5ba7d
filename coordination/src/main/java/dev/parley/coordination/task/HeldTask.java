package dev.parley.coordination.task;

import dev.parley.core.json.Json;
import java.util.List;

/**
 * A task that was passed over because its files can't be leased.
 *
 * @param why the code of the refusal
 * @param holder one of the agents that hold the files; empty if nobody does
 * @param paths the paths that it holds
 */
public record HeldTask(String task, String why, String holder, List<String> paths) {
  static Json toJson(List<HeldTask> tasks) {
    return Json.of(tasks.stream().map(HeldTask::toJson).toList());
  }

  private Json toJson() {
    Json.ObjectBuilder json = Json.object().put("task", task).put("why", why);
    return holder.isEmpty()
        ? json.build()
        : json.put("holder", holder).put("paths", Json.ofStrings(paths)).build();
  }
}

package dev.parley.coordination.task;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task that a session has claimed.
 *
 * @param token the position of the claim
 * @param files the paths that the claim leased; null if it leased none
 * @param until when the claim ends unless its owner writes something; null if not known
 * @param held the tasks that were passed over because others hold their files
 */
public record ClaimedTask(
    String task,
    @Nullable String owner,
    long token,
    String title,
    @Nullable List<String> files,
    @Nullable Instant until,
    List<HeldTask> held)
    implements Outcome.Accepted {
  static ClaimedTask of(Task task) {
    return new ClaimedTask(
        task.id(), task.owner(), task.claim().token(), task.plan().title(), null, null, List.of());
  }

  /** The same with the details of the claim. */
  public ClaimedTask with(
      @Nullable List<String> taken, @Nullable Instant end, List<HeldTask> passedOver) {
    return new ClaimedTask(task, owner, token, title, taken, end, passedOver);
  }

  @Override
  public Json what() {
    Json.ObjectBuilder what =
        Json.object().put("task", task).put("owner", owner).put("token", token).put("title", title);
    if (files != null) {
      what.put("files", Json.ofStrings(files));
    }
    if (until != null) {
      what.put("until", Timestamps.format(until));
    }
    return (held.isEmpty() ? what : what.put("held", HeldTask.toJson(held))).build();
  }
}

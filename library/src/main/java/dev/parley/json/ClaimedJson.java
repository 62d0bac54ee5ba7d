package dev.parley.json;

import dev.parley.coordination.task.HeldTask;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.core.json.Json;

/** The answer to a claim as JSON. */
public final class ClaimedJson {
  private ClaimedJson() {}

  /**
   * A task that was claimed.
   *
   * @param owner the agent that claimed it
   */
  public static Json of(Claimed claimed, String owner, LedgerTimes times) {
    Json.ObjectBuilder json =
        Json.object()
            .put("claimed", true)
            .put("task", claimed.task())
            .put("title", claimed.title())
            .put("owner", owner)
            .put("token", claimed.token())
            .put("until", claimed.until() == null ? null : times.written(claimed.until()))
            .put("files", Json.ofStrings(claimed.files()));
    if (!claimed.held().isEmpty()) {
      json.put("held", Json.of(claimed.held().stream().map(ClaimedJson::held).toList()));
    }
    return json.build();
  }

  /** A task that was passed over because others hold its files. */
  private static Json held(HeldTask held) {
    return Json.object()
        .put("task", held.task())
        .put("holder", held.holder())
        .put("paths", Json.ofStrings(held.paths()))
        .build();
  }
}

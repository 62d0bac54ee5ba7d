package dev.parley.json;

import dev.parley.coordination.ledger.Activity;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.task.Task;
import dev.parley.core.json.Json;

/** Members of the roster as JSON. */
public final class MemberJson {
  private MemberJson() {}

  /**
   * An agent that has joined, and what the ledger shows of its work.
   *
   * @param wake whether the agent can be woken
   */
  public static Json of(Member member, Activity activity, LedgerTimes times, Json wake) {
    Task task = activity.task();
    return Json.object()
        .put("agent", member.name())
        .put("presence", activity.presence().word())
        .put("silence", activity.silence().toSeconds())
        .put("doing", activity.doing().word())
        .put("status", member.status().name())
        .put("role", member.role())
        .put("can", Json.ofStrings(member.can()))
        .put("task", task == null ? null : task.id())
        .put("progress", activity.progress())
        .put("tasks", Json.ofStrings(activity.tasks().stream().map(Task::id).toList()))
        .put("note", member.note())
        .put("heard", times.written(member.heard()))
        .put("session", member.session())
        .put("wake", wake)
        .build();
  }

  /** An agent that is expected and has not joined. */
  public static Json expected(String name) {
    return Json.object().put("agent", name).put("presence", "expected").build();
  }
}

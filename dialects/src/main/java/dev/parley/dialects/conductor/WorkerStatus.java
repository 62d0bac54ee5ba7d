package dev.parley.dialects.conductor;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Status;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The activity of a worker, as {@code worker-status.json} has it.
 *
 * <pre>
 * "worker-1.1-x": {"task_id": "1.1", "status": "RUNNING", "progress_pct": 40, "last_heartbeat": "…Z"}
 * </pre>
 *
 * @param status null if the word is unknown
 * @param heard the last heartbeat; null if there is none
 */
record WorkerStatus(String task, @Nullable Status status, int progress, @Nullable Instant heard) {

  /** A heartbeat is news if it is this much later than the last one. */
  private static final Duration NEWS = Duration.ofSeconds(30);

  static WorkerStatus of(Json value) {
    Fields fields = Fields.of(value.isObject() ? value : null);
    String bare = value.text();
    String word = bare != null ? bare : fields.text("status", "");
    return new WorkerStatus(
        fields.text("task_id", ""),
        word.equalsIgnoreCase("COMPLETED") ? Status.COMPLETE : Status.find(word),
        Math.clamp(fields.number("progress_pct", -1), -1, 100),
        fields.time("last_heartbeat"));
  }

  /** The activity of an agent on the bus. */
  static WorkerStatus of(Member member, Ledger ledger, Instant heard) {
    String session = member.session();
    List<Task> tasks = session == null ? List.of() : ledger.tasks().of(session);
    Task task = tasks.isEmpty() ? null : tasks.getFirst();
    boolean waits = ledger.graph().waiting().contains(member.name());
    String named = member.task();
    Task said = named == null ? null : ledger.tasks().task(named);
    if (task == null && !waits && (named == null || (said != null && said.state().isOver()))) {
      return idle(member, said != null ? said : lastOf(member, ledger), heard);
    }
    int progress = task == null ? member.progress() : task.claim().progress();
    return new WorkerStatus(
        named != null ? named : task != null ? task.id() : "",
        waits ? Status.BLOCKED : member.status(),
        Math.max(0, progress),
        heard);
  }

  /** The status of an agent without a task. Conductor's only word for idle is COMPLETE. */
  private static WorkerStatus idle(Member member, @Nullable Task last, Instant heard) {
    boolean failed = last != null && last.state() == TaskState.FAILED;
    Status said = member.status() == Status.RUNNING ? Status.COMPLETE : member.status();
    return new WorkerStatus(
        last == null ? "" : last.id(),
        failed ? Status.FAILED : said,
        last == null ? Math.max(0, member.progress()) : Math.max(0, last.claim().progress()),
        heard);
  }

  /** The agent's last task; null if it had none. */
  private static @Nullable Task lastOf(Member member, Ledger ledger) {
    Task last = null;
    for (Task task : ledger.tasks().all()) {
      boolean own = member.name().equals(task.owner()) && task.state().isOver();
      last = own && (last == null || task.since().isAfter(last.since())) ? task : last;
    }
    return last;
  }

  /** Whether the last heartbeat is too long ago. A worker without heartbeats is never stale. */
  boolean isStale(Instant now, Duration staleAfter) {
    return heard != null && !now.isBefore(heard.plus(staleAfter));
  }

  Sessions.Beat beat() {
    return new Sessions.Beat(
        status, task.isEmpty() ? null : task, progress < 0 ? null : progress, null);
  }

  /** Whether this repeats an earlier status within a moment. */
  boolean isNoNewsAfter(WorkerStatus earlier) {
    return task.equals(earlier.task)
        && status == earlier.status
        && progress == earlier.progress
        && heard != null
        && earlier.heard != null
        && heard.isBefore(earlier.heard.plus(NEWS));
  }

  /** The JSON of this status. Members of the existing entry that we do not know are kept. */
  Json over(@Nullable Json before) {
    Map<String, Json> fields = new LinkedHashMap<>();
    if (before != null && before.isObject()) {
      fields.putAll(before.fields());
    }
    fields.put("task_id", Json.of(task));
    fields.put("status", Json.of(status == null ? "" : status.name()));
    fields.put("progress_pct", Json.of(progress));
    if (heard != null) {
      fields.put("last_heartbeat", Json.of(Timestamps.format(heard)));
    }
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return json.build();
  }
}

package dev.parley.orchestration.moderate;

import dev.parley.core.json.Json;
import dev.parley.orchestration.moderate.TaskProgress.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a project.
 *
 * @param forwarded the commit that the user's branch was moved to; null if it was left
 * @param remarks this process's remarks for people
 * @param state the folder with the files in Gear's layout
 */
public record ProjectReport(
    ProjectRecord record, @Nullable String forwarded, List<String> remarks, String state) {

  /** Whether all tasks were approved; the improvement does not count. */
  public boolean ok() {
    return record.phase() == ProjectPhase.COMPLETED;
  }

  /** Whether the project can be resumed. */
  public boolean isInterrupted() {
    return !record.phase().isOver();
  }

  public long completed() {
    return record.tasks().stream().filter(task -> task.state() == State.COMPLETED).count();
  }

  public Json json() {
    return json(record)
        .put("forwarded", forwarded)
        .put("remarks", Json.ofStrings(remarks))
        .put("state", state)
        .build();
  }

  /** The state of a project as JSON. */
  public static Json.ObjectBuilder json(ProjectRecord record) {
    List<TaskProgress> tasks = record.tasks();
    TaskProgress improvement = record.improvement();
    return Json.object()
        .put("project", record.project())
        .put("phase", record.phase().word())
        .put("why", record.why())
        .put("completed", tasks.stream().filter(task -> task.state() == State.COMPLETED).count())
        .put("tasks", Json.of(tasks.stream().map(StateFiles::json).toList()))
        .put("improvement", improvement == null ? Json.NULL : StateFiles.json(improvement))
        .put("branch", record.branch())
        .put("approvedBranch", record.approvedBranch());
  }
}

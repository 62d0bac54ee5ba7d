package dev.parley.orchestration.moderate;

import dev.parley.core.json.Json;
import dev.parley.orchestration.moderate.TaskProgress.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a project came to.
 *
 * @param forwarded the commit that the user's branch was brought to; null if it was left as it is
 * @param remarks what people should know, of this process
 * @param state the folder with what the original would have written
 */
public record ProjectReport(
    ProjectRecord record, @Nullable String forwarded, List<String> remarks, String state) {

  /** Whether all tasks were approved; the improvement does not count. */
  public boolean ok() {
    return record.phase() == Phase.COMPLETED;
  }

  /** Whether there is something to go on with. */
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

  /** How far a project is, for programs. */
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

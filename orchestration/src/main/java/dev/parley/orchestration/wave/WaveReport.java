package dev.parley.orchestration.wave;

import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.orchestration.plan.PlannedTask;
import dev.parley.orchestration.wave.TaskStatus.State;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run in waves.
 *
 * @param complete whether all tasks are finished
 * @param forwarded the commit that the user's branch was moved to; null if it was left
 * @param remarks remarks for people
 * @param kept worktrees that were not removed, with the reason
 */
public record WaveReport(
    WaveRecord record,
    boolean complete,
    @Nullable String forwarded,
    List<String> remarks,
    List<String> kept) {

  public List<TaskStatus> in(State state) {
    return record.tasks().stream().filter(task -> task.state() == state).toList();
  }

  /** Whether all planned tasks are merged. */
  public boolean ok() {
    return in(State.MERGED).size() == record.tasks().size();
  }

  public Json json() {
    return Json.object()
        .put("run", record.run())
        .put("complete", complete)
        .put("merged", in(State.MERGED).size())
        .put("failed", in(State.FAILED).size())
        .put("skipped", in(State.SKIPPED).size())
        .put("tasks", tasks(record))
        .put("mergedBranch", record.mergedBranch())
        .put("forwarded", forwarded)
        .put("remarks", Json.ofStrings(remarks))
        .put("kept", Json.ofStrings(kept))
        .build();
  }

  /** The state of all tasks as JSON. */
  public static Json tasks(WaveRecord record) {
    return Json.of(
        record.tasks().stream()
            .map(status -> {
              PlannedTask task = record.planned(status.number());
              WaveTaskProgress progress = record.progress(task);
              return Json.object()
                  .put("task", status.number())
                  .put("title", task.title())
                  .put("wave", status.wave())
                  .put("state", status.state().word())
                  .put("attempt", status.attempt())
                  .put("reruns", status.reruns())
                  .put("agent", progress.agent())
                  .put("iteration", progress.iteration())
                  .put("gate", progress.gate())
                  .put("begun", time(progress.began()))
                  .put("over", time(progress.over()))
                  .put("tokens", known(progress.usage().tokens()))
                  .put("costMicros", known(progress.usage().costMicros()))
                  .put("branch", status.branch())
                  .put("commit", status.commit())
                  .put("why", status.why())
                  .build();
            })
            .toList());
  }

  private static @Nullable String time(@Nullable Instant time) {
    return time == null ? null : Timestamps.format(time);
  }

  private static Json known(long number) {
    return number < 0 ? Json.NULL : Json.of(number);
  }
}

package dev.parley.cli.work;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.text.Explanation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why there is no task to claim, as three answers. After the first two an agent can end its turn;
 * after the third it can wait.
 */
final class NothingReady {
  static final String NO_TASKS = "no-tasks";
  static final String ALL_DONE = "all-done";
  static final String NOTHING_READY = "nothing-ready";

  private NothingReady() {}

  /** The reason; null if a task is ready. */
  static @Nullable ParleyException of(Tasks tasks) {
    List<Task> all = List.copyOf(tasks.all());
    String code =
        all.isEmpty()
            ? NO_TASKS
            : all.stream().allMatch(task -> task.state().isOver()) ? ALL_DONE : NOTHING_READY;
    return all.stream().anyMatch(task -> task.state() == TaskState.READY)
        ? null
        : new RefusedException(new Outcome.Refused(code, tasks.nothing(List.of())));
  }

  /** The refusal of {@code task next}, with the code of one of the three reasons. */
  static RefusedException of(Tasks tasks, RefusedException refused) {
    boolean nothing =
        refused.code().equals(NOTHING_READY) && Fields.of(refused.details()).number("open", 0) == 0;
    return nothing
        ? new RefusedException(
            new Outcome.Refused(
                List.copyOf(tasks.all()).isEmpty() ? NO_TASKS : ALL_DONE, refused.details()))
        : refused;
  }

  /** The last line of a list for programs, which is about no task. */
  static Json json(ParleyException nothing) {
    Explanation why = Explanation.of(nothing);
    return Json.object()
        .put("task", Json.NULL)
        .put("answer", nothing.code())
        .put("message", why.message())
        .put("next", why.next())
        .build();
  }
}

package dev.parley.orchestration.moderate;

import dev.parley.core.json.Json;
import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import dev.parley.orchestration.moderate.answer.AgentFailure;
import dev.parley.orchestration.moderate.answer.Answers;
import dev.parley.orchestration.moderate.answer.Feedback;
import dev.parley.orchestration.moderate.answer.Improvement;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.orchestration.moderate.answer.PullRequestSize;
import dev.parley.orchestration.moderate.answer.Review;
import java.time.LocalDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The payloads of the nine messages, with all fields of Gear's format. */
final class MessagePayloads {
  private MessagePayloads() {}

  static Json ready(String agent) {
    return Json.object().put("agent_id", agent).build();
  }

  static Json assigned(ProjectTask task) {
    return Json.object()
        .put("task_id", task.id())
        .put("description", task.description())
        .put("acceptance_criteria", Json.ofStrings(task.criteria()))
        .put("dependencies", Json.ofStrings(task.dependencies()))
        .put("estimated_hours", Answers.json(task.hours()))
        .build();
  }

  static Json requested(ProjectTask task) {
    Improvement improvement = Objects.requireNonNull(task.improvement());
    Json.ObjectBuilder json = Json.object().put("improvement_id", task.id());
    improvement.json().fields().forEach(json::put);
    return json.build();
  }

  static Json submitted(
      ProjectTask task, PullRequest request, PullRequestSize size, int iteration) {
    Json.ObjectBuilder json =
        Json.object()
            .put("task_id", task.id())
            .put("pr_url", request.url())
            .put("pr_number", request.number())
            .put("branch_name", request.branch())
            .put("files_changed", Json.ofStrings(size.files()))
            .put("files_added", size.added())
            .put("files_modified", size.modified())
            .put("lines_added", size.linesAdded())
            .put("lines_deleted", size.linesDeleted())
            .put("iteration", iteration)
            .put("base_commit", request.base())
            .put("head_commit", request.head());
    return (size.omitted() == 0 ? json : json.put("files_omitted", size.omitted())).build();
  }

  /** For pr_feedback and pr_approved. */
  static Json reviewed(TaskProgress task, Review review) {
    PullRequest request = Objects.requireNonNull(task.request());
    return Json.object()
        .put("task_id", task.task().id())
        .put("pr_number", request.number())
        .put("pr_url", request.url())
        .put("branch_name", request.branch())
        .put("iteration", task.iteration())
        .put("score", review.total())
        .put("approved", review.approved())
        .put("blocking_issues", Json.ofStrings(review.blocking()))
        .put("suggestions", Json.ofStrings(review.suggestions()))
        .put("feedback", Json.of(review.feedback().stream().map(Feedback::json).toList()))
        .put("criteria_scores", review.scoresJson())
        .build();
  }

  static Json completed(TaskProgress task, LocalDateTime now) {
    PullRequest request = Objects.requireNonNull(task.request());
    boolean improvement = task.task().improvement() != null;
    return Json.object()
        .put(improvement ? "improvement_id" : "task_id", task.task().id())
        .put("status", "completed")
        .put("pr_number", request.number())
        .put("final_score", task.score())
        .put("total_iterations", task.iteration())
        .put("approved", true)
        .put("completion_time", now.toString())
        .put("files_generated", Json.ofStrings(task.files()))
        .put("commit", request.head())
        .build();
  }

  /**
   * For agent_error.
   *
   * @param task null if the error concerns none
   */
  static Json error(AgentFailure trouble, @Nullable ProjectTask task) {
    return Json.object()
        .put("error_type", trouble.type())
        .put("error_message", trouble.message())
        .put("task_id", task == null ? null : task.id())
        .put("task_description", task == null ? null : task.title())
        .put("stack_trace", trouble.trace())
        .put("recoverable", trouble.recoverable())
        .put("context", trouble.context())
        .build();
  }
}

package dev.parley.orchestration.moderate;

import dev.parley.orchestration.moderate.answer.ProjectTask;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of a task.
 *
 * @param iteration the submissions since it was assigned
 * @param attempt counts its branches
 * @param message the id of the last message about it
 * @param work the last work on it; null before the first
 * @param request its pull request; null before the first submission
 * @param score of its last review; -1 before the first
 * @param blocking the blocking reasons of the last review
 * @param begun when it was assigned, by the message's time
 * @param ended when it was completed or failed
 * @param failedAt the state in which it failed; null if it has not
 * @param why why it failed
 */
public record TaskProgress(
    ProjectTask task,
    State state,
    int iteration,
    int attempt,
    String message,
    @Nullable Work work,
    @Nullable PullRequest request,
    int score,
    List<String> blocking,
    List<String> files,
    String begun,
    String ended,
    @Nullable State failedAt,
    String why) {
  /**
   * States, and the messages that lead to them.
   *
   * <pre>
   * pending ─task_assigned─▶ assigned ─pr_submitted─▶ submitted ─pr_approved─▶ approved ─task_completed─▶ completed
   *                                                    ▲     │
   *                                       pr_submitted │     │ pr_feedback
   *                                                    └─ returned ◀┘
   * assigned, returned, submitted ─agent_error─▶ failed ─resumed─▶ pending, or submitted if its review failed
   * </pre>
   */
  public enum State {
    PENDING,
    ASSIGNED,
    SUBMITTED,
    RETURNED,
    APPROVED,
    COMPLETED,
    FAILED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is assigned and not finished. */
    boolean isOpen() {
      return this == ASSIGNED || this == SUBMITTED || this == RETURNED || this == APPROVED;
    }

    /** Gear's name for the state. */
    String status() {
      return switch (this) {
        case PENDING -> "pending";
        case COMPLETED -> "completed";
        case FAILED -> "failed";
        default -> "running";
      };
    }
  }

  /**
   * The place where it is worked on.
   *
   * @param message the id of the message that started the work
   * @param start the commit it began on
   */
  public record Work(String message, String branch, String tree, String start) {}

  /**
   * A pull request on the bus, and possibly on GitHub.
   *
   * @param base the commit that the task began on
   * @param head the submitted commit
   */
  public record PullRequest(long number, String url, String branch, String base, String head) {}

  static TaskProgress pending(ProjectTask task) {
    return new TaskProgress(
        task, State.PENDING, 0, 0, "", null, null, -1, List.of(), List.of(), "", "", null, "");
  }

  TaskProgress assigned(String by, String at) {
    return new TaskProgress(
        task,
        State.ASSIGNED,
        0,
        attempt,
        by,
        null,
        null,
        -1,
        List.of(),
        List.of(),
        at,
        "",
        null,
        "");
  }

  TaskProgress working(Work on, int count) {
    return new TaskProgress(
        task, state, iteration, count, message, on, request, score, blocking, files, begun, ended,
        failedAt, why);
  }

  TaskProgress submitted(String by, PullRequest as, List<String> changed) {
    return new TaskProgress(
        task,
        State.SUBMITTED,
        iteration + 1,
        attempt,
        by,
        work,
        as,
        score,
        blocking,
        changed,
        begun,
        ended,
        null,
        "");
  }

  TaskProgress reviewed(State next, String by, int points, List<String> issues) {
    return new TaskProgress(
        task, next, iteration, attempt, by, work, request, points, issues, files, begun, ended,
        null, "");
  }

  TaskProgress completed(String by, String at) {
    return new TaskProgress(
        task,
        State.COMPLETED,
        iteration,
        attempt,
        by,
        work,
        request,
        score,
        blocking,
        files,
        begun,
        at,
        null,
        "");
  }

  TaskProgress failed(String by, String at, String reason, int points, List<String> issues) {
    return new TaskProgress(
        task,
        State.FAILED,
        iteration,
        attempt,
        by,
        work,
        request,
        points,
        issues,
        files,
        begun,
        at,
        state,
        reason);
  }

  /** The task after its failure is taken up again. */
  TaskProgress again(State next) {
    TaskProgress anew = next == State.PENDING ? assigned(message, begun) : this;
    return new TaskProgress(
        task,
        next,
        anew.iteration,
        attempt,
        message,
        anew.work,
        anew.request,
        anew.score,
        anew.blocking,
        anew.files,
        begun,
        "",
        null,
        "");
  }
}

package dev.parley.orchestration.moderate;

import dev.parley.core.json.Json;
import dev.parley.dialects.gear.MessageType;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
import dev.parley.orchestration.ask.ParsedAnswer;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import dev.parley.orchestration.moderate.answer.AgentFailure;
import dev.parley.orchestration.moderate.answer.Improvement;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.orchestration.moderate.answer.Review;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits the requirements, assigns tasks, reviews submissions, and looks for improvements. The
 * reviewer's answer is input; whether something is approved is computed from it.
 */
final class Moderator {
  private static final String DECOMPOSE = "decompose";
  private static final String REVIEW = "review";
  private static final String IMPROVE = "improve";

  private final Run run;
  private final Git git;
  private final ProjectRecord record;
  private final Messenger messenger;
  private final ProjectNames names;
  private final ReviewWorktree tree;

  Moderator(
      Run run,
      Git git,
      ProjectRecord record,
      Messenger messenger,
      ProjectNames names,
      ReviewWorktree tree) {
    this.run = run;
    this.git = git;
    this.record = record;
    this.messenger = messenger;
    this.names = names;
    this.tree = tree;
  }

  /** The commit with everything approved so far. */
  String tip() {
    String tip = git.commit("refs/heads/" + record.approvedBranch());
    return tip == null ? record.base() : tip;
  }

  void decompose() throws InterruptedException {
    ModerateSettings settings = record.settings();
    String prompt =
        ModeratePrompts.decompose(record.requirements(), settings.tasks(), record.round());
    ParsedAnswer<List<ProjectTask>> reply =
        ask(
            DECOMPOSE,
            prompt,
            tree.at(tip()),
            settings.respond(),
            text -> ProjectTask.read(text, record.project(), settings.tasks()));
    List<ProjectTask> tasks = reply.value();
    if (tasks == null) {
      if (reply.answer().status() != Answer.Status.STOPPED) {
        error(AgentFailure.of(reply.answer(), DECOMPOSE, reply.reason()), null);
      }
      return;
    }
    messenger.say(
        ModerateTypes.TASKS,
        Json.object()
            .put("tasks", Json.of(tasks.stream().map(ProjectTask::json).toList()))
            .build());
  }

  private <T> ParsedAnswer<T> ask(
      String stage, String prompt, Git folder, Duration limit, ParsedAnswer.Reader<T> reader)
      throws InterruptedException {
    Ask ask =
        new Ask(
            record.settings().reviewer(),
            stage,
            prompt,
            folder.folder(),
            Map.of("PARLEY_AGENT", names.moderator()),
            limit);
    return ParsedAnswer.to(run, ask, reader);
  }

  void assign(TaskProgress task) {
    boolean improvement = task.task().improvement() != null;
    messenger.send(
        improvement ? MessageType.IMPROVEMENT_REQUESTED : MessageType.TASK_ASSIGNED,
        names.moderator(),
        names.techlead(),
        improvement
            ? MessagePayloads.requested(task.task())
            : MessagePayloads.assigned(task.task()),
        task.task().correlation());
  }

  void review(TaskProgress task) throws IOException, InterruptedException {
    PullRequest request = Objects.requireNonNull(task.request());
    long begun = System.nanoTime();
    List<Evidence> gates = tree.gates(task.task().id(), task.iteration(), request.head());
    if (run.isStopped()) {
      return;
    }
    Git checkout = tree.at(request.head());
    String diff = git.run("diff", "--no-color", "--no-ext-diff", request.base(), request.head());
    String prompt = ModeratePrompts.review(record, task, diff, gates);
    Duration left = record.settings().respond().minusNanos(System.nanoTime() - begun);
    if (left.isNegative() || left.isZero()) {
      error(tooLate(), task.task());
      return;
    }
    ParsedAnswer<Review> reply =
        ask(REVIEW, prompt, checkout, left, text -> Review.read(text, task.task(), gates));
    Review review = reply.value();
    if (review != null) {
      decide(task, review);
    } else if (reply.answer().status() != Answer.Status.STOPPED) {
      error(AgentFailure.of(reply.answer(), REVIEW, reply.reason()), task.task());
    }
  }

  private AgentFailure tooLate() {
    return AgentFailure.of(
        AgentFailure.NO_RESPONSE,
        names.moderator()
            + " did not answer within "
            + record.settings().respond().toSeconds()
            + " s",
        true,
        Json.object().put("stage", REVIEW).build());
  }

  private void decide(TaskProgress task, Review review) {
    if (review.approved()) {
      answer(MessageType.PR_APPROVED, task, review);
    } else if (task.iteration() < record.settings().reviews()) {
      answer(MessageType.PR_FEEDBACK, task, review);
    } else {
      String why =
          "not approved after " + task.iteration() + " reviews: " + review.total() + " of 100";
      String blocked =
          review.blocking().isEmpty() ? "" : "; " + String.join("; ", review.blocking());
      error(
          AgentFailure.of(
              ProjectRecord.REJECTED, why + blocked, true, MessagePayloads.reviewed(task, review)),
          task.task());
    }
  }

  private void answer(MessageType type, TaskProgress task, Review review) {
    messenger.send(
        type,
        names.moderator(),
        names.techlead(),
        MessagePayloads.reviewed(task, review),
        task.task().correlation());
  }

  /** Puts an approved change on top of those approved before. */
  void complete(TaskProgress task) {
    PullRequest request = Objects.requireNonNull(task.request());
    String branch = "refs/heads/" + record.approvedBranch();
    String tip = git.commit(branch);
    if (!request.head().equals(tip)) {
      // From here on the change is part of the result, even if this process is killed.
      var _ = git.run("update-ref", branch, request.head(), tip == null ? "" : tip);
    }
    messenger.send(
        task.task().improvement() == null
            ? MessageType.TASK_COMPLETED
            : MessageType.IMPROVEMENT_COMPLETED,
        names.moderator(),
        names.techlead(),
        MessagePayloads.completed(task, Messenger.now()),
        task.task().correlation());
  }

  /** Finds improvements. The project does not fail if that fails. */
  void improve() throws InterruptedException {
    ParsedAnswer<List<Improvement>> reply =
        ask(
            IMPROVE,
            ModeratePrompts.improvements(record),
            tree.at(tip()),
            record.settings().respond(),
            Improvement::read);
    List<Improvement> found = reply.value();
    if (found == null && reply.answer().status() == Answer.Status.STOPPED) {
      return;
    }
    if (found == null) {
      noImprovement(reply.reason());
    } else {
      found(found);
    }
  }

  void noImprovement(String why) {
    messenger.remark("no improvement was made: " + why);
    found(List.of());
  }

  private void found(List<Improvement> improvements) {
    messenger.say(
        ModerateTypes.IMPROVEMENTS,
        Json.object()
            .put("found", Json.of(improvements.stream().map(Improvement::json).toList()))
            .build());
  }

  /** Sends an error to the tech lead, or to the orchestrator if it concerns no task. */
  void error(AgentFailure trouble, @Nullable ProjectTask task) {
    messenger.send(
        MessageType.AGENT_ERROR,
        names.moderator(),
        task == null ? ProjectNames.ORCHESTRATOR : names.techlead(),
        MessagePayloads.error(trouble, task),
        task == null ? null : task.correlation());
  }
}

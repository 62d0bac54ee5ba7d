package dev.parley.orchestration.moderate;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.MessageType;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.ask.RunTypes;
import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import dev.parley.orchestration.moderate.TaskProgress.State;
import dev.parley.orchestration.moderate.TaskProgress.Work;
import dev.parley.orchestration.moderate.answer.Improvement;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a project in the log: a function of its parameters and the lines of its topic. The
 * next step follows from it: {@link #next}.
 *
 * <p>Not safe for use by several threads.
 */
public final class ProjectRecord {
  /** The type of a failure that a retry would not mend: the task begins anew. */
  static final String REJECTED = "review_rejected";

  private final String project;
  private final String requirements;
  private final String branch;
  private final String base;
  private final ModerateSettings settings;
  private final Map<String, TaskProgress> tasks = new LinkedHashMap<>();
  private final Map<String, String> sessions = new LinkedHashMap<>();
  private final List<AgentMessage> messages = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private List<Improvement> improvements = List.of();
  private ProjectPhase phase = ProjectPhase.INITIALIZING;
  private String why = "";
  private boolean improvementsLookedFor;
  private boolean confirmed;
  private boolean failing;
  private int round = 1;
  private long lastRequest;

  private ProjectRecord(String project, Fields parameters) {
    this.project = project;
    this.requirements = parameters.text("requirements", "");
    this.branch = parameters.text("branch", "");
    this.base = parameters.text("base", "");
    this.settings = ModerateSettings.load(parameters.object("settings"));
  }

  /** The steps of a project. */
  enum Step {
    READY,
    DECOMPOSE,
    CONFIRM,
    ASSIGN,
    WORK,
    REVIEW,
    COMPLETE_TASK,
    FAIL,
    BEGIN_IMPROVING,
    FIND_IMPROVEMENT,
    COMPLETE,
    NOTHING
  }

  static Json parameters(
      String requirements, String branch, String base, ModerateSettings settings) {
    return Json.object()
        .put("requirements", requirements)
        .put("branch", branch)
        .put("base", base)
        .put("settings", settings.save())
        .build();
  }

  /** Reads the state of a project from the log. */
  public static ProjectRecord of(Log log, RunRecord run) {
    ProjectRecord record = new ProjectRecord(run.id(), Fields.of(run.parameters()));
    WholeTopic.forEach(log, new Topic("runs." + run.id()), record::apply);
    return record;
  }

  static ProjectRecord begin(String project, Json parameters) {
    return new ProjectRecord(project, Fields.of(parameters));
  }

  private void apply(Envelope envelope) {
    if (envelope.isNative()) {
      apply(envelope.type(), envelope.payload());
    }
  }

  void apply(String type, Json payload) {
    Fields fields = Fields.of(payload);
    switch (type) {
      case RunTypes.RESUME -> resumed();
      case ModerateTypes.SESSION ->
          sessions.put(fields.text("session", ""), fields.text("agent", ""));
      case ModerateTypes.REMARK -> remarks.add(fields.text("text", ""));
      case ModerateTypes.PHASE -> phase(fields);
      case ModerateTypes.TASKS ->
          fields.objects("tasks").stream().map(ProjectTask::load).forEach(this::add);
      case ModerateTypes.IMPROVEMENTS -> {
        improvementsLookedFor = true;
        improvements = fields.objects("found").stream().map(Improvement::load).toList();
        if (!improvements.isEmpty()) {
          add(ProjectTask.of(project, improvements.getFirst()));
        }
      }
      case ModerateTypes.WORK -> {
        TaskProgress task = tasks.get(fields.text("task", ""));
        if (task != null) {
          Work work =
              new Work(
                  fields.text("message", ""),
                  fields.text("branch", ""),
                  fields.text("tree", ""),
                  fields.text("start", ""));
          put(task.working(work, (int) fields.number("attempt", 0)));
        }
      }
      case ModerateTypes.MESSAGE -> message(fields.json("message"));
      default -> {}
    }
  }

  private void add(ProjectTask task) {
    tasks.putIfAbsent(task.id(), TaskProgress.pending(task));
  }

  private void put(TaskProgress task) {
    tasks.put(task.task().id(), task);
  }

  private void phase(Fields fields) {
    ProjectPhase next = ProjectPhase.of(fields.text("phase", ""));
    if (next != null) {
      phase = next;
      why = fields.text("why", "");
      confirmed |= next == ProjectPhase.EXECUTING;
    }
  }

  /** Takes up failed tasks again. A project that was only interrupted just continues. */
  private void resumed() {
    if (phase == ProjectPhase.COMPLETED
        || !(phase == ProjectPhase.FAILED || phase == ProjectPhase.CANCELLED || failing)) {
      return;
    }
    round++;
    failing = false;
    why = "";
    for (TaskProgress task : List.copyOf(tasks.values())) {
      if (task.state() == State.FAILED && task.task().improvement() == null) {
        boolean review = task.failedAt() == State.SUBMITTED && !isRejected(task);
        put(task.again(review ? State.SUBMITTED : State.PENDING));
      }
    }
    phase = confirmed ? ProjectPhase.EXECUTING : ProjectPhase.DECOMPOSING;
  }

  private boolean isRejected(TaskProgress task) {
    return messages.stream()
        .filter(message -> message.messageId().equals(task.message()))
        .anyMatch(message -> REJECTED.equals(message.text("error_type")));
  }

  private void message(@Nullable Json json) {
    AgentMessage message;
    try {
      message = AgentMessage.parse(json == null ? Json.NULL : json);
    } catch (JsonException e) {
      return;
    }
    messages.add(message);
    MessageType type = MessageType.find(message.messageType());
    Fields payload = Fields.of(message.payload());
    TaskProgress task = tasks.get(payload.text("task_id", payload.text("improvement_id", "")));
    if (type == MessageType.AGENT_ERROR && (task == null || task.task().improvement() == null)) {
      failing = true;
      why = payload.text("error_message", "");
    }
    if (type == null || task == null) {
      return;
    }
    String id = message.messageId();
    switch (type) {
      case TASK_ASSIGNED, IMPROVEMENT_REQUESTED -> put(task.assigned(id, message.timestamp()));
      case PR_SUBMITTED -> {
        long number = payload.number("pr_number", 0);
        lastRequest = Math.max(lastRequest, number);
        PullRequest request =
            new PullRequest(
                number,
                payload.text("pr_url", ""),
                payload.text("branch_name", ""),
                payload.text("base_commit", ""),
                payload.text("head_commit", ""));
        put(task.submitted(id, request, payload.texts("files_changed")));
      }
      case PR_FEEDBACK, PR_APPROVED ->
          put(
              task.reviewed(
                  type == MessageType.PR_APPROVED ? State.APPROVED : State.RETURNED,
                  id,
                  (int) payload.number("score", -1),
                  payload.texts("blocking_issues")));
      case TASK_COMPLETED, IMPROVEMENT_COMPLETED -> put(task.completed(id, message.timestamp()));
      case AGENT_ERROR -> {
        Fields context = payload.object("context");
        put(
            task.failed(
                id,
                message.timestamp(),
                payload.text("error_message", ""),
                (int) context.number("score", task.score()),
                context.json("blocking_issues") == null
                    ? task.blocking()
                    : context.texts("blocking_issues")));
      }
      case AGENT_READY -> {}
    }
  }

  /** The next step, and its task. */
  record Next(Step step, @Nullable TaskProgress task) {}

  Next next() {
    return switch (phase) {
      case INITIALIZING -> new Next(Step.READY, null);
      case DECOMPOSING ->
          failing
              ? new Next(Step.FAIL, null)
              : new Next(tasks.isEmpty() ? Step.DECOMPOSE : Step.CONFIRM, null);
      case EXECUTING -> executing();
      case IMPROVING -> improving();
      case COMPLETED, FAILED, CANCELLED -> new Next(Step.NOTHING, null);
    };
  }

  private Next executing() {
    for (TaskProgress task : tasks.values()) {
      if (task.state() == State.FAILED || failing) {
        return new Next(Step.FAIL, task);
      }
      if (task.state() != State.COMPLETED) {
        return of(task);
      }
    }
    return new Next(settings.improve() ? Step.BEGIN_IMPROVING : Step.COMPLETE, null);
  }

  private Next improving() {
    TaskProgress improvement = improvement();
    if (improvement == null) {
      return new Next(improvementsLookedFor ? Step.COMPLETE : Step.FIND_IMPROVEMENT, null);
    }
    boolean over = improvement.state() == State.COMPLETED || improvement.state() == State.FAILED;
    return over ? new Next(Step.COMPLETE, null) : of(improvement);
  }

  private static Next of(TaskProgress task) {
    return switch (task.state()) {
      case PENDING -> new Next(Step.ASSIGN, task);
      case ASSIGNED, RETURNED -> new Next(Step.WORK, task);
      case SUBMITTED -> new Next(Step.REVIEW, task);
      case APPROVED -> new Next(Step.COMPLETE_TASK, task);
      case COMPLETED, FAILED -> new Next(Step.NOTHING, task);
    };
  }

  /** The improvement at the end; null if there is none. */
  public @Nullable TaskProgress improvement() {
    return tasks.values().stream()
        .filter(task -> task.task().improvement() != null)
        .findFirst()
        .orElse(null);
  }

  /** The project's name, which is the run's id. */
  public String project() {
    return project;
  }

  public String requirements() {
    return requirements;
  }

  /** The user's branch at the beginning. */
  public String branch() {
    return branch;
  }

  public String base() {
    return base;
  }

  public ModerateSettings settings() {
    return settings;
  }

  public ProjectPhase phase() {
    return phase;
  }

  /** Why it failed or was cancelled; empty otherwise. */
  public String why() {
    return why;
  }

  /** Whether there is an agent's error that has not ended the project yet. */
  boolean isFailing() {
    return failing;
  }

  /** How often it was begun or resumed after a failure; part of the prompts. */
  int round() {
    return round;
  }

  /** The tasks in order, without the improvement. */
  public List<TaskProgress> tasks() {
    return tasks.values().stream().filter(task -> task.task().improvement() == null).toList();
  }

  /** The tasks in order, and the improvement. */
  List<TaskProgress> all() {
    return List.copyOf(tasks.values());
  }

  /** The current state of a task or of the improvement. */
  TaskProgress task(String id) {
    TaskProgress task = tasks.get(id);
    if (task == null) {
      throw new IllegalArgumentException("no task " + id);
    }
    return task;
  }

  public List<Improvement> improvements() {
    return improvements;
  }

  /** All messages, oldest first. */
  public List<AgentMessage> messages() {
    return List.copyOf(messages);
  }

  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** The names of its agents' sessions, by session id. */
  Map<String, String> sessions() {
    return Map.copyOf(sessions);
  }

  /** The number of the next pull request. */
  long nextRequest() {
    return lastRequest + 1;
  }

  /** The branch with everything approved. */
  public String approvedBranch() {
    return "moderator/" + project + "/approved";
  }
}

package dev.parley.orchestration.moderate;

import dev.parley.coordination.ledger.Session;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.gear.MessageType;
import dev.parley.orchestration.ask.JoinedSession;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Exclusions;
import dev.parley.orchestration.git.FastForward;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.loop.Loop;
import dev.parley.orchestration.moderate.answer.AgentFailure;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a project step by step.
 *
 * <pre>
 * the log ──fold──▶ {@link ProjectRecord} ──next──▶ a step ──▶ a line in the log ──▶ …
 * </pre>
 *
 * <p>The moderator or the tech lead does a step, which ends with a line, usually a message to the
 * other one. After a crash, {@link #resume} repeats the step whose line is missing, with the
 * answers that are on the bus.
 */
public final class ProjectRunner {
  public static final String KIND = "moderate";

  private final Run run;
  private final Git git;
  private final ProjectRecord record;
  private final TaskConfirmation confirmation;
  private final StateFiles files;
  private final Messenger messenger;
  private final ReviewWorktree tree;
  private final int remarksBefore;
  private final Set<String> left = new HashSet<>();

  private ProjectRunner(Run run, Git git, ProjectRecord record, TaskConfirmation confirmation) {
    this.run = run;
    this.git = git;
    this.record = record;
    this.confirmation = confirmation;
    this.files = new StateFiles(git.folder(), run.id());
    this.messenger = new Messenger(run, record, files);
    this.tree = new ReviewWorktree(run, git, record.settings());
    this.remarksBefore = record.remarks().size();
  }

  /**
   * Carries out a project from its beginning.
   *
   * @param began receives the run, so that it can be stopped
   * @throws ParleyException REFUSED if the tree is dirty, detached or on main
   */
  public static ProjectReport begin(
      RunContext context,
      Git git,
      String requirements,
      ModerateSettings settings,
      RunLimits limits,
      TaskConfirmation confirmation,
      Consumer<Run> began)
      throws IOException, InterruptedException {
    TreeState state = check(git, requirements, settings.allowMain());
    if (settings.github()) {
      GitHub.check(git, context.environment());
    }
    Json parameters =
        ProjectRecord.parameters(
            requirements, String.valueOf(state.branch()), String.valueOf(state.head()), settings);
    try (Run run = Run.begin(context, KIND, parameters, limits)) {
      began.accept(run);
      ProjectRecord record = ProjectRecord.begin(run.id(), parameters);
      return new ProjectRunner(run, git, record, confirmation).carryOut();
    }
  }

  /** Checks the conditions for a project. */
  public static TreeState check(Git git, String requirements, boolean allowMain)
      throws IOException {
    if (requirements.isBlank()) {
      throw ParleyException.invalid(
          "no-requirements",
          "The requirements are empty.",
          "Say what is wanted: --requirements <file>.");
    }
    Exclusions.ensure(git);
    return Loop.check(git, allowMain);
  }

  /** Resumes a project that was stopped, was killed or has failed. */
  public static ProjectReport resume(
      RunContext context,
      Git git,
      String id,
      RunLimits limits,
      TaskConfirmation confirmation,
      Consumer<Run> began)
      throws IOException, InterruptedException {
    RunRecord known = RunRecord.named(context.log(), id);
    if (!known.kind().equals(KIND)) {
      throw ParleyException.refused(
          "other-run",
          "The run "
              + known.id()
              + " is not a moderated project; its kind is "
              + known.kind()
              + ".",
          "parley runs list shows what there is.");
    }
    try (Run run = Run.resume(context, known.id(), limits)) {
      began.accept(run);
      ProjectRecord record =
          ProjectRecord.of(context.log(), RunRecord.named(context.log(), known.id()));
      record
          .sessions()
          .forEach((session, agent) ->
              context.team().sessions().end(agent, session, "its run was killed"));
      ProjectRunner runner = new ProjectRunner(run, git, record, confirmation);
      runner.messenger.deliverLast();
      runner.files.logs(record);
      return runner.carryOut();
    }
  }

  private ProjectReport carryOut() throws IOException, InterruptedException {
    Session moderator = JoinedSession.of(run, "moderator", ModerateTypes.SESSION);
    Session techlead = null;
    try {
      techlead = JoinedSession.of(run, "techlead", ModerateTypes.SESSION);
      ProjectNames names = new ProjectNames(moderator.name(), techlead.name());
      Moderator reviewing = new Moderator(run, git, record, messenger, names, tree);
      PullRequests requests =
          record.settings().github()
              ? new GitHub(run, git, record)
              : PullRequests.onTheBus(record.project());
      TechLead working = new TechLead(run, git, record, messenger, names, techlead, requests);
      ProjectRecord.Next next = record.next();
      while (next.step() != ProjectRecord.Step.NOTHING && !run.isStopped()) {
        attempt(next, names, reviewing, working);
        next = record.next();
      }
      return finish(reviewing.tip(), working);
    } finally {
      run.context().team().sessions().leave(moderator, "its project is over");
      if (techlead != null) {
        run.context().team().sessions().leave(techlead, "its project is over");
      }
    }
  }

  /** Does a step. An exception becomes an error of the step's agent. */
  private void attempt(
      ProjectRecord.Next next, ProjectNames names, Moderator moderator, TechLead techlead)
      throws IOException, InterruptedException {
    try {
      step(next, names, moderator, techlead);
    } catch (ParleyException e) {
      TaskProgress task = next.task();
      if (run.isStopped()) {
        return;
      }
      switch (next.step()) {
        case WORK ->
            techlead.error(AgentFailure.of(e, Objects.requireNonNull(task).message()), task.task());
        case DECOMPOSE -> moderator.error(AgentFailure.of(e, ""), null);
        case FIND_IMPROVEMENT -> moderator.noImprovement(Explanation.of(e).message());
        case REVIEW, COMPLETE_TASK ->
            moderator.error(
                AgentFailure.of(e, Objects.requireNonNull(task).message()), task.task());
        default -> throw e;
      }
    }
  }

  private void step(
      ProjectRecord.Next next, ProjectNames names, Moderator moderator, TechLead techlead)
      throws IOException, InterruptedException {
    TaskProgress task = next.task();
    switch (next.step()) {
      case READY -> ready(names);
      case DECOMPOSE -> moderator.decompose();
      case CONFIRM -> confirm();
      case ASSIGN -> moderator.assign(Objects.requireNonNull(task));
      case WORK -> techlead.work(Objects.requireNonNull(task), moderator.tip());
      case REVIEW -> moderator.review(Objects.requireNonNull(task));
      case COMPLETE_TASK -> complete(moderator, techlead, Objects.requireNonNull(task));
      case FAIL -> phase(ProjectPhase.FAILED, record.why());
      case BEGIN_IMPROVING -> phase(ProjectPhase.IMPROVING, "");
      case FIND_IMPROVEMENT -> moderator.improve();
      case COMPLETE -> completeProject();
      case NOTHING -> {}
    }
  }

  private void phase(ProjectPhase phase, String why) {
    messenger.say(
        ModerateTypes.PHASE, Json.object().put("phase", phase.word()).put("why", why).build());
    run.tell("project " + phase.word() + (why.isEmpty() ? "" : ": " + why));
  }

  private void ready(ProjectNames names) {
    for (String name : List.of(names.moderator(), names.techlead())) {
      boolean said =
          record.messages().stream()
              .anyMatch(message ->
                  message.is(MessageType.AGENT_READY) && message.fromAgent().equals(name));
      if (!said) {
        messenger.send(
            MessageType.AGENT_READY,
            name,
            ProjectNames.ORCHESTRATOR,
            MessagePayloads.ready(name),
            null);
      }
    }
    phase(ProjectPhase.DECOMPOSING, "");
  }

  private void confirm() {
    List<ProjectTask> tasks = record.tasks().stream().map(TaskProgress::task).toList();
    if (confirmation.confirms(tasks)) {
      phase(ProjectPhase.EXECUTING, "");
    } else if (!run.isStopped()) {
      phase(ProjectPhase.CANCELLED, "the tasks were not confirmed");
    }
  }

  private void complete(Moderator moderator, TechLead techlead, TaskProgress task)
      throws InterruptedException {
    moderator.complete(task);
    leave(techlead, task);
    files.artifacts(git, task, Objects.requireNonNull(task.request()).head());
  }

  /** Cleans up after a finished task, once. A failure is only reported. */
  private void leave(TechLead techlead, TaskProgress task) throws InterruptedException {
    if (!left.add(task.task().id())) {
      return;
    }
    try {
      techlead.leave(task);
    } catch (ParleyException | IOException e) {
      messenger.remark(task.task().id() + ": its worktree is kept: " + Explanation.messageOf(e));
    }
  }

  private void completeProject() {
    TaskProgress improvement = record.improvement();
    if (improvement != null && improvement.state() == TaskProgress.State.FAILED) {
      messenger.remark("the improvement failed: " + improvement.why());
    }
    phase(ProjectPhase.COMPLETED, "");
  }

  private ProjectReport finish(String tip, TechLead techlead)
      throws IOException, InterruptedException {
    ProjectPhase phase = record.phase();
    if (phase.isOver()) {
      for (TaskProgress task : record.all()) {
        leave(techlead, task);
      }
    }
    String forwarded = phase == ProjectPhase.COMPLETED ? forward(tip) : null;
    if (phase.isOver()) {
      tree.close(tip);
    }
    if (!files.trouble().isEmpty()) {
      messenger.remark(files.trouble());
    }
    ProjectReport report =
        new ProjectReport(
            record,
            forwarded,
            record.remarks().subList(remarksBefore, record.remarks().size()),
            files.state().toString());
    if (phase == ProjectPhase.COMPLETED) {
      run.end("complete", report.json());
    } else if (phase.isOver()) {
      run.end(phase.word(), report.json());
    }
    return report;
  }

  /** Moves the user's branch to the approved commit if it has not moved and its tree is clean. */
  private @Nullable String forward(String tip) {
    if (tip.equals(record.base()) || FastForward.to(git, record.branch(), tip)) {
      return tip;
    }
    messenger.remark(
        "the branch "
            + record.branch()
            + " is left as it is, because it is not clean or has moved; merge by hand: git merge "
            + record.approvedBranch());
    return null;
  }
}

package dev.parley.orchestration.moderate;

import dev.parley.coordination.ledger.Session;
import dev.parley.core.json.Json;
import dev.parley.dialects.gear.MessageType;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.loop.BusWorkers;
import dev.parley.orchestration.loop.Loop;
import dev.parley.orchestration.loop.LoopResult;
import dev.parley.orchestration.loop.LoopSettings;
import dev.parley.orchestration.loop.TreeCommands;
import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import dev.parley.orchestration.moderate.TaskProgress.Work;
import dev.parley.orchestration.moderate.answer.AgentFailure;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.orchestration.moderate.answer.PullRequestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Does tasks, each with a loop in a worktree and on a branch of its own, and submits the work that
 * passed the gates.
 *
 * <pre>
 * task_assigned, improvement_requested  a new worktree on what is approved by now
 * pr_feedback                           the same worktree, if it is as it was left
 * either, a second time                 the work was interrupted: what is there is saved, and it
 *                                       begins anew in another worktree
 * </pre>
 */
final class TechLead {
  private static final int MOST_ATTEMPTS = 1_000;

  /** Of the only worktree in which it works at a time. */
  private static final int SLOT = TreeCommands.COMMON_SLOT + 1;

  private final Run run;
  private final Git git;
  private final ProjectRecord record;
  private final Messenger messenger;
  private final ProjectNames names;
  private final Session session;
  private final PullRequests requests;

  TechLead(
      Run run,
      Git git,
      ProjectRecord record,
      Messenger messenger,
      ProjectNames names,
      Session session,
      PullRequests requests) {
    this.run = run;
    this.git = git;
    this.record = record;
    this.messenger = messenger;
    this.names = names;
    this.session = session;
    this.requests = requests;
  }

  /** Answers the last message about a task with a submission or an error. */
  void work(TaskProgress task, String tip) throws IOException, InterruptedException {
    Work before = task.work();
    boolean interrupted = false;
    if (before != null && before.message().equals(task.message())) {
      interrupted = true;
      setAside(before.tree());
    }
    PullRequest request = task.request();
    String start = request == null ? tip : request.head();
    Git tree = interrupted || request == null ? null : lastTree(before, request);
    TaskProgress now = tree == null ? begin(task, start) : goOn(task, tree, start);
    if (tree == null) {
      tree = new Git(Path.of(String.valueOf(workOf(now).tree())));
      if (!setUp(now, tree)) {
        return;
      }
    }
    LoopResult result =
        Loop.run(
            run,
            settings(now, ModeratePrompts.task(record, now, interrupted)),
            new BusWorkers(run.context().team(), session, run.id(), variables()),
            tree);
    result.remarks().forEach(text -> messenger.remark(task.task().id() + ": " + text));
    if (run.isStopped() && !result.done()) {
      return;
    }
    String head = result.commit();
    if (!result.done() || head == null) {
      error(trouble(result), now.task());
    } else if (!git.isAncestor(start, head)) {
      String why = "the branch no longer continues from " + start;
      error(AgentFailure.of(AgentFailure.EXECUTION, why, true, Json.EMPTY_OBJECT), now.task());
    } else {
      submit(now, start, head);
    }
  }

  private static Work workOf(TaskProgress task) {
    Work work = task.work();
    if (work == null) {
      throw new IllegalStateException("no work on " + task.task().id());
    }
    return work;
  }

  /** The worktree of the previous submission, if nobody has touched it since. */
  private static @Nullable Git lastTree(@Nullable Work before, PullRequest request) {
    if (before == null || !Files.isDirectory(Path.of(before.tree()))) {
      return null;
    }
    Git tree = new Git(Path.of(before.tree()));
    if (!tree.attempt("rev-parse", "HEAD").ok()) {
      return null;
    }
    TreeState state = TreeState.of(tree);
    boolean same =
        state.isClean()
            && request.head().equals(state.head())
            && before.branch().equals(state.branch());
    return same ? tree : null;
  }

  /** Creates an unused worktree and branch. */
  private TaskProgress begin(TaskProgress task, String start) {
    for (int attempt = task.attempt() + 1; attempt < MOST_ATTEMPTS; attempt++) {
      String name = task.task().path() + (attempt == 1 ? "" : "-" + attempt);
      Path path = git.folder().resolve(".worktrees").resolve(name);
      String branch = "moderator/" + record.project() + "/" + name;
      if (!Files.exists(path) && git.commit("refs/heads/" + branch) == null) {
        say(task, attempt, new Work(task.message(), branch, path.toString(), start));
        var _ = new Worktrees(git).add(path, branch, start);
        return record.task(task.task().id());
      }
    }
    throw new IllegalStateException("too many attempts at " + task.task().id());
  }

  private TaskProgress goOn(TaskProgress task, Git tree, String start) {
    Work before = workOf(task);
    say(
        task,
        task.attempt(),
        new Work(task.message(), before.branch(), tree.folder().toString(), start));
    return record.task(task.task().id());
  }

  private void say(TaskProgress task, int attempt, Work work) {
    messenger.say(
        ModerateTypes.WORK,
        Json.object()
            .put("task", task.task().id())
            .put("attempt", attempt)
            .put("message", work.message())
            .put("branch", work.branch())
            .put("tree", work.tree())
            .put("start", work.start())
            .build());
  }

  private boolean setUp(TaskProgress task, Git tree) throws IOException, InterruptedException {
    Evidence ready = record.settings().commands(run).prepare(tree, SLOT);
    if (ready == null || ready.passed()) {
      return true;
    }
    if (!run.isStopped()) {
      error(
          AgentFailure.of(
              AgentFailure.EXECUTION,
              ready.summary(),
              false,
              Json.object().put("command", ready.command()).build()),
          task.task());
    }
    return false;
  }

  private Map<String, String> variables() throws IOException {
    Map<String, String> variables = new HashMap<>(TreeCommands.variables(run, SLOT));
    variables.put("PARLEY_AGENT", session.name());
    variables.put("PARLEY_SESSION", session.token());
    variables.put("PARLEY_BULLETIN", run.id());
    return variables;
  }

  private LoopSettings settings(TaskProgress task, String prompt) {
    ModerateSettings settings = record.settings();
    Duration all = settings.times().all();
    Duration within = all.compareTo(settings.respond()) < 0 ? all : settings.respond();
    return new LoopSettings(
        task.task().id(),
        prompt,
        settings.agent(),
        settings.reviewer(),
        settings.iterations(),
        settings.stuck(),
        new LoopSettings.Times(
            settings.times().implement(), settings.times().test(), settings.times().spec(), within),
        new LoopSettings.Checks(false, false, true, true),
        settings.gates(),
        settings.cap());
  }

  /** The trouble of a failed loop. */
  private AgentFailure trouble(LoopResult result) {
    Evidence last = result.evidence().isEmpty() ? null : result.evidence().getLast();
    String unanswered =
        last != null && last.gate().equals("implement") && !last.passed() ? last.why() : "";
    boolean silent = !unanswered.isEmpty();
    Json context =
        Json.object()
            .put("agent", record.settings().agent())
            .put("outcome", result.outcome().word())
            .put("iterations", result.iterations())
            .put("gate", last == null ? null : last.gate())
            .put("gate_said", last == null ? null : last.summary())
            .put("timeout", record.settings().respond().toSeconds())
            .put("saved_branch", result.saved())
            .build();
    boolean limit = result.outcome() == LoopResult.Outcome.LIMIT;
    String type =
        limit && silent
            ? AgentFailure.NO_RESPONSE
            : silent ? AgentFailure.BACKEND : AgentFailure.EXECUTION;
    String said = silent && !result.why().contains(unanswered) ? ": " + unanswered : "";
    return AgentFailure.of(type, result.why() + said, true, context);
  }

  private void submit(TaskProgress task, String start, String head) throws InterruptedException {
    PullRequest before = task.request();
    Work work = workOf(task);
    String base = before == null ? start : before.base();
    PullRequestSize size = PullRequestSize.of(git, base, head);
    boolean same = before != null && before.branch().equals(work.branch());
    PullRequests.Opened opened =
        same && before != null
            ? requests.update(before, head)
            : requests.open(task.task(), record.nextRequest(), work.branch(), size);
    PullRequest request = new PullRequest(opened.number(), opened.url(), work.branch(), base, head);
    messenger.send(
        MessageType.PR_SUBMITTED,
        names.techlead(),
        names.moderator(),
        MessagePayloads.submitted(task.task(), request, size, task.iteration() + 1),
        task.task().correlation());
  }

  void error(AgentFailure trouble, ProjectTask task) {
    messenger.send(
        MessageType.AGENT_ERROR,
        names.techlead(),
        names.moderator(),
        MessagePayloads.error(trouble, task),
        task.correlation());
  }

  /** Cleans up after a finished task. Whatever must be kept is reported. */
  void leave(TaskProgress task) throws IOException, InterruptedException {
    Work work = task.work();
    if (work != null && Files.isDirectory(Path.of(work.tree()))) {
      setAside(work.tree());
    }
  }

  /**
   * Cleans up after a worktree and removes it by the rule, which saves its unsaved content first.
   */
  private void setAside(String tree) throws IOException, InterruptedException {
    Path path = Path.of(tree);
    if (!Files.isDirectory(path)) {
      new Worktrees(git).prune();
      return;
    }
    Evidence cleaned = record.settings().commands(run).cleanUp(new Git(path), SLOT);
    if (cleaned != null && !cleaned.passed()) {
      messenger.remark(path.getFileName() + ": " + cleaned.summary());
    }
    Worktrees.Removal removal =
        new Worktrees(git).remove(path, finding -> ignored(path, finding.ignored()));
    if (!removal.removed()) {
      String saved = removal.rescue() == null ? "" : "; saved as " + removal.rescue();
      messenger.remark(
          tree + " is kept: " + String.join(", ", removal.finding().reasons()) + saved);
    }
  }

  private void ignored(Path tree, List<String> files) {
    if (!files.isEmpty()) {
      run.tell("ignored files go with " + tree.getFileName() + ": " + String.join(", ", files));
    }
  }
}

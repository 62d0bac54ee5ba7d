package dev.parley.orchestration.moderate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.MessageFlow;
import dev.parley.dialects.gear.MessageType;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.moderate.TaskProgress.State;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Projects carried out by scripted agents in real repositories: seed 4.2 to 4.5. */
class ProjectRunnerTest {
  /** Writes a file for each task, and another at each turn. */
  private static final String WORK = "echo x >> $PARLEY_TASK";

  private static final String IMPROVEMENTS =
      """
      {"improvements":[
       {"description":"Polish","category":"ux","priority":"low","impact":"low","effort_hours":0,
        "rationale":"r","affected_files":["a"],"acceptance_criteria":["c"]},
       {"description":"Cache lists","category":"performance","priority":"high","impact":"high",
        "effort_hours":"3","rationale":"it is slow","affected_files":["one","../../etc/passwd"],
        "acceptance_criteria":["it is there"]},
       {"description":"Rewrite","category":"architecture","impact":"high","effort_hours":17.5,
        "acceptance_criteria":["c"]}]}
      """;

  @TempDir private Path folder;
  private Workshop workshop;
  private TestRepository repository;
  private ProjectScript script;
  private Git git;
  private String base;

  @BeforeEach
  void open() throws IOException {
    workshop = new Workshop(folder.resolve("workshop"));
    repository = TestRepository.create(folder.resolve("repository"));
    repository.commit("test.sh", "test ! -f bad\n");
    git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
    base = git.run("rev-parse", "HEAD");
    script = new ProjectScript(folder.resolve("script"));
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private ProjectReport project(String work, ModerateSettings settings)
      throws IOException, InterruptedException {
    return project(work, settings, TaskConfirmation.YES);
  }

  private ProjectReport project(
      String work, ModerateSettings settings, TaskConfirmation confirmation)
      throws IOException, InterruptedException {
    script.agents(workshop, work);
    return ProjectRunner.begin(
        workshop.context(),
        git,
        "Write one and two.",
        settings,
        RunLimits.DEFAULT,
        confirmation,
        run -> {});
  }

  private ProjectReport resume(String work) throws IOException, InterruptedException {
    script.agents(workshop, work);
    return ProjectRunner.resume(
        workshop.context(), git, "last", RunLimits.DEFAULT, TaskConfirmation.YES, run -> {});
  }

  /** The messages as they are in mailboxes, where every agent of the bus can see them. */
  private List<AgentMessage> mail(ProjectReport report) {
    return MessageFlow.projects(workshop.log()).get(report.record().project());
  }

  private List<String> types(ProjectReport report) {
    return mail(report).stream().map(AgentMessage::messageType).toList();
  }

  private static AgentMessage last(ProjectReport report, MessageType type) {
    return report.record().messages().reversed().stream()
        .filter(message -> message.is(type))
        .findFirst()
        .orElseThrow();
  }

  private void nothingIsLeftBehind() {
    assertThat(new Worktrees(git).list()).hasSize(1);
    assertThat(TreeState.of(git).isClean()).isTrue();
  }

  /** Check 1 of the design's. */
  @Test
  void twoTasksAreAssignedSubmittedApprovedAndCompletedOneAfterTheOther() throws Exception {
    script.says("improve", IMPROVEMENTS);
    ProjectReport report = project(WORK, ProjectScript.settings(Map.of("improve", 1)));

    assertThat(report.ok()).isTrue();
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.COMPLETED);
    assertThat(types(report))
        .containsExactly(
            "agent_ready",
            "agent_ready",
            "task_assigned",
            "pr_submitted",
            "pr_approved",
            "task_completed",
            "task_assigned",
            "pr_submitted",
            "pr_approved",
            "task_completed",
            "improvement_requested",
            "pr_submitted",
            "pr_approved",
            "improvement_completed");
    List<AgentMessage> mail = mail(report);
    List<TaskProgress> tasks = report.record().tasks();
    assertThat(mail.subList(2, 6))
        .extracting(AgentMessage::correlationId)
        .containsOnly("corr_" + tasks.get(0).task().id());
    assertThat(mail.subList(6, 10))
        .extracting(AgentMessage::correlationId)
        .containsOnly("corr_" + tasks.get(1).task().id());
    assertThat(mail.subList(10, 14))
        .extracting(AgentMessage::correlationId)
        .containsOnly("corr_" + report.record().improvement().task().id());
    assertThat(mail).allSatisfy(message -> assertThat(message.missing()).isEmpty());
    assertThat(git.run("ls-tree", "--name-only", "work").lines())
        .contains(tasks.get(0).task().id(), tasks.get(1).task().id());
    assertThat(report.forwarded()).isEqualTo(git.run("rev-parse", "work"));
    assertThat(git.run("log", "--reverse", "--format=%s", base + "..work").lines())
        .hasSize(3)
        .first()
        .isEqualTo(tasks.get(0).task().id() + ": Write one");
    nothingIsLeftBehind();
  }

  /** Check 2, and the listing of check 11. */
  @Test
  void feedbackIsGivenOnceAndThenItIsApproved() throws Exception {
    script.says("decompose", ProjectScript.tasks("Write one"));
    script.says(
        "review-1",
        ProjectScript.review(
            25,
            10,
            15,
            12,
            10,
            """
            ,"feedback":[{"severity":"blocking","category":"testing","file":"src/cli.py","line":45,
            "issue":"No test for a bad id","suggestion":"Add one"},
            {"severity":"suggestion","category":"security","file":"../../etc/shadow","line":"7",
            "issue":"Look at this","suggestion":""}],"suggestions":["Add docstrings"]\
            """));
    script.says("review-2", ProjectScript.review(28, 20, 18, 12, 10, ""));
    ProjectReport report =
        project("echo x >> $PARLEY_TASK; echo \"$prompt\" > prompt", ProjectScript.settings());

    assertThat(report.ok()).isTrue();
    AgentMessage feedback = last(report, MessageType.PR_FEEDBACK);
    Fields said = Fields.of(feedback.payload());
    assertThat(feedback.requiresResponse()).isTrue();
    assertThat(said.number("score", 0)).isEqualTo(72);
    assertThat(said.texts("blocking_issues")).containsExactly("No test for a bad id");
    assertThat(said.objects("feedback").getFirst().text("file")).isEqualTo("src/cli.py");
    assertThat(said.objects("feedback").getFirst().number("line", 0)).isEqualTo(45);
    assertThat(said.objects("feedback").getLast().text("file")).isEmpty();
    Fields completed = Fields.of(last(report, MessageType.TASK_COMPLETED).payload());
    assertThat(completed.number("final_score", 0)).isEqualTo(88);
    assertThat(completed.number("total_iterations", 0)).isEqualTo(2);
    assertThat(git.run("show", "work:prompt"))
        .contains("No test for a bad id", "src/cli.py:45", "Add docstrings", "72 of 100");
    String task = report.record().tasks().getFirst().task().id();
    assertThat(MessageFlow.lines(mail(report)).stream().map(line -> line.substring(10)))
        .containsExactly(
            "moderator → orchestrator  AGENT_READY",
            "techlead → orchestrator   AGENT_READY",
            "moderator → techlead      TASK_ASSIGNED   " + task,
            "techlead → moderator      PR_SUBMITTED    PR #1",
            "moderator → techlead      PR_FEEDBACK     Score: 72",
            "techlead → moderator      PR_SUBMITTED    PR #1 (iter 2)",
            "moderator → techlead      PR_APPROVED     PR #1 (iter 2)",
            "moderator → techlead      TASK_COMPLETED  " + task);
  }

  /** Check 3. */
  @Test
  void threeScoresThatAreTooLowFailTheTaskAndTheProject() throws Exception {
    script.says("review", ProjectScript.review(25, 10, 15, 12, 10, ""));
    ProjectReport report = project(WORK, ProjectScript.settings());

    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
    assertThat(report.ok()).isFalse();
    assertThat(report.record().tasks())
        .extracting(TaskProgress::state)
        .containsExactly(State.FAILED, State.PENDING);
    assertThat(types(report))
        .containsSubsequence("pr_submitted", "pr_submitted", "pr_submitted", "agent_error")
        .endsWith("agent_error")
        .doesNotContain("pr_approved");
    assertThat(types(report).stream().filter("pr_submitted"::equals)).hasSize(3);
    AgentMessage told = last(report, MessageType.AGENT_ERROR);
    assertThat(told.toAgent()).isEqualTo("techlead");
    assertThat(told.text("error_type")).isEqualTo("review_rejected");
    assertThat(Fields.of(told.payload()).object("context").number("score", 0)).isEqualTo(72);
    assertThat(git.run("rev-parse", "work")).isEqualTo(base);
    nothingIsLeftBehind();
  }

  /** Checks 4 and 5. */
  @Test
  void whatBlocksBlocksWhateverTheScoreAndEightyIsEnough() throws Exception {
    script.says("decompose", ProjectScript.tasks("Write one"));
    String blocking =
        ",\"feedback\":[{\"severity\":\"Blocking\",\"category\":\"security\",\"issue\":\"eval\"}]";
    script.says("review-1", ProjectScript.review(30, 25, 20, 15, 5, blocking));
    script.says("review-2", ProjectScript.review(30, 19, 15, 10, 5, ""));
    script.says("review-3", ProjectScript.review(30, 20, 15, 10, 5, ""));
    ProjectReport report = project(WORK, ProjectScript.settings());

    assertThat(report.ok()).isTrue();
    assertThat(
            report.record().messages().stream()
                .filter(message -> Fields.of(message.payload()).json("score") != null)
                .map(message ->
                    message.messageType() + Fields.of(message.payload()).number("score", 0)))
        .containsExactly("pr_feedback95", "pr_feedback79", "pr_approved80");
  }

  /** Check 6; and then it is taken up again. */
  @Test
  void anErrorOfTheTechLeadStopsTheProjectAndItCanBeResumed() throws Exception {
    ProjectReport failed =
        project("echo half > half; echo no >&2; exit 3", ProjectScript.settings());

    assertThat(failed.record().phase()).isEqualTo(ProjectPhase.FAILED);
    TaskProgress task = failed.record().tasks().getFirst();
    assertThat(task.state()).isEqualTo(State.FAILED);
    AgentMessage error = last(failed, MessageType.AGENT_ERROR);
    assertThat(error.fromAgent()).isEqualTo("techlead");
    assertThat(error.correlationId()).isEqualTo(task.task().correlation());
    assertThat(error.text("error_type")).isEqualTo("backend_failure");
    assertThat(task.why()).contains("implement");
    Fields payload = Fields.of(error.payload());
    assertThat(payload.flag("recoverable")).isTrue();
    String saved = payload.object("context").text("saved_branch");
    assertThat(git.run("ls-tree", "--name-only", saved).lines()).contains("half");
    nothingIsLeftBehind();

    ProjectReport report = resume(WORK);
    assertThat(report.ok()).isTrue();
    assertThat(types(report).stream().filter("task_assigned"::equals)).hasSize(3);
    assertThat(types(report).stream().filter("task_completed"::equals)).hasSize(2);
    nothingIsLeftBehind();
  }

  /** Check 7. */
  @Test
  void aTechLeadThatIsSilentIsAnErrorAfterTheDeadline() throws Exception {
    ProjectReport report = project("sleep 600", ProjectScript.settings(Map.of("respond", 1_500)));

    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
    assertThat(last(report, MessageType.AGENT_ERROR).text("error_type")).isEqualTo("no_response");
    assertThat(report.record().tasks().getFirst().state()).isEqualTo(State.FAILED);
  }

  @Test
  void aReviewerThatIsSilentIsAnErrorAndOnlyTheReviewIsDoneAgain() throws Exception {
    script.says("decompose", ProjectScript.tasks("Write one"));
    script.agents(workshop, WORK);
    workshop.agent(
        "reviewer",
        "cat > /dev/null; if [ $PARLEY_STAGE = review ]; then sleep 600; fi; cat "
            + folder.resolve("script/decompose"));
    ProjectReport failed =
        ProjectRunner.begin(
            workshop.context(),
            git,
            "One.",
            ProjectScript.settings(Map.of("respond", 2_500)),
            RunLimits.DEFAULT,
            TaskConfirmation.YES,
            run -> {});
    assertThat(failed.record().phase()).isEqualTo(ProjectPhase.FAILED);
    AgentMessage error = last(failed, MessageType.AGENT_ERROR);
    assertThat(error.fromAgent()).isEqualTo("moderator");
    assertThat(error.text("error_type")).isEqualTo("no_response");

    ProjectReport report = resume("touch worked-again");
    assertThat(report.ok()).isTrue();
    assertThat(types(report).stream().filter("pr_submitted"::equals)).hasSize(1);
    assertThat(git.run("ls-tree", "--name-only", "work").lines()).doesNotContain("worked-again");
  }

  /** Check 8. */
  @Test
  void anImprovementThatFailsDoesNotFailTheProject() throws Exception {
    script.says("improve", IMPROVEMENTS);
    ProjectReport report =
        project(
            "case $PARLEY_TASK in imp_*) exit 1;; esac; " + WORK,
            ProjectScript.settings(Map.of("improve", 1)));

    assertThat(report.ok()).isTrue();
    assertThat(report.remarks()).anyMatch(text -> text.startsWith("the improvement failed: "));
    assertThat(report.record().improvement().state()).isEqualTo(State.FAILED);
    assertThat(types(report)).endsWith("improvement_requested", "agent_error");
    assertThat(report.forwarded()).isEqualTo(git.run("rev-parse", "work"));
    nothingIsLeftBehind();
  }

  /** Of three: 10 - 1.5, 2 - 0 and 10 - 8.75. */
  @Test
  void theImprovementWithTheHighestScoreIsRequestedWithAllItsFields() throws Exception {
    script.says("improve", IMPROVEMENTS);
    ProjectReport report = project(WORK, ProjectScript.settings(Map.of("improve", 1)));
    Fields requested = Fields.of(last(report, MessageType.IMPROVEMENT_REQUESTED).payload());
    assertThat(requested.text("description")).isEqualTo("Cache lists");
    assertThat(requested.json("priority_score")).hasToString("8.5");
    assertThat(requested.texts("affected_files")).containsExactly("one");
    assertThat(requested.text("rationale")).isEqualTo("it is slow");
  }

  @Test
  void improvementsThatCantBeReadFailNothing() throws Exception {
    script.says("improve", "I like it as it is.");
    ProjectReport report = project(WORK, ProjectScript.settings(Map.of("improve", 1)));
    assertThat(report.ok()).isTrue();
    assertThat(report.remarks()).anyMatch(text -> text.startsWith("no improvement was made: "));
  }

  /** Check 9. */
  @Test
  void withoutAYesItIsCancelledAndNothingIsAssigned() throws Exception {
    ProjectReport report = project(WORK, ProjectScript.settings(), tasks -> false);
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.CANCELLED);
    assertThat(report.ok()).isFalse();
    assertThat(types(report)).containsExactly("agent_ready", "agent_ready");
    assertThat(git.run("branch", "--list", "moderator/*")).isEmpty();
    nothingIsLeftBehind();

    ProjectReport resumed = resume(WORK);
    assertThat(resumed.ok()).isTrue();
    assertThat(resumed.record().tasks()).hasSize(2);
  }

  @Test
  void aProjectWithoutTestsIsNotApproved() throws Exception {
    git.run("rm", "--quiet", "test.sh");
    git.run("commit", "--quiet", "-m", "no tests");
    script.says("decompose", ProjectScript.tasks("Write one"));
    ProjectReport report =
        project(
            "echo x >> one; if echo \"$prompt\" | grep -q 'Missing unit tests'; then echo true >"
                + " test.sh; fi",
            ProjectScript.settings());
    assertThat(report.ok()).isTrue();
    Fields feedback = Fields.of(last(report, MessageType.PR_FEEDBACK).payload());
    assertThat(feedback.texts("blocking_issues")).containsExactly("Missing unit tests");
    assertThat(feedback.object("criteria_scores").number("test_coverage", -1)).isZero();
    assertThat(feedback.number("score", 0)).isEqualTo(65);
  }

  /** The worktree has a file that git ignores; a clean checkout does not. */
  @Test
  void testsThatPassOnlyWhereTheWorkWasDoneBlock() throws Exception {
    repository.commit(".gitignore", "secret\n");
    repository.commit("test.sh", "test ! -f one -o -f secret || { echo no secret; exit 1; }\n");
    script.says("decompose", ProjectScript.tasks("Write one"));
    ProjectReport report = project("touch secret; echo x >> one", ProjectScript.settings());
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
    Fields feedback = Fields.of(last(report, MessageType.PR_FEEDBACK).payload());
    assertThat(feedback.texts("blocking_issues").getFirst()).contains("test failed");
    assertThat(feedback.object("criteria_scores").number("test_coverage", -1)).isZero();
  }

  /** Set-up commands of a worktree count in the clean checkout too, before each review. */
  @Test
  void theCleanCheckoutIsPreparedAsTheWorktreeIs() throws Exception {
    repository.commit(".gitignore", "installed\n");
    repository.commit("test.sh", "test -f installed && test -n \"$PARLEY_PORT_BASE\"\n");
    script.says("decompose", ProjectScript.tasks("Write one"));
    script.says("review-1", ProjectScript.review(1, 1, 1, 1, 1, ""));
    ModerateSettings usual = ProjectScript.settings();
    ModerateSettings settings =
        new ModerateSettings(
            usual.agent(),
            usual.reviewer(),
            usual.iterations(),
            usual.stuck(),
            usual.cap(),
            usual.reviews(),
            usual.tasks(),
            usual.times(),
            usual.respond(),
            usual.gates(),
            "touch installed; echo up $PARLEY_SLOT >> " + folder + "/commands",
            "echo down $PARLEY_SLOT >> " + folder + "/commands",
            false,
            false,
            false);
    ProjectReport report = project(WORK, settings);
    assertThat(report.ok()).as(report.json().toString()).isTrue();
    assertThat(Files.readAllLines(folder.resolve("commands")))
        .containsExactly("up 1", "up 0", "up 0", "down 1", "down 0");
    nothingIsLeftBehind();
  }

  @Test
  void aCriterionThatTheReviewerDoesNotConfirmBlocks() throws Exception {
    script.says("review", ProjectScript.APPROVED.replace("true", "false"));
    ProjectReport report = project(WORK, ProjectScript.settings());
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
    Fields feedback = Fields.of(last(report, MessageType.PR_FEEDBACK).payload());
    assertThat(feedback.texts("blocking_issues"))
        .containsExactly("Acceptance criteria not fully met: it is there");
    assertThat(feedback.object("criteria_scores").number("acceptance_criteria", -1)).isZero();
  }

  /** What a reviewer leaves in its checkout goes nowhere, and its total counts for nothing. */
  @Test
  void aReviewerThatWritesAndAddsUpWronglyChangesNothing() throws Exception {
    script.says("decompose", ProjectScript.tasks("Write one"));
    script.agents(workshop, WORK);
    Path said = folder.resolve("script/review");
    script.says(
        "review",
        ProjectScript.review(25, 20, 18, 12, 10, ",\"score\":12,\"approved\":false,\"x\":\"{{\""));
    workshop.agent(
        "reviewer",
        "cat > /dev/null; echo evil > evil; echo evil > README; git add -A; git commit -qm evil;"
            + " cat "
            + folder.resolve("script")
            + "/$PARLEY_STAGE");
    ProjectReport report =
        ProjectRunner.begin(
            workshop.context(),
            git,
            "One.",
            ProjectScript.settings(),
            RunLimits.DEFAULT,
            TaskConfirmation.YES,
            run -> {});
    assertThat(said).exists();
    assertThat(report.ok()).isTrue();
    assertThat(report.record().tasks().getFirst().score()).isEqualTo(85);
    assertThat(git.run("ls-tree", "--name-only", "work").lines()).doesNotContain("evil");
    assertThat(git.run("show", "work:README")).isEqualTo("hello");
    nothingIsLeftBehind();
  }

  @Test
  void theUsersBranchIsLeftAloneUnlessItIsCleanAndWhereItWas() throws Exception {
    ProjectReport report =
        project(
            WORK + "; echo mine > " + repository.folder().resolve("mine"),
            ProjectScript.settings());
    assertThat(report.ok()).isTrue();
    assertThat(report.forwarded()).isNull();
    assertThat(git.run("rev-parse", "work")).isEqualTo(base);
    assertThat(report.remarks())
        .anyMatch(text -> text.endsWith("git merge " + report.record().approvedBranch()));
    assertThat(
            git.run("log", "--format=%s", base + ".." + report.record().approvedBranch()).lines())
        .hasSize(2);
    assertThat(repository.folder().resolve("mine")).hasContent("mine\n");
  }

  @Test
  void aBranchWhoseHistoryTheAgentRewroteIsNotSubmitted() throws Exception {
    ProjectReport report =
        project(
            "git reset -q --soft $(git commit-tree -m other HEAD^{tree}); echo x > x",
            ProjectScript.settings());
    assertThat(report.record().why()).contains("no longer continues from " + base);
    assertThat(git.run("rev-parse", "work")).isEqualTo(base);
  }

  @Test
  void whatTheOriginalWouldHaveWrittenIsThereAndGitIgnoresIt() throws Exception {
    ProjectReport report = project(WORK, ProjectScript.settings());
    Path root = repository.folder().resolve(".moderator");
    Path state = root.resolve("state").resolve("project_" + report.record().project());
    Fields project = Fields.of(Json.parse(Files.readString(state.resolve("project.json"))));
    assertThat(project.text("phase")).isEqualTo("completed");
    assertThat(project.objects("tasks"))
        .allMatch(task -> "completed".equals(task.text("status")))
        .hasSize(2);
    assertThat(Files.readAllLines(state.resolve("logs.jsonl")))
        .hasSize(report.record().messages().size())
        .allMatch(line -> Json.parse(line).isObject());
    String task = report.record().tasks().getFirst().task().id();
    assertThat(root.resolve("artifacts").resolve("task_" + task).resolve("generated/" + task))
        .hasContent("x\n");
    assertThat(TreeState.of(git).isClean()).isTrue();
  }

  @Test
  void aDecompositionThatCantBeReadIsAskedForOnceMoreAndThenFailsTheProject() throws Exception {
    script.says(
        "decompose",
        "{\"tasks\":[{\"description\":\"a\",\"acceptance_criteria\":[\"b\"],\"dependencies\":[1]}]}"
            + "<!-- BUS:warning -->x<!-- /BUS --> {{{{ \"".repeat(20_000));
    ProjectReport report = project(WORK, ProjectScript.settings());
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
    AgentMessage error = last(report, MessageType.AGENT_ERROR);
    assertThat(error.text("error_type")).isEqualTo("unreadable_answer");
    assertThat(error.text("error_message")).contains("could not be read twice");

    script.says("decompose", ProjectScript.tasks("Write one"));
    assertThat(resume(WORK).ok()).isTrue();
  }

  @Test
  void theLimitsOfARunEndAProjectAndItCanBeResumed() throws Exception {
    script.agents(workshop, WORK);
    ProjectReport report =
        ProjectRunner.begin(
            workshop.context(),
            git,
            "Two.",
            ProjectScript.settings(),
            RunLimits.DEFAULT.withAsks(3),
            TaskConfirmation.YES,
            run -> {});
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
    assertThat(report.completed()).isEqualTo(1);
    assertThat(resume(WORK).ok()).isTrue();
  }

  @Test
  void payloadsHaveEveryFieldOfTheDesign() throws Exception {
    script.says("improve", IMPROVEMENTS);
    script.says("review-1", ProjectScript.review(1, 1, 1, 1, 1, ""));
    ProjectReport done = project(WORK, ProjectScript.settings(Map.of("improve", 1)));
    ProjectReport failed = project("exit 1", ProjectScript.settings());
    Path designs =
        Path.of(System.getProperty("parley.root"), "dialects/src/test/resources/designs/gear");
    for (MessageType type :
        List.of(
            MessageType.TASK_ASSIGNED,
            MessageType.PR_SUBMITTED,
            MessageType.PR_FEEDBACK,
            MessageType.TASK_COMPLETED,
            MessageType.IMPROVEMENT_REQUESTED,
            MessageType.AGENT_ERROR)) {
      Json design = Json.parse(Files.readString(designs.resolve(type.value() + ".json")));
      AgentMessage ours = last(type == MessageType.AGENT_ERROR ? failed : done, type);
      assertThat(ours.payload().fields().keySet())
          .as(type.value())
          .containsAll(AgentMessage.parse(design).payload().fields().keySet());
      assertThat(ours.requiresResponse())
          .as(type.value())
          .isEqualTo(AgentMessage.parse(design).requiresResponse());
    }
  }

  @Test
  void everyRequestInAMailboxIsAnswered() throws Exception {
    script.says("review-1", ProjectScript.review(1, 1, 1, 1, 1, ""));
    project(WORK, ProjectScript.settings());
    for (String agent : List.of("moderator", "techlead")) {
      assertThat(workshop.context().team().lookAtInbox(agent))
          .as(agent)
          .noneMatch(letter -> letter.entry().needsReply());
    }
  }

  @Test
  void whatMustNotBeWorkedOnIsRefused() throws Exception {
    assertThatThrownBy(() -> ProjectRunner.check(git, " ", false))
        .hasMessageContaining("are empty");
    git.run("switch", "--quiet", "main");
    assertThatThrownBy(() -> ProjectRunner.check(git, "x", false)).hasMessageContaining("main");
    git.run("switch", "--quiet", "work");
    repository.write("dirty", "x");
    assertThatThrownBy(() -> ProjectRunner.check(git, "x", false))
        .hasMessageContaining("not committed");
    assertThatThrownBy(() -> ProjectScript.settings(Map.of("tasks", 101)))
        .hasMessageContaining("--max-tasks");
  }

  @Test
  void moreTasksThanThereMayBeAreRefused() throws Exception {
    script.says("decompose", ProjectScript.tasks("a", "b"));
    ProjectReport report = project(WORK, ProjectScript.settings(Map.of("tasks", 1)));
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
    assertThat(report.record().why()).contains("1 to 1 tasks, and there are 2");
  }

  /** The prompts as agents get them; a change is seen in review. */
  @Test
  void thePromptsAreAsInTheGoldenFile() throws Exception {
    script.says("improve", IMPROVEMENTS);
    script.says(
        "review-1",
        ProjectScript.review(
            25,
            10,
            15,
            12,
            10,
            ",\"feedback\":[{\"severity\":\"blocking\",\"category\":\"testing\",\"file\":\"a.py\","
                + "\"line\":4,\"issue\":\"No test\",\"suggestion\":\"Add one\"}]"));
    script.says("decompose", ProjectScript.tasks("Write one"));
    ProjectReport report = project(WORK, ProjectScript.settings(Map.of("improve", 1)));
    RunRecord run = RunRecord.named(workshop.log(), report.record().project());
    StringBuilder text = new StringBuilder();
    for (RunRecord.Entry ask : run.asks()) {
      String prompt = new String(workshop.contents().load(ask.prompt()), UTF_8);
      text.append("=== " + ask.stage() + " ===\n" + prompt + "\n");
    }
    String actual =
        text.toString()
            .replace(run.id(), "run_1")
            .replaceAll("(task_001|imp)_[0-9a-f]{6}", "$1_000000")
            .replaceAll("[0-9a-f]{40}", "0".repeat(40))
            .replaceAll("\\(mark [0-9a-f]{8}\\)", "(mark 00000000)");
    String golden = "moderate-prompts.golden.txt";
    try (var in = ProjectRunnerTest.class.getResourceAsStream(golden)) {
      String expected = in == null ? "" : new String(in.readAllBytes(), UTF_8);
      if (!expected.equals(actual)) {
        Path file = Path.of("target", golden).toAbsolutePath();
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, actual);
        assertThat(actual).as("the prompts are now as in " + file).isEqualTo(expected);
      }
    }
  }

  /** With a stand-in for the program, and a remote that is a folder. */
  @Test
  void pullRequestsAreMadeOnGitHubWhereThatIsAskedFor() throws Exception {
    ModerateSettings settings = ProjectScript.settings(Map.of("github", 1));
    assertThatThrownBy(() -> project(WORK, settings)).hasMessageContaining("gh ");
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Path gh =
        workshop.script(
            "gh-stand-in",
            "echo \"$@\" >> "
                + folder.resolve("asked")
                + "; echo Creating; echo https://github.com/o/r/pull/42");
    Files.createSymbolicLink(programs.resolve("gh"), gh);
    workshop.with("PATH", programs + ":" + System.getenv("PATH"));
    assertThatThrownBy(() -> project(WORK, settings)).hasMessageContaining("remote origin");
    Path remote = folder.resolve("remote.git");
    git.run("init", "--quiet", "--bare", remote.toString());
    git.run("remote", "add", "origin", remote.toString());
    script.says("decompose", ProjectScript.tasks("Write one"));
    script.says("review-1", ProjectScript.review(1, 1, 1, 1, 1, ""));
    ProjectReport report = project(WORK, settings);

    assertThat(report.ok()).isTrue();
    TaskProgress.PullRequest request = report.record().tasks().getFirst().request();
    assertThat(request.number()).isEqualTo(42);
    assertThat(request.url()).isEqualTo("https://github.com/o/r/pull/42");
    assertThat(new Git(remote).run("rev-parse", request.branch())).isEqualTo(request.head());
    assertThat(Files.readString(folder.resolve("asked")))
        .startsWith("pr create --base work --head " + request.branch() + " --title task_001_")
        .contains("- it is there", "- `task_001_")
        .doesNotContain("pr create --base work --head " + request.branch() + "-2");
  }

  @Test
  void aPullRequestThatGitHubRefusesIsAnErrorOfTheTechLead() throws Exception {
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Files.createSymbolicLink(
        programs.resolve("gh"), workshop.script("gh-stand-in", "echo not logged in >&2; exit 4"));
    workshop.with("PATH", programs + ":" + System.getenv("PATH"));
    git.run("init", "--quiet", "--bare", folder.resolve("remote.git").toString());
    git.run("remote", "add", "origin", folder.resolve("remote.git").toString());
    ProjectReport report = project(WORK, ProjectScript.settings(Map.of("github", 1)));
    AgentMessage error = last(report, MessageType.AGENT_ERROR);
    assertThat(error.fromAgent()).isEqualTo("techlead");
    assertThat(error.text("error_message")).contains("not logged in");
    assertThat(report.record().phase()).isEqualTo(ProjectPhase.FAILED);
  }

  /** Texts are cut, lists too, and every line still fits into the log. */
  @Test
  void hugeAnswersAreCutOrRefused() throws Exception {
    String item =
        "{\"severity\":\"blocking\",\"issue\":\"%s\",\"suggestion\":\"%s\"}"
            .formatted("\u20ac".repeat(3_000), "\u20ac".repeat(3_000));
    String items = String.join(",", Collections.nCopies(90, item));
    script.says("decompose", ProjectScript.tasks("Write one"));
    script.says("review-1", ProjectScript.review(1, 1, 1, 1, 1, ",\"feedback\":[" + items + "]"));
    ProjectReport report = project(WORK, ProjectScript.settings());
    assertThat(report.ok()).as(report.record().why()).isTrue();
    Fields feedback = Fields.of(last(report, MessageType.PR_FEEDBACK).payload());
    assertThat(feedback.objects("feedback")).hasSize(50);
    assertThat(feedback.objects("feedback").getFirst().text("issue")).hasSize(1_000).endsWith("…");

    String criteria = String.join(",", Collections.nCopies(50, "\"" + "x".repeat(1_000) + "\""));
    String task = "{\"description\":\"d\",\"acceptance_criteria\":[" + criteria + "]}";
    String tasks = String.join(",", Collections.nCopies(15, task));
    assertThatThrownBy(() -> ProjectTask.read("{\"tasks\":[" + tasks + "]}", "p", 20))
        .hasMessageContaining("longer than");
  }
}

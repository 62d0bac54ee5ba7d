package dev.parley.orchestration.moderate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.MessageFlow;
import dev.parley.orchestration.OtherProcess;
import dev.parley.orchestration.Rounds;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunEvent;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.git.TreeState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Check 10: a project whose process is killed at any moment, and gone on with. */
class ProjectCrashTest {
  private static final List<String> MESSAGES =
      List.of(
          "agent_ready",
          "agent_ready",
          "task_assigned",
          "pr_submitted",
          "pr_feedback",
          "pr_submitted",
          "pr_approved",
          "task_completed",
          "task_assigned",
          "pr_submitted",
          "pr_feedback",
          "pr_submitted",
          "pr_approved",
          "task_completed",
          "improvement_requested",
          "pr_submitted",
          "pr_feedback",
          "pr_submitted",
          "pr_approved",
          "improvement_completed");

  private static final int KILLS = Integer.getInteger("parley.kills", Seed.isLong() ? 100 : 6);
  private static final int MOST_IN_A_ROUND = 5;

  @TempDir private Path folder;

  /** The process that is killed: begins the project, or continues it. */
  public static void main(String[] args) throws Exception {
    Path where = Path.of(args[0]);
    try (Workshop workshop = workshop(where)) {
      System.exit(goOn(workshop, new Git(where.resolve("repository")), run -> {}).ok() ? 0 : 1);
    }
  }

  private static ProjectReport goOn(
      Workshop workshop, Git git, java.util.function.Consumer<Run> began)
      throws IOException, InterruptedException {
    List<RunRecord> runs = RunRecord.all(workshop.log());
    return runs.isEmpty()
        ? ProjectRunner.begin(
            workshop.context(),
            git,
            "Write one and two.",
            ProjectScript.settings(Map.of("improve", 1)),
            RunLimits.DEFAULT,
            TaskConfirmation.YES,
            began)
        : ProjectRunner.resume(
            workshop.context(),
            git,
            runs.getLast().id(),
            RunLimits.DEFAULT,
            TaskConfirmation.YES,
            began);
  }

  private static Workshop workshop(Path where) throws IOException {
    Workshop workshop = new Workshop(where.resolve("workshop"));
    new ProjectScript(where.resolve("script"))
        .says(
            "improve",
            "{\"improvements\":[{\"description\":\"Better\",\"impact\":\"low\",\"effort_hours\":1,"
                + "\"acceptance_criteria\":[\"it is there\"]}]}")
        .says("review-1", ProjectScript.review(10, 10, 10, 10, 10, ""))
        .agents(workshop, "sleep 0.1; echo x >> $PARLEY_TASK; ls > seen");
    return workshop;
  }

  private static Git repository(Path where) throws IOException {
    TestRepository repository = TestRepository.create(where.resolve("repository"));
    repository.commit("test.sh", "true\n");
    repository.git().run("switch", "--quiet", "-c", "work");
    return repository.git();
  }

  /** The same end as without an interruption: each message once, each task's work twice. */
  private static void isWhole(Path where, Git git) throws IOException {
    try (Workshop workshop = workshop(where)) {
      RunRecord run = RunRecord.all(workshop.log()).getLast();
      ProjectRecord record = ProjectRecord.of(workshop.log(), run);
      assertThat(record.phase()).isEqualTo(ProjectPhase.COMPLETED);
      assertThat(run.outcome()).isEqualTo("complete");
      List<AgentMessage> mail = MessageFlow.projects(workshop.log()).get(run.id());
      assertThat(mail).extracting(AgentMessage::messageType).containsExactlyElementsOf(MESSAGES);
      assertThat(mail).extracting(AgentMessage::messageId).doesNotHaveDuplicates();
      assertThat(mail)
          .extracting(AgentMessage::messageId)
          .containsExactlyElementsOf(
              record.messages().stream().map(AgentMessage::messageId).toList());
      for (TaskProgress task : record.all()) {
        assertThat(git.run("show", "work:" + task.task().id())).isEqualTo("x\nx");
      }
      assertThat(git.run("ls-tree", "--name-only", "work").lines()).hasSize(6);
      assertThat(git.run("rev-parse", "work"))
          .isEqualTo(git.run("rev-parse", record.approvedBranch()));
    }
    assertThat(TreeState.of(git).isClean()).isTrue();
  }

  /** Stopped by its listener at each message in turn, in this process. */
  @Test
  void stoppedAtEveryMessageItComesToTheSameEnd() throws Exception {
    Git git = repository(folder);
    int stops = 0;
    boolean over = false;
    while (!over) {
      Run[] running = new Run[1];
      int[] messages = {0};
      try (Workshop workshop =
          workshop(folder)
              .onEvent(event -> {
                if (event instanceof RunEvent.Said said && said.text().contains(" → ")) {
                  messages[0]++;
                  running[0].stop();
                }
              })) {
        over = goOn(workshop, git, run -> running[0] = run).ok();
      }
      stops += messages[0];
    }
    assertThat(stops).isEqualTo(MESSAGES.size());
    isWhole(folder, git);
  }

  @Test
  void killedAtAnyMomentItComesToTheSameEnd() throws Exception {
    int kills =
        Rounds.play(
            folder,
            "project crashes",
            KILLS,
            (where, random) -> round(where, random, MOST_IN_A_ROUND));
    Seed.say("projects: killed " + kills + " times, each message once");
  }

  private static int round(Path where, Random random, int most) throws Exception {
    Git git = repository(where);
    int kills = 0;
    int exit = -1;
    while (exit != 0) {
      Process process = OtherProcess.start(ProjectCrashTest.class, where);
      int wait = 300 + random.nextInt(3_000);
      if (kills < most && !process.waitFor(wait, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        kills++;
      } else {
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        exit = process.exitValue();
        if (exit != 0) {
          // A run that was complete when it was killed is refused; nothing else may end so.
          assertThat(where.resolve("out")).content().contains("complete");
          break;
        }
      }
    }
    isWhole(where, git);
    return Math.max(kills, 1);
  }
}

package dev.parley.dialects.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.wait.Wait;
import dev.parley.coordination.work.TaskList;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.testing.ConductorBus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1: what dispatchers, workers, monitors and directors of the files really do. */
class ConductorWorkflowsTest {
  private static final String W1 = "worker-1.1-x";
  private static final String W2 = "worker-1.2-y";

  @TempDir Path folder;
  private ConductorBus bus;

  @BeforeEach
  void mount() {
    bus = new ConductorBus(folder);
  }

  @AfterEach
  void close() {
    bus.close();
  }

  private Task task(String id) {
    return bus.team
        .ledger()
        .look(ledger -> Optional.ofNullable(ledger.tasks().task(id)))
        .orElseThrow();
  }

  private List<WaitGraph.Cycle> cycles() {
    return bus.team.ledger().look(ledger -> ledger.graph().cycles());
  }

  private void fail(String worker) throws Exception {
    bus.post("TASK_FAILED", worker, "{\"task_id\":\"1.1\",\"error\":\"no\"}");
    bus.sync();
  }

  @Test
  void aTaskThatFailedIsDoneWhenAnotherWorkerCompletesIt() throws Exception {
    bus.post("PROGRESS", W1, "{\"task_id\":\"1.1\",\"progress_pct\":10}");
    bus.sync();
    for (int i = 0; i < 5; i++) { // more often than a task of the bus may be tried
      fail(W1);
      assertThat(task("1.1").state()).isEqualTo(TaskState.FAILED);
      bus.post("PROGRESS", W2, "{\"task_id\":\"1.1\",\"progress_pct\":50}");
      bus.sync();
      assertThat(task("1.1")).returns(TaskState.CLAIMED, Task::state).returns(W2, Task::owner);
      fail(W2);
    }

    bus.post("TASK_COMPLETE", W1, "{\"task_id\":\"1.1\",\"commit_sha\":\"abc\"}");
    bus.sync();

    assertThat(task("1.1")).returns(TaskState.DONE, Task::state).returns(W1, Task::owner);
    assertThat(task("1.1").result().commit()).isEqualTo("abc");
  }

  /** No bridge ran meanwhile. */
  @Test
  void soItIsIfNobodyLookedBetweenFailureAndCompletion() throws Exception {
    bus.post("PROGRESS", W1, "{\"task_id\":\"1.1\",\"progress_pct\":10}");
    bus.sync();
    bus.post("TASK_FAILED", W1, "{\"task_id\":\"1.1\",\"error\":\"no\"}");
    bus.post("TASK_COMPLETE", W2, "{\"task_id\":\"1.1\",\"commit_sha\":\"abc\"}");
    bus.write("events/TASK_COMPLETE_1.1.event", "");
    bus.sync();

    assertThat(task("1.1")).returns(TaskState.DONE, Task::state).returns(W2, Task::owner);
    assertThat(task("1.1").result().commit()).isEqualTo("abc");
  }

  @Test
  void whatAnAgentOfTheBusHasClaimedNoWorkerOfTheFilesTakes() throws Exception {
    Session alice = bus.team.join("alice");
    TaskList tasks = bus.team.tasks(alice);
    var _ = tasks.add(Plan.of("7"), false);
    var _ = tasks.claim("7", TaskList.Terms.NONE);
    bus.post("TASK_COMPLETE", W2, "{\"task_id\":\"7\"}");
    bus.sync();

    assertThat(task("7")).returns(TaskState.CLAIMED, Task::state).returns("alice", Task::owner);
  }

  @Test
  void aStatusThatLagsBehindItsWorkersFailureRetriesNothing() throws Exception {
    bus.post("PROGRESS", W1, "{\"task_id\":\"1.1\",\"progress_pct\":10}");
    fail(W1);
    bus.write("worker-status.json", status(W1, "RUNNING"));
    bus.sync();

    assertThat(task("1.1").state()).isEqualTo(TaskState.FAILED);
  }

  private static String status(String worker, String status) {
    return "{\"%s\":{\"task_id\":\"1.1\",\"status\":\"%s\",\"progress_pct\":20,\"last_heartbeat\":\"%s\"}}"
        .formatted(worker, status, Instant.now());
  }

  @Test
  void anIdleAgentIsNotShownAsRunning() throws Exception {
    Session alice = bus.team.join("alice");
    bus.sync();
    assertThat(bus.read("worker-status.json", "alice").text("status")).isEqualTo("COMPLETE");

    TaskList tasks = bus.team.tasks(alice);
    var _ = tasks.add(Plan.of("7"), false);
    var _ = tasks.claim("7", TaskList.Terms.NONE);
    bus.sync();
    assertThat(bus.read("worker-status.json", "alice").text("status")).isEqualTo("RUNNING");
    var _ = tasks.done("7", null, List.of(), null);
    bus.sync();

    Fields shown = bus.read("worker-status.json", "alice");
    assertThat(shown.text("status")).isEqualTo("COMPLETE");
    assertThat(shown.text("task_id")).isEqualTo("7");
    assertThat(shown.number("progress_pct", 0)).isEqualTo(100);
  }

  @Test
  void twoWorkersBlockedOnEachOtherAreACircleWhateverElseIsNew() throws Exception {
    bus.post("BLOCKED", W1, "{\"task_id\":\"1.1\",\"waiting_for\":\"" + W2 + "\"}");
    bus.post("FILE_UNLOCK", W1, "{\"filepath\":\"src/z\"}");
    bus.sync();
    assertThat(cycles()).isEmpty();
    bus.post("BLOCKED", W2, "{\"task_id\":\"1.2\",\"waiting_for\":\"" + W1 + "\"}");
    bus.sync();

    assertThat(cycles())
        .singleElement()
        .satisfies(cycle -> assertThat(cycle.members()).contains(W1, W2));

    bus.post("PROGRESS", W2, "{\"task_id\":\"1.2\",\"progress_pct\":60}");
    bus.sync();
    assertThat(cycles()).isEmpty();
  }

  @Test
  void aBlockOfSomeMinutesAgoIsSeenByAMountThatComesLate() throws Exception {
    Instant then = Instant.now().minus(20, ChronoUnit.MINUTES);
    Files.writeString(
        bus.files.resolve("queue.jsonl"),
        line("a", W1, W2, then) + line("b", W2, W1, then.plusSeconds(1)));
    bus.sync();

    assertThat(cycles()).hasSize(1);
    List<Wait> waits = bus.team.ledger().look(ledger -> List.copyOf(ledger.waits().all()));
    assertThat(waits).extracting(Wait::name).containsExactlyInAnyOrder(W1, W2);
  }

  /** As the original writes times: UTC, with microseconds and a Z. */
  private static String line(String id, String worker, String on, Instant at) {
    return ("{\"id\":\"msg-%s\",\"type\":\"BLOCKED\",\"source\":\"%s\",\"timestamp\":\"%s\","
            + "\"payload\":{\"task_id\":\"9\",\"waiting_for\":\"%s\",\"resource\":\"\"}}\n")
        .formatted(id, worker, at.truncatedTo(ChronoUnit.MICROS), on);
  }

  @Test
  void ourBlockedTaskNamesTheWorkerThatIsInTheWay() throws Exception {
    bus.write(
        "locks.json",
        "{\"src/a.ts\":{\"worker_id\":\"%s\",\"acquired_at\":\"%s\",\"expires_at\":\"%s\"}}"
            .formatted(W1, Instant.now(), Instant.now().plusSeconds(1000)));
    bus.post("PROGRESS", W1, "{\"task_id\":\"1.1\"}");
    bus.sync();
    Session alice = bus.team.join("alice");
    TaskList tasks = bus.team.tasks(alice);
    var _ = tasks.add(Plan.of("7"), false);
    var _ = tasks.claim("7", TaskList.Terms.NONE);
    tasks.block("7", "path:src/a.ts", "");
    bus.sync();

    Fields payload = bus.queue("BLOCKED").getLast().object("payload");
    assertThat(payload.text("waiting_for")).isEqualTo(W1);
    assertThat(payload.text("resource")).isEqualTo("FILE_UNLOCK_src/a.ts");
  }

  /** The design's monitor follows BLOCKED messages alone, each worker's last one. */
  private String circleOfTheMonitor() throws Exception {
    Process monitor =
        new ProcessBuilder(
                "python3", "src/test/resources/clients/conductor_monitor.py", bus.files.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(monitor.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(monitor.waitFor()).isZero();
    return said;
  }

  @Test
  void theDesignsMonitorFindsACircleOfAWorkerAndATaskOfTheBus() throws Exception {
    bus.write("locks.json", "{\"src/b.ts\":\"" + W1 + "\"}");
    bus.sync();
    Session alice = bus.team.join("alice");
    TaskList tasks = bus.team.tasks(alice);
    var _ = tasks.add(Plan.of("7"), false);
    var _ = tasks.claim("7", TaskList.Terms.NONE);
    tasks.block("7", "path:src/b.ts", "");
    bus.sync();
    assertThat(circleOfTheMonitor()).isEmpty();

    bus.post("BLOCKED", W1, "{\"task_id\":\"1.1\",\"waiting_for\":\"alice\"}");
    bus.sync();

    assertThat(circleOfTheMonitor().split(" ")).containsExactlyInAnyOrder("alice", W1);
    assertThat(cycles()).hasSize(1);
  }

  /** What an agent of the bus waits for is no message to the files until it closes a circle. */
  @Test
  void theDesignsMonitorFindsACircleThatAWaitOfTheBusIsPartOf() throws Exception {
    bus.post("PROGRESS", W1, "{\"task_id\":\"1.1\"}");
    bus.sync();
    Session alice = bus.team.join("alice");
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Boolean> waiting =
          thread.submit(() -> bus.team.waits(alice).until("task:1.1", "", Duration.ofSeconds(60)));
      Awaitility.await()
          .until(() -> bus.team.ledger().look(ledger -> !ledger.waits().all().isEmpty()));
      bus.sync();
      assertThat(bus.queue("BLOCKED")).isEmpty();

      bus.post("BLOCKED", W1, "{\"task_id\":\"1.1\",\"waiting_for\":\"alice\"}");
      bus.sync();

      assertThat(circleOfTheMonitor().split(" ")).containsExactlyInAnyOrder("alice", W1);
      bus.post("TASK_COMPLETE", W1, "{\"task_id\":\"1.1\"}");
      bus.sync();
      assertThat(waiting.get()).isTrue();
    }
  }

  @Test
  void whatAnEventFileSaysIsKeptWithTheTask() throws Exception {
    bus.post("PROGRESS", W1, "{\"task_id\":\"1.1\"}");
    bus.post("PROGRESS", W2, "{\"task_id\":\"1.2\"}");
    bus.sync();
    bus.write(
        "events/TASK_COMPLETE_1.1.event",
        "{\"commit_sha\":\"abc123\",\"files_modified\":[\"src/a.ts\"]}");
    bus.write("events/TASK_FAILED_1.2.event", "tests do not pass");
    bus.sync();

    assertThat(task("1.1").result().commit()).isEqualTo("abc123");
    assertThat(task("1.1").result().files()).containsExactly("src/a.ts");
    assertThat(task("1.2")).returns("tests do not pass", Task::note);
  }

  @Test
  void soIsWhatOnlyTheFileSaysIfAMessageInTheQueueEndsTheTask() throws Exception {
    bus.post("PROGRESS", W1, "{\"task_id\":\"1.1\"}");
    bus.post("PROGRESS", W2, "{\"task_id\":\"1.2\"}");
    bus.sync();
    bus.post("TASK_COMPLETE", W1, "{\"task_id\":\"1.1\",\"commit_sha\":\"\"}");
    bus.write("events/TASK_COMPLETE_1.1.event", "{\"commit_sha\":\"abc123\"}");
    bus.post("TASK_FAILED", W2, "{\"task_id\":\"1.2\",\"error\":\"no disk\"}");
    bus.write("events/TASK_FAILED_1.2.event", "something went wrong");
    bus.sync();

    assertThat(task("1.1").result().commit()).isEqualTo("abc123");
    assertThat(task("1.2")).returns("no disk", Task::note);
  }

  @Test
  void aMissingEventsFolderIsMadeAnew() throws Exception {
    Session alice = bus.team.join("alice");
    TaskList tasks = bus.team.tasks(alice);
    var _ = tasks.add(Plan.of("7"), false);
    bus.sync();
    Files.delete(bus.files.resolve("events"));
    var _ = tasks.claim("7", TaskList.Terms.NONE);
    var _ = tasks.done("7", "abc", List.of(), null);
    bus.sync();

    assertThat(bus.files.resolve("events/TASK_COMPLETE_7.event")).exists();
    assertThat(bus.remarks).isEmpty();
  }

  @Test
  void aDirectorOfTheBusIsToldThatItsVoteInTheFileDoesNotCountAndVotesThereOnceItHasLeft()
      throws Exception {
    Session chair = bus.team.join("chair");
    Session director = bus.team.join("CA");
    Agenda agenda = Agenda.of("PRE_LAUNCH").among(List.of("CA")).rounds(0);
    String board = bus.team.boards(chair).open(agenda, "Ship it").board();
    var _ = bus.team.boards(chair).advance(board);
    String vote = "{\"CA\":{\"final_verdict\":\"REJECT\",\"confidence\":0.5,\"conditions\":[]}}";
    bus.sync();
    bus.write("board/votes.json", vote);
    bus.sync();
    bus.sync();

    assertThat(bus.remarks)
        .extracting(FileRemark::reason)
        .filteredOn(said -> said.contains("does not count"))
        .singleElement()
        .asString()
        .contains("CA");
    assertThat(ballots(board)).isNull();

    bus.team.sessions().leave(director, "done");
    bus.sync();

    assertThat(Objects.requireNonNull(ballots(board)).vote()).isEqualTo(Vote.REJECT);
  }

  private Ballot ballots(String board) {
    BoardSession meeting =
        bus.team.ledger().look(ledger -> Optional.ofNullable(ledger.boards().meeting(board))).get();
    return meeting.ballots().get("CA");
  }
}

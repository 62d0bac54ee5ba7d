package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.json.Json;
import dev.parley.dialects.testing.Client;
import dev.parley.dialects.testing.ConductorBus;
import dev.parley.dialects.testing.RunningBridge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1.2, 1.3, 1.6 and 1.10: what happens on one side is known, and waited for, on the other. */
class EventsOfMountedFilesTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private ConductorBus bus;
  private Session alice;
  private TaskList tasks;

  @BeforeEach
  void mount() {
    bus = new ConductorBus(folder);
    alice = bus.team.join("alice");
    tasks = bus.team.tasks(alice);
  }

  @AfterEach
  void close() {
    bus.close();
  }

  private Path event(String name) {
    return bus.files.resolve("events").resolve(name + ".event");
  }

  private static Plan after(String id, String before) {
    Plan plan = Plan.of(id);
    return new Plan(
        id,
        "",
        "",
        List.of(before),
        plan.criteria(),
        plan.files(),
        plan.needs(),
        plan.priority(),
        plan.tries());
  }

  @Test
  void theEndOfATaskOfOursIsInTheQueueAndSignalled() throws Exception {
    var _ = tasks.add(Plan.of("1.1"), false);
    var _ = tasks.add(after("1.2", "1.1"), false);
    var _ = tasks.claim("1.1", TaskList.Terms.NONE);
    bus.sync();
    var _ = tasks.done("1.1", "abc123", List.of("src/a.ts"), null);
    bus.sync();
    bus.sync();

    Fields complete = bus.queue("TASK_COMPLETE").getFirst();
    assertThat(bus.queue("TASK_COMPLETE")).hasSize(1);
    assertThat(complete.text("source")).isEqualTo("alice");
    assertThat(complete.object("payload").values())
        .containsEntry("task_id", Json.of("1.1"))
        .containsEntry("commit_sha", Json.of("abc123"))
        .containsEntry("files_modified", Json.ofStrings(List.of("src/a.ts")))
        .containsEntry("unblocks", Json.ofStrings(List.of("1.2")));
    assertThat(event("TASK_COMPLETE_1.1")).hasContent(complete.text("id") + "\n");
    assertThat(event("DEP_READY_1.2")).exists();
    var _ = tasks.claim("1.2", TaskList.Terms.NONE);
    var _ = tasks.fail("1.2", "no disk", false);
    bus.sync();
    assertThat(bus.queue("TASK_FAILED").getFirst().object("payload").text("error"))
        .isEqualTo("no disk");
    assertThat(event("TASK_FAILED_1.2")).exists();
  }

  @Test
  void aWorkersWaitEndsWithOurUnlock() throws Exception {
    Grant grant = bus.team.locks(alice).lock(LockRequest.of("src/a.ts"));
    bus.sync();
    assertThat(bus.queue("FILE_LOCK").getFirst().object("payload").text("filepath"))
        .isEqualTo("src/a.ts");
    try (Client exact =
            Client.python("conductor_waiter.py", bus.files, "FILE_UNLOCK_src_a.ts.event");
        Client any = Client.python("conductor_waiter.py", bus.files, "FILE_UNLOCK_all.event")) {
      assertThat(event("FILE_UNLOCK_all")).doesNotExist();

      bus.team.locks(alice).release(grant.token());
      bus.sync();

      assertThat(exact.exitCode()).isZero();
      assertThat(any.exitCode()).isZero();
    }
    assertThat(bus.queue("FILE_UNLOCK")).hasSize(1);
    assertThat(bus.read("locks.json")).isEmpty();
  }

  /** A bridge was killed after it said that something is locked, before it noted that. */
  @Test
  void anEndIsAnnouncedThoughTheBeginningWasNotNoted() throws Exception {
    Grant grant = bus.team.locks(alice).lock(LockRequest.of("src/a.ts"));
    bus.sync();
    assertThat(bus.queue("FILE_LOCK")).hasSize(1);
    bus.forgetLastNoteOf("lease:");

    bus.team.locks(alice).release(grant.token());
    bus.sync();
    bus.sync();

    assertThat(bus.queue("FILE_LOCK")).hasSize(1);
    assertThat(bus.queue("FILE_UNLOCK")).hasSize(1);
    assertThat(event("FILE_UNLOCK_src_a.ts")).exists();
    assertThat(bus.read("locks.json")).isEmpty();
  }

  /** A bridge was killed after it wrote a message into the queue, before it signalled that. */
  @Test
  void aQueueEntryOfAKilledProcessIsSignalled() throws Exception {
    var _ = tasks.add(Plan.of("1.1"), false);
    var _ = tasks.claim("1.1", TaskList.Terms.NONE);
    bus.sync();
    var _ = tasks.done("1.1", null, List.of(), null);
    bus.sync();
    bus.forgetLastNoteOf("\"pushed\"");
    Files.delete(event("TASK_COMPLETE_1.1"));

    bus.sync();

    assertThat(bus.queue("TASK_COMPLETE")).hasSize(1);
    assertThat(event("TASK_COMPLETE_1.1")).exists();
  }

  @Test
  void ourWaitForATaskEndsWhenAWorkerPostsThatItIsComplete() throws Exception {
    bus.post("PROGRESS", "worker-1.1-x", "{\"task_id\":\"1.1\",\"progress_pct\":10}");
    bus.sync();
    assertThat(bus.ledger().tasks().task("1.1").owner()).isEqualTo("worker-1.1-x");

    boolean over =
        whileWaiting(
            "task:1.1",
            () ->
                bus.post(
                    "TASK_COMPLETE",
                    "worker-1.1-x",
                    "{\"task_id\":\"1.1\",\"commit_sha\":\"abc\"}"));

    assertThat(over).isTrue();
    assertThat(bus.ledger().tasks().task("1.1").state()).isEqualTo(TaskState.DONE);
    assertThat(bus.ledger().tasks().task("1.1").result().commit()).isEqualTo("abc");
  }

  @Test
  void ourWaitForATaskEndsWithAnEventFileAlone() throws Exception {
    var _ = tasks.add(Plan.of("1.1"), false);

    assertThat(whileWaiting("task:1.1", () -> Files.writeString(event("TASK_COMPLETE_1.1"), "")))
        .isTrue();
  }

  @Test
  void aTaskThatOnlyItsWorkerKnowsIsWaitedForBeforeAndAfterItsEnd() throws Exception {
    assertThat(
            whileWaiting(
                "task:7.1",
                () -> bus.post("TASK_COMPLETE", "worker-7.1-x", "{\"task_id\":\"7.1\"}")))
        .isTrue();
    assertThat(whileWaiting("task:7.2", () -> Files.writeString(event("TASK_COMPLETE_7.2"), "")))
        .isTrue();

    Files.writeString(event("TASK_COMPLETE_7.3"), "");
    bus.sync();
    assertThat(bus.ledger().tasks().knows("7.3")).isFalse();
    try (RunningBridge _ = new RunningBridge(bus.place)) {
      for (String task : List.of("task:7.1", "task:7.2", "task:7.3")) {
        assertThat(bus.team.waits(alice).until(task, "", SOON)).isTrue();
      }
    }
  }

  @Test
  void anEventThatIsOlderThanATaskSaysNothingOfIt() throws Exception {
    Files.writeString(event("TASK_COMPLETE_1.1"), "");
    Files.setLastModifiedTime(
        event("TASK_COMPLETE_1.1"),
        java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() - 60_000));
    var _ = tasks.add(Plan.of("1.1"), false);

    bus.sync();

    assertThat(bus.ledger().tasks().task("1.1").state()).isEqualTo(TaskState.READY);
  }

  @Test
  void ourWaitForAPathEndsWhenItsWorkerGivesItBack() throws Exception {
    bus.write("locks.json", "{\"src/a.ts\":\"worker-1.1-x\"}");
    bus.sync();

    assertThat(whileWaiting("path:src/a.ts", () -> bus.write("locks.json", "{}"))).isTrue();
  }

  /** What a foreign worker does meanwhile. */
  private interface Deed {
    void run() throws Exception;
  }

  /** Whether alice's wait ended after something was done, with a bridge running. */
  private boolean whileWaiting(String target, Deed deed) throws Exception {
    try (RunningBridge _ = new RunningBridge(bus.place);
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Boolean> waiting = thread.submit(() -> bus.team.waits(alice).until(target, "", SOON));
      Awaitility.await()
          .until(() -> bus.team.ledger().look(ledger -> !ledger.waits().all().isEmpty()));
      deed.run();
      return waiting.get();
    }
  }

  @Test
  void aBlockedWorkerWaitsUntilItsCauseIsOver() throws Exception {
    Grant grant = bus.team.locks(alice).lock(LockRequest.of("src/a.ts"));
    bus.post(
        "BLOCKED",
        "worker-1.1-x",
        "{\"task_id\":\"1.1\",\"waiting_for\":\"alice\",\"resource\":\"src/a.ts\"}");
    bus.sync();

    assertThat(bus.ledger().graph().edges())
        .extracting(WaitGraph.Edge::from, WaitGraph.Edge::to)
        .contains(org.assertj.core.groups.Tuple.tuple("worker-1.1-x", "alice"));
    bus.team.locks(alice).release(grant.token());
    assertThat(bus.ledger().waits().all()).isEmpty();
  }

  @Test
  void workersThatWaitForEachOtherAreACircle() throws Exception {
    bus.write("locks.json", "{\"a\":\"w1\",\"b\":\"w2\"}");
    bus.post("BLOCKED", "w1", "{\"waiting_for\":\"FILE_UNLOCK_b\"}");
    bus.post("BLOCKED", "w2", "{\"waiting_for\":\"w1\"}");
    bus.sync();

    assertThat(bus.ledger().graph().cycles())
        .singleElement()
        .satisfies(cycle -> assertThat(cycle.members()).contains("w1", "w2"));
    bus.post("PROGRESS", "w2", "{\"progress_pct\":50}");
    bus.sync();
    assertThat(bus.ledger().graph().cycles()).isEmpty();
  }

  @Test
  void ofALongHistoryOnlyTheLastEventsCount() throws Exception {
    StringBuilder history = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      history.append(
          "{\"id\":\"msg-old-%s\",\"type\":\"PROGRESS\",\"source\":\"w\",\"timestamp\":\"2026-02-01T12:00:00Z\",\"payload\":{\"task_id\":\"%s\"}}\n"
              .formatted(i, i));
    }
    bus.write("queue.jsonl", history.toString());

    bus.sync();

    assertThat(bus.ledger().tasks().all()).isEmpty();
    assertThat(bus.ledger().roster().knows("w")).isTrue();
  }
}

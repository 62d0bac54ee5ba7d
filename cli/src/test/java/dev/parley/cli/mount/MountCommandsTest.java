package dev.parley.cli.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import dev.parley.dialects.message.JsonLineCodec;
import dev.parley.dialects.swarm.SendMessageInput;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seed 2.1: agents of other tools and those of the bus, on the command line. */
class MountCommandsTest {
  @TempDir Path folder;
  private Trial trial;
  private SwarmMessageBus swarm;

  @BeforeEach
  void create() {
    trial = new Trial(folder).with("PARLEY_AGENT", "alice");
    assertThat(trial.run("init").exitCode()).isZero();
    swarm = new SwarmMessageBus(folder.resolve(".swarm"), remark -> {});
  }

  private void mountSwarm() {
    Answer made = trial.run("init", "--dialect", "swarm");
    assertThat(made.out()).contains("Made " + folder.resolve(".swarm"));
    assertThat(trial.run("mount", "swarm", ".swarm").out())
        .startsWith("mounted swarm: " + folder.resolve(".swarm"));
  }

  @Test
  void aCommandPullsBeforeAndPushesAfter() {
    mountSwarm();

    assertThat(trial.run("send", "developer", "--type", "question", "--body", "Which?").exitCode())
        .isZero();
    SwarmMessage question = swarm.readInbox("developer").getFirst();
    swarm.addToOutbox(
        "developer",
        new SwarmMessage(
            Json.parse(
                """
                {"id":"a-1","timestamp":"2024-01-01T00:00:00.000Z","from":"developer","to":"alice",
                 "type":"result","priority":"normal","content":{"subject":"","body":"8080"},
                 "threadId":"%s","requiresResponse":false}\
                """
                    .formatted(question.threadId()))));

    assertThat(trial.run("inbox", "--json").out()).contains("\"body\":\"8080\"");
    assertThat(trial.run("inbox", "sent").out()).contains("delivered");
  }

  @Test
  void mountsAreListedAndRemoved() {
    assertThat(trial.run("mount", "list").out()).isEqualTo("No mounts.\n");
    mountSwarm();

    assertThat(trial.run("mount", "list").out()).contains("NAME", "swarm  swarm");
    assertThat(trial.run("mount", "list", "--json").json().get("path").text())
        .isEqualTo(folder.resolve(".swarm").toString());
    assertThat(trial.run("mount", "remove", "swarm").out()).startsWith("removed swarm");
    assertThat(trial.run("mount", "remove", "swarm").exitCode()).isEqualTo(3);
    assertThat(trial.run("bridge").err()).contains("There are no mounts");
  }

  @Test
  void initMakesTheLayoutOfADesignAndTouchesNothing() throws Exception {
    assertThat(trial.run("init", "--dialect", "markdown", "docs.md").exitCode()).isZero();
    String before = Files.readString(folder.resolve("docs.md"));
    assertThat(
            trial
                .run("init", "--dialect", "markdown", "docs.md", "--json")
                .json()
                .get("state")
                .text())
        .isEqualTo("exists");
    assertThat(folder.resolve("docs.md")).hasContent(before);
    assertThat(trial.run("init", "somewhere").exitCode()).isEqualTo(2);
    assertThat(trial.run("mount", "swarm", "nowhere").err())
        .contains("parley init --dialect swarm");
  }

  @Test
  void aBareForeignFolderNeedsNoBusOfItsOwn(@TempDir Path elsewhere) {
    Trial there = new Trial(elsewhere).with("PARLEY_AGENT", "worker-1.1-x");
    assertThat(there.run("init", "--dialect", "conductor").exitCode()).isZero();

    Answer published =
        there.run(
            "--bus",
            "conductor:.message-bus",
            "publish",
            "conductor",
            "--type",
            "TASK_COMPLETE",
            "--payload",
            "{\"task_id\":\"1.1\"}");

    assertThat(published.exitCode()).as(published.err()).isZero();
    assertThat(elsewhere.resolve(".message-bus/queue.jsonl")).content().contains("TASK_COMPLETE");
    assertThat(elsewhere.resolve(".message-bus/events/TASK_COMPLETE_1.1.event")).exists();
    assertThat(there.run("--bus", "conductor:nowhere", "tail").err())
        .contains("There is no conductor at");
  }

  @ParameterizedTest
  @CsvSource({
    "markdown, MESSAGE-BUS.md, journal, MESSAGE-BUS.md",
    "conclave, .conclave/bus, debate, .conclave/bus/debate.jsonl",
    "conclave, .conclave/bus, parallel.wave-0.board, .conclave/bus/parallel.wave-0.board.jsonl",
    "swarm, .swarm, mail.developer, .swarm/messages/inbox/developer.json"
  })
  void everyDesignsFilesAreABusOfTheirOwn(
      String dialect, String path, String topic, String file, @TempDir Path elsewhere) {
    Trial there = new Trial(elsewhere).with("PARLEY_AGENT", "alice");
    assertThat(there.run("init", "--dialect", dialect).exitCode()).isZero();
    String bus = dialect + ":" + path;

    Answer published =
        topic.startsWith("mail.")
            ? there.run("--bus", bus, "send", topic.substring(5), "--body", "it pages")
            : there.run(
                "--bus", bus, "publish", topic, "--type", "finding", "--payload", "\"it pages\"");

    assertThat(published.exitCode()).as(published.err()).isZero();
    assertThat(elsewhere.resolve(file)).content().contains("it pages");
    assertThat(there.run("--bus", bus, "mount", "list").out()).contains(dialect);
    assertThat(there.run("--bus", bus, "tail", topic).lines()).hasSize(1);
  }

  @Test
  void checkSaysWhatIsNotInStepAndWhyAndDoctorDoesNotCallThatHealthy() throws Exception {
    for (String design : List.of("conclave", "conductor", "markdown", "swarm")) {
      trial.run("init", "--dialect", design);
    }
    trial.run("mount", "conclave", ".conclave/bus");
    trial.run("mount", "conductor", ".message-bus");
    trial.run("mount", "markdown", "MESSAGE-BUS.md");
    Answer all = trial.run("mount", "list", "--check");
    assertThat(all.exitCode()).as(all.out()).isZero();
    assertThat(trial.run("doctor").out()).contains("healthy: ").doesNotContain("not healthy");

    Path queue = folder.resolve(".message-bus/queue.jsonl");
    String line =
        "{\"id\":\"msg-1\",\"type\":\"PROGRESS\",\"source\":\"w\",\"payload\":{\"n\":%d}}\n";
    Files.writeString(queue, line.formatted(1) + line.formatted(2) + "no json\n{\"type\":");
    Files.createSymbolicLink(folder.resolve(".conclave/bus/x.jsonl"), queue);
    Answer check = trial.run("mount", "list", "--check");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out())
        .contains("is a symbolic link", "twice with different texts", "not a JSON object")
        .contains("is incomplete", "not in sync yet")
        .containsPattern("markdown +in-step");
    assertThat(trial.run("mount", "list", "--check", "--json").out())
        .contains("\"state\":\"passed-over\"", "\"unreadBytes\":8");
    Answer doctor = trial.run("doctor");
    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.out())
        .contains("twice with different texts", "is incomplete", "symbolic link");

    Files.delete(folder.resolve(".conclave/bus/x.jsonl"));
    Files.delete(folder.resolve(".conclave/bus"));
    assertThat(trial.run("mount", "list", "--check").out()).containsPattern("conclave +absent");
  }

  /**
   * Seed 2: a program's message that may never have been in an inbox is told, and sent on demand.
   */
  @Test
  void whatOnlyPerhapsWasReadIsNoStateThatDoctorCallsHealthy() throws Exception {
    swarm.initializeAgentQueues();
    trial.run("mount", "swarm", ".swarm");
    trial.run("inbox");
    Instant sent = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusMillis(3499);
    SwarmMessage task =
        new SwarmMessage(
            JsonLineCodec.with(
                SwarmMessageBus.createMessage(
                        SendMessageInput.of(
                            "orchestrator", "developer", "task", "s", "perhaps read"))
                    .json(),
                "timestamp",
                Json.of(sent.toString())));
    swarm.addToOutbox("orchestrator", task);
    swarm.clearInbox("developer");
    Files.setLastModifiedTime(
        swarm.getInboxPath("developer"), FileTime.from(Instant.now())); // by whom?
    trial.run("inbox");

    Answer check = trial.run("mount", "list", "--check");
    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out()).contains(task.id(), "counts as read", "--route-old");
    assertThat(trial.run("doctor").exitCode()).isEqualTo(1);

    trial.run("mount", "swarm", ".swarm", "--route-old");
    assertThat(swarm.readInbox("developer")).containsExactly(task);
    assertThat(trial.run("mount", "list", "--check").exitCode()).isZero();
    assertThat(trial.run("doctor").out()).contains("healthy: ").doesNotContain("not healthy");
  }

  /** Seed 0.9: the board of a wave and the bulletin of a wave are one, both ways. */
  @Test
  void theBulletinIsTheBoardOfTheMountedWave() throws Exception {
    Path waves = folder.resolve("run/wave-1");
    assertThat(trial.run("init", "--dialect", "conclave", "run").exitCode()).isZero();
    Files.createDirectories(waves);
    trial.run("mount", "conclave", "run");
    Path board = waves.resolve("parallel.wave-1.board.jsonl");

    trial.run("bulletin", "post", "--wave", "wave-1", "--kind", "warning", "--body", "port 80");
    assertThat(board).content().contains("board.warning", "port 80");
    Files.writeString(
        board,
        Files.readString(board)
            + """
            {"id":"7-1","seq":1,"timestamp":"2026-02-01T12:00:00.5Z","sender":"task-1",\
            "topic":"parallel.wave-1.board","type":"board.discovery","payload":{"text":"a \\u003c b"}}
            """);

    assertThat(trial.run("bulletin", "read", "--wave", "wave-1").out())
        .contains("port 80", "a < b");
    assertThat(trial.run("tail", "parallel.wave-1.board").lines()).hasSize(2);
  }

  /** Seed 0.6: the folder is removed when its run is over; what is ours is not in it. */
  @Test
  void aBusOfFilesThatAreRemovedKeepsItsMail(@TempDir Path elsewhere) throws Exception {
    Trial there =
        new Trial(elsewhere)
            .with("PARLEY_AGENT", "alice")
            .with("BUS_DIR", "run")
            .with("PARLEY_STATE", elsewhere.toRealPath().resolve("state").toString());
    assertThat(there.run("init", "--dialect", "conclave").out()).contains("run");
    assertThat(there.run("join", "--as", "bob").exitCode()).isZero();
    assertThat(there.run("send", "bob", "--body", "remember").exitCode()).isZero();
    assertThat(there.run("publish", "debate", "--type", "finding").exitCode()).isZero();
    assertThat(elsewhere.resolve("run")).isDirectoryContaining("glob:**debate.jsonl");
    Files.delete(elsewhere.resolve("run/debate.jsonl"));
    Files.delete(elsewhere.resolve("run"));

    Answer inbox = there.run("--bus", "conclave:run", "inbox", "--as", "bob");

    assertThat(inbox.out()).contains("remember");
    assertThat(inbox.err()).contains("is mounted but missing");
    assertThat(there.run("--bus", "conclave:run", "topics").err()).isEmpty();
  }

  /** What comes after the folder is back reaches who waits since before it was gone. */
  @Test
  void aWaitGoesOnWhileItsFilesAreGone(@TempDir Path elsewhere) throws Exception {
    Trial there =
        new Trial(elsewhere)
            .with("PARLEY_AGENT", "bob")
            .with("PARLEY_STATE", elsewhere.toRealPath().resolve("state").toString());
    Path run = elsewhere.resolve("run");
    assertThat(there.run("init", "--dialect", "conclave", "run").exitCode()).isZero();
    assertThat(there.run("--bus", "conclave:run", "join").exitCode()).isZero();
    CompletableFuture<Answer> waiting =
        CompletableFuture.supplyAsync(
            () -> there.run("--bus", "conclave:run", "wait", "--timeout", "60s"));

    Files.delete(run);
    assertThat(there.run("--bus", "conclave:run", "mount", "list", "--check").out())
        .contains("absent");
    Files.createDirectory(run);
    Files.writeString(
        run.resolve("mail.bob.jsonl"),
        """
        {"id":"9-1","seq":1,"timestamp":"2026-02-01T12:00:00.5Z","sender":"task-1",\
        "topic":"mail.bob","type":"note","payload":{"text":"back again"}}
        """);

    assertThat(waiting.get().exitCode()).isZero();
    assertThat(waiting.get().out()).contains("back again");
  }

  @Test
  void aBareFoldersLocksAreTakenAndRefusedAsTheDesignDoes(@TempDir Path elsewhere)
      throws Exception {
    Trial there = new Trial(elsewhere).with("PARLEY_AGENT", "worker-1.1-x");
    assertThat(there.run("init", "--dialect", "conductor").exitCode()).isZero();
    String bus = "conductor:.message-bus";
    Path locks = elsewhere.resolve(".message-bus/locks.json");

    Answer locked = there.run("--bus", bus, "lock", "src/a.ts");

    assertThat(locked.exitCode()).as(locked.err()).isZero();
    assertThat(locks).content().contains("\"src/a.ts\"", "\"worker_id\": \"worker-1.1-x\"");
    assertThat(there.run("--bus", bus, "lock", "src/*").err()).contains("knows only files");
    assertThat(there.run("--bus", bus, "unlock", "src/a.ts").exitCode()).isZero();
    assertThat(locks).hasContent("{}");
    Files.writeString(locks, "{\"src/a.ts\":\"worker-2\"}");
    Answer refused = there.run("--bus", bus, "lock", "src/a.ts");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("worker-2 holds src/a.ts");
    assertThat(there.run("--bus", bus, "who").out()).contains("worker-2", "worker-1.1-x");
    assertThat(there.run("--bus", bus, "locks", "break", "src/a.ts", "--reason", "gone").exitCode())
        .isZero();
    assertThat(locks).hasContent("{}");
  }

  /** Seed 1.3: the design's wait_for_event. */
  @Test
  void anEventFileIsWaitedForByAPattern(@TempDir Path elsewhere) throws Exception {
    Trial there = new Trial(elsewhere).with("PARLEY_AGENT", "worker-1.1-x");
    assertThat(trial.run("wait", "event:x").err()).contains("parley mount conductor");
    assertThat(there.run("init", "--dialect", "conductor").exitCode()).isZero();
    String bus = "conductor:.message-bus";
    String pattern = "event:TASK_COMPLETE_1.*.event";
    assertThat(there.run("--bus", bus, "wait", pattern, "--timeout", "1s").exitCode()).isEqualTo(4);
    assertThat(there.run("--bus", bus, "wait", "event:[", "--timeout", "1s").exitCode())
        .isEqualTo(2);
    Path event = elsewhere.resolve(".message-bus/events/TASK_COMPLETE_1.1.event");
    CompletableFuture<Answer> waiting =
        CompletableFuture.supplyAsync(
            () -> there.run("--bus", bus, "wait", pattern, "--timeout", "60s", "--json"));

    Files.createFile(event);

    assertThat(waiting.get().out())
        .contains("\"event\":\"" + pattern + "\"", "\"file\":\"" + event);
    assertThat(waiting.get().exitCode()).isZero();
    assertThat(there.run("--bus", bus, "wait", pattern).out()).contains(event + " is there.");
  }

  @Test
  void doctorTellsWhatCantBeReadInMountedFiles() throws Exception {
    mountSwarm();
    assertThat(trial.run("doctor").exitCode()).as(trial.run("doctor").out()).isZero();
    Files.writeString(swarm.getOutboxPath("developer"), "[{\"to\":\"x\"}]");

    Answer doctor = trial.run("doctor");

    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.out())
        .contains(swarm.getOutboxPath("developer") + "  Entry 1 has no id. It was left unchanged.");
    Files.delete(swarm.getOutboxPath("developer"));
    Files.createDirectory(swarm.getOutboxPath("developer"));
    assertThat(trial.run("doctor").out()).contains("Is a directory. It was left unchanged.");
  }

  @Test
  void doctorListsLocksThatWereOverwritten() throws Exception {
    assertThat(trial.run("init", "--dialect", "conductor").exitCode()).isZero();
    assertThat(trial.run("mount", "conductor", ".message-bus").exitCode()).isZero();
    assertThat(trial.run("lock", "src/a.ts").exitCode()).isZero();
    assertThat(trial.run("doctor").out()).doesNotContain("locks.json");
    Path locks = folder.resolve(".message-bus/locks.json");
    Files.writeString(locks, "{\"src/a.ts\":\"worker-9\"}");

    assertThat(trial.run("who").exitCode()).isZero();
    Answer doctor = trial.run("doctor");

    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.out())
        .contains(
            "problem   " + locks + "  worker-9 overwrote the lock of alice on src/a.ts",
            "Both agents were notified (conductor@");
    Files.writeString(locks, "{}");
    assertThat(trial.run("who").exitCode()).isZero();
    Answer later = trial.run("doctor");
    assertThat(later.exitCode()).as(later.out()).isZero();
    assertThat(later.out())
        .contains("note      " + locks + "  A lock was overwritten or dropped")
        .contains("parley tail conductor --type LOCK_CLOBBERED");
    assertThat(trial.run("tail", "conductor", "--type", "LOCK_CLOBBERED").lines()).hasSize(1);
  }
}

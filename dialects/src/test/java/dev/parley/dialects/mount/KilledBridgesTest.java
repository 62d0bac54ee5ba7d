package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Verdict;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.roster.Status;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.testing.BridgeProcess;
import dev.parley.dialects.testing.Client;
import dev.parley.dialects.testing.ConductorBus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Seed 1.2 to 1.8: workers and directors of the files and of the bus at their work, while bridges
 * between them are killed at any moment.
 */
class KilledBridgesTest {
  private static final List<String> WORKERS = List.of("worker-1.1-x", "worker-1.2-y");
  private static final List<String> THEIRS = List.of("CSO", "COO", "CXO");
  private static final List<String> OURS = List.of("CA", "CPO");
  private static final Duration LONG = Duration.ofSeconds(Seed.isLong() ? 300 : 90);
  private static final String PATH = "src/a.ts";

  /** What a worker posts a round: FILE_LOCK, PROGRESS, FILE_UNLOCK, TASK_COMPLETE. */
  private static final int POSTS = 4;

  private final int rounds = Seed.isLong() ? 400 : 12;
  private final int kills = Seed.isLong() ? 100 : 5;

  @TempDir Path folder;
  private Path counter;
  private ConductorBus bus;

  @BeforeEach
  void mount() throws Exception {
    bus = new ConductorBus(folder);
    counter = folder.resolve("counter");
    Files.writeString(counter, "0");
  }

  @AfterEach
  void close() {
    bus.close();
  }

  @Test
  void allConvergesThoughBridgesAreKilledDuringTheWorkOfBothSides() throws Exception {
    Random random = Seed.random("killed bridges");
    Session alice = bus.team.join("alice");
    String board = bus.team.boards(alice).open(Agenda.of("EVALUATE_PLAN"), "Ship it").board();
    List<Client> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (String worker : WORKERS) {
        clients.add(
            Client.python("conductor_worker.py", bus.files, worker, PATH, counter, rounds, "talk"));
      }
      for (String director : THEIRS) {
        clients.add(Client.python("conductor_director.py", bus.files, director, "APPROVE"));
      }
      List<Future<?>> ours = new ArrayList<>();
      ours.add(threads.submit(() -> work(alice)));
      for (String director : OURS) {
        ours.add(threads.submit(() -> deliberate(director, board)));
      }
      killSome(random, kills);
      try (Client _ = Client.java(BridgeProcess.class, folder)) {
        Awaitility.await().atMost(LONG).until(() -> !isBusy(clients, ours));
      }
      for (Future<?> each : ours) {
        each.get();
      }
      for (Client client : clients) {
        assertThat(client.exitCode()).isZero();
      }
      Seed.say(kills + " bridges killed, " + 3 * rounds + " rounds of work");
    } finally {
      clients.forEach(Client::close);
    }

    bus.sync();

    assertThat(counter).hasContent(String.valueOf(3 * rounds));
    locksAreFree();
    everyMessageIsThereOnce();
    everyTaskIsDone();
    theBoardResolvedOnce(board);
  }

  /**
   * Seed 1.4: half of the locks are overwritten, half are dropped, and bridges die at telling it.
   */
  @Test
  void bothHoldersOfAnOverwrittenLockAreNotifiedOnceThoughBridgesAreKilled() throws Exception {
    Random random = Seed.random("clobbered locks");
    Session alice = bus.team.join("alice");
    List<String> paths = IntStream.range(0, 40).mapToObj(i -> "src/" + i + ".ts").toList();
    var _ = bus.team.locks(alice).lock(LockRequest.of(paths.toArray(String[]::new)));
    bus.sync();
    String theirs =
        "{\"worker_id\":\"worker-9\",\"acquired_at\":\"\",\"expires_at\":\"2999-01-01T00:00:00\"}";
    bus.write(
        "locks.json",
        paths.stream()
            .limit(20)
            .map(path -> "\"" + path + "\":" + theirs)
            .collect(Collectors.joining(",", "{", "}")));

    int told = 0;
    for (int i = 0; i < kills && told < paths.size(); i++) {
      told += random.nextInt(Math.max(2, 2 * paths.size() / kills));
      int enough = Math.min(told, paths.size());
      try (Client _ = Client.java(BridgeProcess.class, folder)) {
        Awaitility.await()
            .atMost(LONG)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> bus.stored(new Topic("mail.alice")).size() >= enough);
      }
      Seed.say("killed when " + bus.stored(new Topic("mail.alice")).size() + " were told by mail");
    }
    bus.sync();

    assertThat(bus.queue("LOCK_CLOBBERED"))
        .extracting(message -> message.object("payload").text("filepath"))
        .containsExactlyInAnyOrderElementsOf(paths);
    assertThat(bus.team.mail(alice).inbox(MailFilter.ANY))
        .extracting(letter -> Fields.of(letter.envelope().payload()).text("subject"))
        .containsExactlyInAnyOrderElementsOf(
            paths.stream().map(path -> "Your lock on " + path).toList());
    assertThat(bus.read("locks.json")).containsOnlyKeys(paths);
  }

  /** Retry is the normal path of the design's dispatchers. */
  @Test
  void tasksThatOneWorkerFailedAndAnotherCompletedAreDoneThoughBridgesAreKilled() throws Exception {
    Random random = Seed.random("retried tasks");
    int tasks = rounds;
    try (Client dispatcher = Client.python("conductor_dispatcher.py", bus.files, tasks)) {
      killSome(random, kills / 2);
      try (Client _ = Client.java(BridgeProcess.class, folder)) {
        assertThat(dispatcher.exitCode()).isZero();
      }
    }
    bus.sync();

    assertThat(bus.ledger().tasks().all()).hasSize(tasks);
    for (int i = 0; i < tasks; i++) {
      Task task = bus.ledger().tasks().task("1." + i);
      assertThat(task)
          .returns(TaskState.DONE, Task::state)
          .returns("worker-1." + i + "-b", Task::owner);
      assertThat(task.result().commit()).isEqualTo("commit-" + i);
    }
    assertThat(bus.queue()).hasSize(4 * tasks); // nothing of ours, nothing twice
    assertThat(bus.stored(new Topic("conductor")))
        .hasSize(4 * tasks)
        .extracting(Envelope::key)
        .doesNotHaveDuplicates();
  }

  /** A process begins with small rounds; the one that was killed had come to large ones. */
  @ParameterizedTest
  @CsvSource({"300, 10", "0, 200", "300, 200"})
  void whatALargeRoundPushedIsKnownAgainBySmallOnes(int theirs, int ours) throws Exception {
    for (int i = 0; i < 5; i++) {
      bus.sync();
    }
    for (int i = 0; i < theirs; i++) {
      bus.post("NOTE", "worker-1", "{\"text\":\"" + "x".repeat(300) + "\"}");
    }
    Topic topic = new Topic("conductor");
    for (int i = 0; i < ours; i++) {
      var _ = bus.log.append(topic, List.of(Message.of("alice", "NOTE", Json.of("ours " + i))));
    }
    bus.sync();
    bus.forgetLastNoteOf("pushed");

    bus.sync();

    assertThat(bus.stored(topic)).hasSize(theirs + ours);
    assertThat(bus.queue())
        .hasSize(theirs + ours)
        .extracting(message -> message.text("id"))
        .doesNotHaveDuplicates();
  }

  private static boolean isBusy(List<Client> clients, List<Future<?>> ours) {
    return clients.stream().anyMatch(Client::isAlive) || ours.stream().anyMatch(f -> !f.isDone());
  }

  private void killSome(Random random, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      try (Client bridge = Client.java(BridgeProcess.class, folder)) {
        bridge.awaitOutput();
        long end = System.nanoTime() + Duration.ofMillis(random.nextInt(1200)).toNanos();
        Awaitility.await()
            .pollInterval(Duration.ofMillis(1))
            .until(() -> System.nanoTime() - end >= 0);
      }
    }
  }

  /** What an agent of the bus does: a task after the other, each with the lock. */
  private Void work(Session alice) throws Exception {
    Locks locks = bus.team.locks(alice);
    TaskList tasks = bus.team.tasks(alice);
    for (int i = 0; i < rounds; i++) {
      String task = "alice." + i;
      var _ = tasks.add(Plan.of(task), false);
      var _ = tasks.claim(task, TaskList.Terms.NONE);
      Grant grant = locks.lock(LockRequest.of(PATH), LONG);
      int count = Integer.parseInt(Files.readString(counter));
      Files.writeString(counter, String.valueOf(count + 1));
      locks.release(grant.token());
      var _ = tasks.done(task, "abc", List.of(PATH), null);
    }
    return null;
  }

  private Void deliberate(String director, String board) {
    BoardService boards = bus.team.boards(bus.team.join(director));
    var _ = boards.assess(board, new Assessment(Opinion.APPROVE, 8, List.of(), List.of()));
    for (int round = 1; round <= 3; round++) {
      awaitTurn(board, Phase.DISCUSS, director, round);
      var _ =
          boards.discuss(
              board, new BoardService.Speech("ALL", Statement.Kind.AGREE, "fine", false));
    }
    awaitTurn(board, Phase.VOTE, director, 0);
    var _ = boards.vote(board, new Ballot(Vote.APPROVE, Confidence.FULL, List.of(), ""));
    return null;
  }

  private void awaitTurn(String board, Phase phase, String director, int round) {
    Awaitility.await()
        .atMost(LONG)
        .until(() -> {
          BoardSession meeting = bus.team.boards().meeting(board);
          return meeting.phase() == phase
              && meeting.missing().contains(director)
              && (round == 0 || meeting.stage().round() == round);
        });
  }

  private void locksAreFree() throws Exception {
    assertThat(bus.read("locks.json")).isEmpty();
    assertThat(bus.ledger().leases().all()).isEmpty();
    assertThat(bus.queue("LOCK_CLOBBERED")).isEmpty();
    assertThat(of("alice", "FILE_UNLOCK")).hasSameSizeAs(of("alice", "FILE_LOCK"));
  }

  private List<Fields> of(String source, String type) throws Exception {
    return bus.queue(type).stream()
        .filter(message -> source.equals(message.text("source")))
        .toList();
  }

  private void everyMessageIsThereOnce() throws Exception {
    List<Envelope> stored = bus.stored(new Topic("conductor"));
    assertThat(stored).extracting(Envelope::key).doesNotHaveDuplicates();
    for (String worker : WORKERS) {
      assertThat(stored.stream().filter(envelope -> envelope.sender().equals(worker)))
          .as(worker)
          .hasSize(POSTS * rounds);
      assertThat(of(worker, "TASK_COMPLETE")).hasSize(rounds);
    }
    assertThat(bus.queue())
        .extracting(message -> message.text("id"))
        .doesNotHaveDuplicates()
        .hasSameSizeAs(stored);
    assertThat(of("alice", "TASK_COMPLETE"))
        .extracting(message -> message.object("payload").text("task_id"))
        .containsExactlyInAnyOrderElementsOf(tasksOf("alice"));
    for (String task : tasksOf("alice")) {
      assertThat(bus.files.resolve("events/TASK_COMPLETE_" + task + ".event")).exists();
    }
  }

  private List<String> tasksOf(String worker) {
    return IntStream.range(0, rounds).mapToObj(i -> worker + "." + i).toList();
  }

  private void everyTaskIsDone() throws Exception {
    List<String> expected = new ArrayList<>(tasksOf("alice"));
    WORKERS.forEach(worker -> expected.addAll(tasksOf(worker)));
    assertThat(bus.ledger().tasks().all())
        .allMatch(task -> task.state() == TaskState.DONE)
        .extracting(Task::id)
        .containsExactlyInAnyOrderElementsOf(expected);
    for (String worker : WORKERS) {
      assertThat(bus.ledger().roster().member(worker).status()).isEqualTo(Status.COMPLETE);
      assertThat(bus.read("worker-status.json", worker).text("status")).isEqualTo("COMPLETE");
    }
    assertThat(bus.read("worker-status.json")).containsKeys("alice", "CA", "CPO");
  }

  private void theBoardResolvedOnce(String board) throws Exception {
    assertThat(bus.team.boards().meeting(board).resolution().verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(bus.queue("BOARD_RESOLVE")).hasSize(1);
    assertThat(bus.team.boards().meeting(board).remarks()).hasSize(15);
    assertThat(Files.readAllLines(bus.files.resolve("board/discussion.jsonl"))).hasSize(15);
    assertThat(bus.files.resolve("board/resolution.md")).content().contains("APPROVED");
  }
}

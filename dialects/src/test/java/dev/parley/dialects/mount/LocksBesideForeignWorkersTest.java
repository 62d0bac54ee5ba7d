package dev.parley.dialects.mount;

import static dev.parley.dialects.testing.Refusals.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.Team;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.core.Envelope;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.sync.MirrorTypes;
import dev.parley.dialects.testing.Client;
import dev.parley.dialects.testing.Locker;
import dev.parley.dialects.testing.RunningBridge;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1.4, decided: our locks beside programs that know nothing but {@code locks.json}. */
class LocksBesideForeignWorkersTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private BusFolder place;
  private Path conductor;

  @BeforeEach
  void mount() {
    place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    conductor = folder.resolve(".message-bus");
    var _ = Dialect.CONDUCTOR.create(conductor);
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      var _ = mounts.add(Dialect.CONDUCTOR, conductor, null, null);
    }
  }

  @Test
  void workersThatTakeTheMutexAndOursExcludeEachOtherExactly() throws Exception {
    int rounds = Seed.isLong() ? 1000 : 60;
    Path counter = folder.resolve("counter");
    Files.writeString(counter, "0");
    List<Future<?>> ours = new ArrayList<>();
    try (Client one = worker("worker-1.1-x", counter, rounds);
        Client two = worker("worker-1.2-y", counter, rounds);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      for (String name : List.of("alice", "bob")) {
        ours.add(
            threads.submit(() -> {
              count(name, counter, rounds);
              return null;
            }));
      }
      for (Future<?> each : ours) {
        each.get();
      }
      assertThat(one.exitCode()).isZero();
      assertThat(two.exitCode()).isZero();
    }

    assertThat(counter).hasContent(String.valueOf(4 * rounds));
    assertThat(Json.parse(Files.readString(conductor.resolve("locks.json"))).fields()).isEmpty();
  }

  private Client worker(String name, Path counter, int rounds) throws Exception {
    return Client.python("conductor_worker.py", conductor, name, "src/a.ts", counter, rounds);
  }

  /** What a process of ours does: locks, counts, unlocks, and leaves the file in step. */
  private void count(String name, Path counter, int rounds) throws Exception {
    try (FileLog log = place.openLog();
        Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      Team team = new Team(log, place.views(), Reporter.TO_LOG).withTables(mounts.locks());
      Locks locks = team.locks(team.join(name));
      try (RunningBridge _ = new RunningBridge(place)) {
        for (int i = 0; i < rounds; i++) {
          Grant grant = locks.lock(LockRequest.of("src/a.ts"), Duration.ofMinutes(2));
          int count = Integer.parseInt(Files.readString(counter));
          Files.writeString(counter, String.valueOf(count + 1));
          locks.release(grant.token());
        }
      }
      mounts.sync();
    }
  }

  @Test
  void aClobberedLockIsReportedToBothWithinASecond() throws Exception {
    int rounds = Seed.isLong() ? 50 : 5;
    List<Long> millis = new ArrayList<>();
    try (FileLog log = place.openLog();
        Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {});
        RunningBridge _ = new RunningBridge(place)) {
      Team team = new Team(log, place.views(), Reporter.TO_LOG).withTables(mounts.locks());
      Session alice = team.join("alice");
      for (int i = 0; i < rounds; i++) {
        String path = "src/" + i + ".ts";
        var _ = team.locks(alice).lock(LockRequest.of(path));
        Instant clobbered = Instant.now();
        Files.writeString(
            conductor.resolve("locks.json"),
            "{\"%s\":{\"worker_id\":\"worker-9\",\"acquired_at\":\"%s\",\"expires_at\":\"2999-01-01T00:00:00\"}}"
                .formatted(path, Timestamps.format(clobbered)));
        Awaitility.await()
            .atMost(SOON)
            .until(() -> told(log, new Topic("mail.alice"), path) != null && queueTells(path));
        Instant queued = Files.getLastModifiedTime(conductor.resolve("queue.jsonl")).toInstant();
        Envelope mail = told(log, new Topic("mail.alice"), path);
        Instant mailed = Timestamps.parse(mail.timestamp());
        millis.add(Duration.between(clobbered, mailed).toMillis());
        millis.add(Duration.between(clobbered, queued).toMillis());
      }
    }

    Seed.say("a clobbered lock was reported after, ms: " + millis);
    assertThat(millis).allMatch(time -> time < 1000);
  }

  private static Envelope told(FileLog log, Topic topic, String path) {
    for (Envelope envelope : WholeTopic.of(log, topic)) {
      if (envelope.type().equals(MirrorTypes.LOCK_LOST)
          && envelope.payload().toString().contains("on " + path + ",")) {
        return envelope;
      }
    }
    return null;
  }

  private boolean queueTells(String path) throws Exception {
    return Files.readString(conductor.resolve("queue.jsonl"))
        .contains("\"filepath\":\"" + path + "\"");
  }

  @Test
  void aProcessKilledBeforeTheLedgersLineLeavesALockTooManyThatExpires() throws Exception {
    try (Client killed = Client.java(Locker.class, folder, "alice", "src/a.ts", 3)) {
      assertThat(killed.exitCode()).isEqualTo(137);
    }
    Json left =
        Json.parse(Files.readString(conductor.resolve("locks.json"))).fields().get("src/a.ts");
    Instant expires = Fields.of(left).time("expires_at");
    try (FileLog log = place.openLog();
        Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      Team team = new Team(log, place.views(), Reporter.TO_LOG).withTables(mounts.locks());
      Locks locks = team.locks(team.join("bob"));
      assertThat((boolean) team.ledger().look(ledger -> ledger.leases().all().isEmpty())).isTrue();
      assertThatThrownBy(() -> locks.lock(LockRequest.of("src/a.ts")))
          .satisfies(holds("alice", "src/a.ts"));

      Grant grant = locks.lock(LockRequest.of("src/a.ts"), SOON);

      assertThat(grant.until().minus(Duration.ofMinutes(30))).isAfterOrEqualTo(expires);
    }
  }
}

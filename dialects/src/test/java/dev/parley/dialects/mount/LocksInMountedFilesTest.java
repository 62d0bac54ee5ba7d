package dev.parley.dialects.mount;

import static dev.parley.dialects.testing.Refusals.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.Team;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.work.ExternalLockTables;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.testing.RunningBridge;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1.4: locks of the bus and those that workers write into {@code locks.json} themselves. */
class LocksInMountedFilesTest {
  private static final Topic TOPIC = new Topic("conductor");

  @TempDir Path folder;
  private BusFolder place;
  private Path file;
  private FileLog log;
  private Mounts mounts;
  private Team team;
  private Session alice;
  private Locks locks;

  @BeforeEach
  void mount() {
    place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    Path conductor = folder.resolve(".message-bus");
    file = conductor.resolve("locks.json");
    var _ = Dialect.CONDUCTOR.create(conductor);
    log = place.openLog();
    mounts = new Mounts(place, Reporter.TO_LOG, remark -> {});
    var _ = mounts.add(Dialect.CONDUCTOR, conductor, null, null);
    team = new Team(log, place.views(), Reporter.TO_LOG).withTables(mounts.locks());
    alice = team.join("alice");
    locks = team.locks(alice);
  }

  @AfterEach
  void close() {
    mounts.close();
    log.close();
  }

  /** What a worker writes who takes no mutex. */
  private void write(String json) throws Exception {
    Files.writeString(file, json);
  }

  private static String entry(String path, String worker, Duration left) {
    Instant until = Instant.now().plus(left);
    return "{\"%s\":{\"worker_id\":\"%s\",\"acquired_at\":\"2026-02-01T12:00:00Z\",\"expires_at\":\"%s\"}}"
        .formatted(path, worker, Timestamps.format(until));
  }

  private Map<String, Json> entries() throws Exception {
    return Json.parse(Files.readString(file)).fields();
  }

  private String holderInFile(String path) throws Exception {
    return Fields.of(entries().get(path)).text("worker_id", "nobody");
  }

  private List<String> held() {
    return team.ledger()
        .look(ledger ->
            ledger.leases().all().stream()
                .map(lease -> lease.holder() + " " + lease.paths())
                .toList());
  }

  private List<String> mailOf(Session session) {
    return team.mail(session).inbox(MailFilter.ANY).stream()
        .map(letter -> String.valueOf(letter.envelope().payload()))
        .toList();
  }

  @Test
  void aLockOfOursStandsInTheFileUntilItIsGivenBack() throws Exception {
    Grant grant = locks.lock(LockRequest.of("src/a.ts"));

    Fields there = Fields.of(entries().get("src/a.ts"));
    assertThat(there.text("worker_id")).isEqualTo("alice");
    assertThat(there.time("expires_at")).isEqualTo(grant.until());
    assertThat(there.time("acquired_at")).isEqualTo(grant.until().minus(Duration.ofMinutes(30)));

    Grant renewed = locks.renew(grant.token(), Duration.ofHours(1));
    assertThat(Fields.of(entries().get("src/a.ts")).time("expires_at")).isEqualTo(renewed.until());

    locks.release(grant.token());
    mounts.sync();
    assertThat(entries()).isEmpty();
  }

  @Test
  void aWorkersLockKeepsUsOffAndItIsOnTheRoster() throws Exception {
    write(entry("src/a.ts", "worker-1.1-x", Duration.ofMinutes(9)));

    assertThatThrownBy(() -> locks.lock(LockRequest.of("src/a.ts")))
        .isInstanceOf(RefusedException.class)
        .satisfies(holds("worker-1.1-x", "src/a.ts"));

    assertThat((boolean) team.ledger().look(ledger -> ledger.roster().knows("worker-1.1-x")))
        .isTrue();
    assertThat(holderInFile("src/a.ts")).isEqualTo("worker-1.1-x");
    write("{}");
    assertThat(locks.lock(LockRequest.of("src/a.ts")).paths()).containsExactly("src/a.ts");
    assertThat(held()).containsExactly("alice [src/a.ts]");
  }

  @Test
  void aWaiterGetsTheLockWhenTheWorkerIsDone() throws Exception {
    write(entry("src/a.ts", "worker-1.1-x", Duration.ofMinutes(9)));
    mounts.sync();
    Thread worker = Thread.ofPlatform().start(this::releaseWhenAnotherAgentWaits);
    try (RunningBridge _ = new RunningBridge(place)) {
      Grant grant = locks.lock(LockRequest.of("src/a.ts"), Duration.ofSeconds(20));

      assertThat(grant.paths()).containsExactly("src/a.ts");
      assertThat(holderInFile("src/a.ts")).isEqualTo("alice");
    }
    worker.join();
  }

  private void releaseWhenAnotherAgentWaits() {
    Awaitility.await()
        .until(() -> team.ledger().look(ledger -> !ledger.leases().waiters().isEmpty()));
    try {
      write("{}");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatRealWorkersWriteIsRead() throws Exception {
    write(
        "{\"a\":\"worker-2\",\"./b\":{\"worker_id\":\"worker-3\",\"expires_at\":\"2999-01-01T00:00:00\"}}");

    assertThatThrownBy(() -> locks.lock(LockRequest.of("a"))).satisfies(holds("worker-2", "a"));
    assertThatThrownBy(() -> locks.lock(LockRequest.of("b"))).satisfies(holds("worker-3", "b"));
    assertThat(entries()).containsOnlyKeys("a", "./b");
  }

  @Test
  void anExpiredLockIsTakenOver() throws Exception {
    write(entry("src/a.ts", "worker-1.1-x", Duration.ofSeconds(-1)));

    var _ = locks.lock(LockRequest.of("src/a.ts"));

    assertThat(holderInFile("src/a.ts")).isEqualTo("alice");
    assertThat(held()).containsExactly("alice [src/a.ts]");
  }

  @Test
  void aWorkerThatOverwritesALockGetsItAndBothAreNotified() throws Exception {
    Grant grant = locks.lock(LockRequest.of("src/a.ts"));
    write(entry("src/a.ts", "worker-1.1-x", Duration.ofMinutes(30)));

    mounts.sync();

    assertThat(held()).containsExactly("worker-1.1-x [src/a.ts]");
    assertThat(locks.isGood(grant.token(), "src/a.ts", "")).isFalse();
    assertThat(mailOf(alice))
        .singleElement()
        .asString()
        .contains("worker-1.1-x overwrote the lock of alice on src/a.ts");
    assertThat(clobbered())
        .singleElement()
        .asString()
        .contains("\"worker\":\"worker-1.1-x\"", "\"holder\":\"alice\"");
    mounts.sync();
    assertThat(mailOf(alice)).hasSize(1);
    assertThat(clobbered()).hasSize(1);
  }

  private List<String> clobbered() throws Exception {
    return Files.readAllLines(folder.resolve(".message-bus/queue.jsonl")).stream()
        .filter(line -> line.contains("LOCK_CLOBBERED"))
        .toList();
  }

  @Test
  void aDroppedLockIsWrittenAgainAndBothAreNotified() throws Exception {
    Grant grant = locks.lock(LockRequest.of("src/a.ts"));
    write(entry("src/b.ts", "worker-1.1-x", Duration.ofMinutes(30)));

    mounts.sync();

    assertThat(entries()).containsOnlyKeys("src/b.ts", "src/a.ts");
    assertThat(locks.isGood(grant.token(), "src/a.ts", "")).isTrue();
    assertThat(mailOf(alice)).singleElement().asString().contains("was dropped from the file");
    assertThat(clobbered()).singleElement().asString().contains("\"filepath\":\"src/a.ts\"");
  }

  @Test
  void whatTheFileCantExpressIsRefused() {
    assertThatThrownBy(() -> locks.lock(LockRequest.of("src/**")))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("a mounted locks.json knows only files");
    assertThatThrownBy(() -> locks.lock(LockRequest.of("src/"))).hasMessageContaining("only files");
    assertThatThrownBy(() -> locks.lock(LockRequest.of("src/a").shared(true)))
        .hasMessageContaining("cannot hold shared locks");
  }

  @Test
  void aFileThatCantBeReadKeepsEveryoneOffAndStaysAsItIs() throws Exception {
    write("{\"torn\":");

    assertThatThrownBy(() -> locks.lock(LockRequest.of("src/a.ts")))
        .hasMessageContaining("locks.json can't be read");

    assertThat(file).hasContent("{\"torn\":");
    assertThat(held()).isEmpty();
    assertThat(mounts.examine())
        .extracting(remark -> remark.describe())
        .contains(file + ": is not a JSON object");
  }

  @Test
  void aCrashBeforeTheLedgersLineLeavesALockTooManyThatItsHolderFindsAgain() throws Exception {
    ExternalLockTables tables = mounts.locks();
    assertThatThrownBy(() ->
            tables.asking(
                alice,
                List.of("src/a.ts"),
                Duration.ofMinutes(1),
                () -> {
                  throw new IllegalStateException("killed");
                }))
        .hasMessage("killed");
    assertThat(holderInFile("src/a.ts")).isEqualTo("alice");
    assertThat(held()).isEmpty();

    Session bob = team.join("bob");
    assertThatThrownBy(() -> team.locks(bob).lock(LockRequest.of("src/a.ts")))
        .satisfies(holds("alice", "src/a.ts"));

    assertThat(locks.lock(LockRequest.of("src/a.ts")).isReentered()).isTrue();
    var _ = locks.releaseAll();
    mounts.sync();
    assertThat(entries()).isEmpty();
  }

  @Test
  void aCrashAfterTheLedgersLineLosesNothing() throws Exception {
    assertThatThrownBy(() ->
            mounts
                .locks()
                .asking(
                    alice,
                    List.of("src/a.ts"),
                    Duration.ofMinutes(1),
                    () -> {
                      Outcome granted =
                          team.ledger()
                              .ask(
                                  alice,
                                  LeaseTypes.REQUEST,
                                  Json.object().put("paths", Json.ofStrings(List.of("src/a.ts"))));
                      throw new IllegalStateException(String.valueOf(granted.isAccepted()));
                    }))
        .hasMessage("true");

    mounts.sync();

    Lease lease = locks.own().getFirst();
    assertThat(Fields.of(entries().get("src/a.ts")).time("expires_at")).isEqualTo(lease.until());
    locks.release(lease.token());
    mounts.sync();
    assertThat(entries()).isEmpty();
  }

  @Test
  void aWorkerThatJoinsTheBusItselfKeepsItsLocks() throws Exception {
    write(entry("src/a.ts", "worker-1.1-x", Duration.ofMinutes(9)));
    mounts.sync();

    Session joined = team.join("worker-1.1-x");

    assertThat(team.locks(joined).lock(LockRequest.of("src/a.ts")).isReentered()).isTrue();
    assertThat(team.locks(joined).own()).hasSize(1);
    var _ = team.locks(joined).releaseAll();
    mounts.sync();
    assertThat(entries()).isEmpty();
  }

  @Test
  void whatOthersKeepInTheFileStays() throws Exception {
    write(
        "{\"/etc/passwd\":\"x\",\"src/a.ts\":{\"worker_id\":\"alice\",\"acquired_at\":\"2026-02-01T12:00:00Z\",\"expires_at\":\"2999-01-01T00:00:00Z\",\"why\":\"tests\"}}");

    var _ = locks.lock(LockRequest.of("src/a.ts", "src/b.ts"));

    assertThat(entries()).containsOnlyKeys("/etc/passwd", "src/a.ts", "src/b.ts");
    assertThat(Fields.of(entries().get("src/a.ts")).text("why")).isEqualTo("tests");
    List<Envelope> said = log.read(TOPIC, Bookmark.START, 10).envelopes();
    assertThat(said).isEmpty();
  }
}

package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Status;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.testing.ConductorBus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1.5: who works, on the roster and in {@code worker-status.json}. */
class WorkersInMountedFilesTest {
  private static final String FILE = "worker-status.json";

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

  private void says(String worker, String status, Duration ago) {
    bus.write(
        FILE,
        "{\"%s\":{\"task_id\":\"1.1\",\"status\":\"%s\",\"progress_pct\":40,\"last_heartbeat\":\"%s\",\"host\":\"x\"}}"
            .formatted(worker, status, Timestamps.format(Instant.now().minus(ago))));
  }

  @Test
  void aWorkerOfTheFileIsOnTheRosterAndGetsItsMailInTheQueue() throws Exception {
    says("worker-1.1-x", "COMPLETED", Duration.ofMinutes(1));

    bus.sync();

    Member worker = bus.ledger().roster().member("worker-1.1-x");
    assertThat(worker.status()).isEqualTo(Status.COMPLETE);
    assertThat(worker.task()).isEqualTo("1.1");
    assertThat(worker.progress()).isEqualTo(40);
    Session alice = bus.team.join("alice");
    var _ = bus.team.mail(alice).send(Draft.question("worker-1.1-x", "Port", "Which?"));
    bus.sync();
    assertThat(bus.queue("QUESTION")).hasSize(1);
  }

  @Test
  void aWorkerThatWasSilentForTooLongIsKnownButNotHere() throws Exception {
    says("worker-1.1-x", "RUNNING", Duration.ofMinutes(11));

    bus.sync();

    assertThat(bus.ledger().roster().member("worker-1.1-x")).isNull();
    assertThat(bus.ledger().roster().knows("worker-1.1-x")).isTrue();
  }

  @Test
  void ourAgentsAreShownInTheFileBesideTheirWorkersUntilTheyLeave() throws Exception {
    says("worker-1.1-x", "RUNNING", Duration.ZERO);
    Session alice = bus.team.join("alice");
    var _ =
        bus.team.sessions().heartbeat(alice, new Sessions.Beat(Status.RUNNING, "2.1", 30, null));

    bus.sync();

    Fields shown = bus.read(FILE, "alice");
    assertThat(shown.text("status")).isEqualTo("RUNNING");
    assertThat(shown.text("task_id")).isEqualTo("2.1");
    assertThat(shown.number("progress_pct", 0)).isEqualTo(30);
    assertThat(shown.time("last_heartbeat")).isNotNull();
    assertThat(bus.read(FILE, "worker-1.1-x").text("host")).isEqualTo("x");
    bus.team.sessions().leave(alice, null);
    bus.sync();
    assertThat(bus.read(FILE)).containsOnlyKeys("worker-1.1-x");
  }

  @Test
  void whatStaysTheSameIsNotWrittenAgain() throws Exception {
    Session alice = bus.team.join("alice");
    bus.sync();
    Object before = Files.getAttribute(bus.files.resolve(FILE), "unix:ino");

    var _ = bus.team.sessions().heartbeat(alice, Sessions.Beat.ALIVE);
    bus.sync();

    assertThat(Files.getAttribute(bus.files.resolve(FILE), "unix:ino")).isEqualTo(before);
  }

  @Test
  void aFileThatCantBeReadIsLeftAsItIs() throws Exception {
    bus.write(FILE, "[1]");
    var _ = bus.team.join("alice");

    bus.sync();

    assertThat(bus.files.resolve(FILE)).hasContent("[1]");
    assertThat(bus.remarks).anyMatch(remark -> remark.describe().endsWith("is not a JSON object"));
  }
}

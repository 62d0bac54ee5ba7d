package dev.parley.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Issue 20.9: the log carries what is needed to speak as another session; its owner notices. */
class ForgedLinesTest {
  private static final Topic LEDGER = new Topic("ledger");

  @TempDir Path folder;
  private Trial alice;

  @BeforeEach
  void join() {
    alice = new Trial(folder).with("PARLEY_AGENT", "alice");
    assertThat(alice.run("init").exitCode()).isZero();
    assertThat(alice.run("join").exitCode()).isZero();
    assertThat(alice.run("lock", "src/a.ts").exitCode()).isZero();
  }

  /** As a program would that reads the log and knows how lines are written, but no secret. */
  private void forge(String sender, String type, String payload) {
    BusFolder bus = BusFolder.find(null, folder, Map.of());
    try (FileLog log = new FileLog(bus.path(), bus.limits(), PollingInterval.DEFAULT)) {
      var _ = log.append(LEDGER, List.of(Message.of(sender, type, Json.parse(payload))));
    }
  }

  private String session() throws Exception {
    String ledger = Files.readString(folder.resolve(".parley/ledger.jsonl"));
    int at = ledger.indexOf("\"session\":\"") + 11;
    return ledger.substring(at, ledger.indexOf('"', at));
  }

  @Test
  void whatASessionWroteItselfIsNoForgery() {
    assertThat(alice.run("task", "add", "x").exitCode()).isZero();
    assertThat(alice.run("status").err()).isEmpty();
    assertThat(alice.run("inbox").err()).isEmpty();
    Answer doctor = alice.run("doctor");
    assertThat(doctor.exitCode()).as(doctor.out()).isZero();
  }

  @Test
  void aLineUnderASessionThatItDidNotWriteIsReportedToItsOwner() throws Exception {
    forge("alice", "heartbeat", "{\"session\":\"" + session() + "\",\"note\":\"I give up\"}");

    for (String command : List.of("status", "inbox")) {
      assertThat(alice.run(command).err())
          .as(command)
          .contains("Another program wrote heartbeat in the name of alice (ledger@");
    }
    Answer doctor = alice.run("doctor");
    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.out()).contains("Another program wrote heartbeat in the name of alice");
  }

  @Test
  void whatAnotherSaysOfASessionIsNoForgery() throws Exception {
    forge("bob", "note", "{\"session\":\"" + session() + "\"}");
    assertThat(alice.run("status").err()).as("not under its name").isEmpty();
  }

  @Test
  void aReportForAMountThatNobodyMadeIsNamedByDoctor() {
    forge(
        "worker-1",
        "lease.report",
        "{\"session\":\"mounted:swarm/worker-1\",\"paths\":[\"src/b.ts\"],\"ttl\":60}");
    forge("worker-1", "wait.report", "{\"session\":\"0123456789\",\"for\":\"alice\"}");

    Answer doctor = alice.run("doctor");

    assertThat(doctor.out())
        .contains("lease.report in the name of worker-1")
        .contains("speaks for the mount swarm, which you did not create here")
        .contains("wait.report in the name of worker-1")
        .contains("was not written by one of your bridges");
  }

  @Test
  void whatABridgeReportsForAMountOfTheUsersIsNot() throws Exception {
    assertThat(alice.run("init", "--dialect", "conductor").exitCode()).isZero();
    assertThat(alice.run("mount", "conductor", ".message-bus").exitCode()).isZero();
    Files.writeString(folder.resolve(".message-bus/locks.json"), "{\"src/z.ts\":\"worker-9\"}");
    assertThat(alice.run("who").exitCode()).isZero();
    assertThat(Files.readString(folder.resolve(".parley/ledger.jsonl"))).contains("lease.report");

    assertThat(alice.run("doctor").out()).doesNotContain("in the name of");
  }
}

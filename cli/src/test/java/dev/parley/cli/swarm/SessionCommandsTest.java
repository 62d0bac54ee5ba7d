package dev.parley.cli.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 2.5 on the command line. */
class SessionCommandsTest {
  @TempDir Path folder;
  private Trial trial;
  private SwarmMessageBus swarm;

  @BeforeEach
  void mount() {
    trial = new Trial(folder).with("PARLEY_AGENT", "orchestrator");
    assertThat(trial.run("init").exitCode()).isZero();
    swarm = new SwarmMessageBus(folder.resolve(".swarm"), remark -> {});
  }

  private void mountSwarm() {
    assertThat(trial.run("init", "--dialect", "swarm").exitCode()).isZero();
    assertThat(trial.run("mount", "swarm", ".swarm").exitCode()).isZero();
  }

  private String start() {
    return trial.run("session", "start", "--goal", "Build it").out().strip();
  }

  @Test
  void aMessageIsKeptUnderASessionAsItStandsInTheFiles() {
    mountSwarm();
    assertThat(trial.run("session", "list").out()).startsWith("No session has begun");
    String id = start();
    assertThat(UUID.fromString(id)).hasToString(id);

    Answer sent =
        trial.run("send", "developer", "--body", "do it", "--session", id, "--needs-reply");
    Answer all = trial.run("send", "all", "--body", "hear", "--session=" + id, "--json");

    assertThat(sent.out()).contains("stored mail.developer@", "stored under session " + id);
    assertThat(all.json().get("kept").isTrue()).isTrue();
    assertThat(swarm.getSessionMessages(id))
        .hasSize(2)
        .first()
        .isEqualTo(swarm.readInbox("developer").getFirst());
    assertThat(swarm.getSessionMessages(id)).extracting(SwarmMessage::to).contains("broadcast");
    assertThat(trial.run("session", "end", id).out()).isEqualTo(id + " is complete.\n");
    Map<String, Json> listed = trial.run("session", "list", "--json").json();
    assertThat(listed.get("status").text()).isEqualTo("complete");
    assertThat(listed.get("messages").number(0)).isEqualTo(2);
    assertThat(trial.run("mount", "list", "--check").exitCode()).isZero();
  }

  /** Seed 2.4: the queue summary, the dump, and what is new in an outbox. */
  @Test
  void theQueuesOfAMountAreShownWithoutChangingThem() {
    mountSwarm();
    trial.run("send", "developer", "-m", "do it", "--type", "task");
    swarm.sendTask("reviewer", "developer", "Again", "please");

    Map<String, Json> developer =
        trial.run("mount", "show", "swarm", "--json").lines().stream()
            .map(line -> Json.parse(line).fields())
            .filter(row -> row.get("agent").text().equals("developer"))
            .findFirst()
            .orElseThrow();
    assertThat(developer).containsEntry("inbox", Json.of(2)).containsEntry("outbox", Json.of(0));
    assertThat(trial.run("mount", "show", "swarm").out()).contains("AGENT", "developer", "2");

    Map<String, Json> dump = trial.run("mount", "show", "swarm", "--dump").json();
    assertThat(dump.get("inbox").fields().get("developer").items()).hasSize(2);
    assertThat(dump.get("outbox").fields().get("reviewer").items()).hasSize(1);

    String[] outbox = {"mount", "show", "swarm", "--outbox", "reviewer"};
    assertThat(trial.run(outbox).out()).contains("SUBJECT", "Again");
    assertThat(
            trial
                .run("mount", "show", "swarm", "--outbox", "reviewer", "--since", "1h", "--json")
                .lines())
        .hasSize(1);
    assertThat(
            trial
                .run("mount", "show", "swarm", "--outbox", "reviewer", "--since", "2126-01-01")
                .out())
        .isEqualTo("No messages since then.\n");
    assertThat(trial.run("mount", "show", "swarm", "--inbox", "nobody").exitCode()).isEqualTo(3);
    assertThat(trial.run("mount", "show", "swarm", "--since", "1h").exitCode()).isEqualTo(2);
    assertThat(swarm.readInbox("developer")).hasSize(2);
  }

  @Test
  void mistakesAreRefusedBeforeAnythingIsSent() {
    assertThat(trial.run("session", "list").err()).contains("No Swarm folder is mounted");
    mountSwarm();
    assertThat(trial.run("session", "start").exitCode()).isEqualTo(2);
    assertThat(trial.run("session", "start", "--goal", "x", "--workflow", "party").exitCode())
        .isEqualTo(2);
    assertThat(trial.run("session", "end").exitCode()).isEqualTo(2);
    assertThat(trial.run("session", "end", "nobody").exitCode()).isEqualTo(3);

    Answer refused = trial.run("send", "developer", "--body", "x", "--session", "nobody", "--json");

    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.json().get("error").text()).isEqualTo("unknown-session");
    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(folder.resolve(".swarm/memory.db")).doesNotExist();
  }

  @Test
  void aDamagedDatabaseHidesNoDelivery() throws Exception {
    mountSwarm();
    String id = start();
    Files.deleteIfExists(folder.resolve(".swarm/memory.db-wal"));
    Files.writeString(folder.resolve(".swarm/memory.db"), "no database at all, whoever reads it");

    Answer sent = trial.run("send", "developer", "--body", "x", "--session", id);
    Answer json = trial.run("send", "developer", "--body", "y", "--session", id, "--json");

    assertThat(sent.exitCode()).isZero();
    assertThat(sent.out())
        .contains("stored mail.developer@", "delivered, but not stored in the database: ");
    assertThat(json.json().get("kept").isTrue()).isFalse();
    assertThat(json.json().get("notKept").text()).contains("memory.db");
    assertThat(swarm.readInbox("developer")).hasSize(2);
    assertThat(trial.run("mount", "list", "--check").exitCode()).isEqualTo(1);
    assertThat(trial.run("doctor").out()).contains("memory.db  Can't be used: ", "not healthy");
  }
}

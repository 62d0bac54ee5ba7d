package dev.parley.dialects.swarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.swarm.database.SwarmSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 2.5: messages are kept by session, in the design's own tables. */
class MessagePersistenceTest {
  private static final String SCRIPT = "src/test/resources/clients/swarm_orchestrator.py";

  @TempDir Path folder;
  private final List<FileRemark> remarks = new ArrayList<>();
  private Path database;
  private SwarmMessageBus bus;

  @BeforeEach
  void open() {
    database = folder.resolve(".swarm/memory.db");
    bus = new SwarmMessageBus(folder.resolve(".swarm"), remarks::add);
    bus.initializeAgentQueues();
  }

  private Process theirs(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3", SCRIPT, database.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String output(Process process) throws Exception {
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    return said;
  }

  private SwarmMessage keep(String session, String thread) {
    return bus.sendMessage(
        SendMessageInput.of("orchestrator", "developer", "question", "Port", "Which?")
            .in(thread)
            .asking()
            .until("2026-12-01T00:00:00.000Z"),
        SendOptions.keptIn(session));
  }

  @Test
  void aMessageIsKeptWithItsOwnIdAndTimeAndAllItSays() throws Exception {
    String session = bus.startSession("Build it", "development");
    assertThat(UUID.fromString(session)).hasToString(session);
    SwarmMessage sent = keep(session, "thread_1");
    var _ = bus.sendTask("orchestrator", "reviewer", "s", "not kept");
    SwarmMessage broadcast =
        bus.broadcastMessage(
            "orchestrator",
            "status",
            Json.object().put("subject", "s").put("body", "all").build(),
            SendOptions.keptIn(session));

    assertThat(bus.getThreadHistory(session, "thread_1")).containsExactly(sent);
    assertThat(bus.getSessionMessages(session)).containsExactly(sent, broadcast);
    assertThat(bus.getAgentMessages(session, "developer")).containsExactly(sent);
    assertThat(bus.getAgentMessages(session, "orchestrator")).hasSize(2);
    assertThat(bus.getThreadHistory(session, "none")).isEmpty();
    assertThat(Files.getPosixFilePermissions(database))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void theDesignsProgramReadsOurRowsAndWeReadItsRows() throws Exception {
    assertThat(output(theirs("write", "s-1", "own-1", "t", "orchestrator", "developer"))).isEmpty();
    assertThat(bus.getThreadHistory("s-1", "t"))
        .singleElement()
        .satisfies(message -> {
          assertThat(message.id()).isEqualTo("own-1");
          assertThat(message.timestamp()).isEqualTo("2026-01-01T00:00:00.000Z");
          assertThat(message.body()).isEqualTo("theirs");
          assertThat(message.requiresResponse()).isFalse();
        });
    SwarmMessage ours = keep("s-1", "t");

    assertThat(output(theirs("write", "s-1", "own-2", "t", "developer", "orchestrator")))
        .isEmpty(); // into the tables that we have widened
    List<Json> rows = Json.parse(output(theirs("read", "s-1", "t"))).items();

    assertThat(rows)
        .extracting(row -> row.fields().get("id").text())
        .containsExactly("own-1", "own-2", ours.id());
    assertThat(rows.getLast().fields().get("created_at").text()).isEqualTo(ours.timestamp());
    assertThat(Json.parse(rows.getLast().fields().get("content").text())).isEqualTo(ours.content());
    assertThat(bus.getSessions()).extracting(SwarmSession::messages).containsExactly(3L);
  }

  /** Role prompts have agents ask the program sqlite3, with names that the design has not. */
  @Test
  void theNamesThatRolePromptsAskForAreThere() throws Exception {
    String session = bus.startSession("Build it", "research");
    var _ =
        bus.sendFeedback(
            "reviewer",
            "developer",
            "Review",
            "fine",
            "approved",
            "t",
            SendOptions.keptIn(session));
    List<String> queries =
        List.of(
            "SELECT type, subject, verdict, task_id FROM messages",
            "SELECT file_path, description, status FROM artifacts",
            "SELECT methodology FROM findings",
            "SELECT alternatives, constraints, domain FROM decisions",
            "SELECT task_id, thread_id, blocker FROM tasks",
            "SELECT started_at FROM sessions",
            "SELECT agent, status, last_activity FROM agent_activity",
            "INSERT INTO messages (id, session_id, from_agent, to_agent, message_type, priority,"
                + " content, created_at) VALUES ('x', '"
                + session
                + "', 'a', 'b', 'odd', 'odd', 'no json', 'z'); SELECT subject FROM messages");
    StringBuilder said = new StringBuilder();
    for (String query : queries) {
      said.append(
          output(
              new ProcessBuilder(
                      "python3",
                      "-c",
                      """
                      import sqlite3, sys
                      db = sqlite3.connect(sys.argv[1])
                      for q in sys.argv[2].split("; "):
                          print(db.execute(q).fetchall())
                      db.commit()
                      """,
                      database.toString(),
                      query)
                  .redirectError(ProcessBuilder.Redirect.INHERIT)
                  .start()));
    }

    assertThat(said).contains("('feedback', 'Review', 'approved', None)");
    SwarmMessage odd = bus.getSessionMessages(session).getLast();
    assertThat(odd.type()).isEqualTo("status");
    assertThat(odd.priority()).isEqualTo("normal");
    assertThat(odd.body()).isEmpty();
  }

  @Test
  void anUnknownSessionIsRefusedBeforeAnythingIsDelivered() {
    assertThatThrownBy(() -> keep("nobody", "t"))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("unknown-session"));
    assertThat(database).doesNotExist();
    String session = bus.startSession("Build it", "architecture");
    assertThatThrownBy(() -> keep("nobody", "t")).hasMessageContaining("Nothing was done");

    assertThat(bus.readInbox("developer")).isEmpty();
    assertThat(bus.readOutbox("orchestrator")).isEmpty();
    assertThat(bus.endSession("nobody", false)).isFalse();
    assertThat(bus.endSession(session, false)).isTrue();
    assertThat(bus.getSessions())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.status()).isEqualTo("complete");
          assertThat(each.completedAt()).isNotNull();
        });
    assertThatThrownBy(() -> bus.startSession(" ", "research")).hasMessageContaining("goal");
    assertThatThrownBy(() -> bus.startSession("x", "party")).hasMessageContaining("workflow");
  }

  @Test
  void aLockedOrDamagedDatabaseUndoesAndHidesNoDelivery() throws Exception {
    String session = bus.startSession("Build it", "development");
    Process holder = theirs("hold");
    try {
      assertThat(holder.getInputStream().read()).isEqualTo('h');
      SwarmMessage sent = keep(session, "t");
      assertThat(bus.readInbox("developer")).containsExactly(sent);
      assertThat(remarks)
          .extracting(FileRemark::reason)
          .anyMatch(told ->
              told.startsWith("message " + sent.id() + " is delivered, not kept: ")
                  && told.contains("locked"));
    } finally {
      holder.getOutputStream().close();
      assertThat(holder.waitFor()).isZero();
    }
    remarks.clear();
    Files.deleteIfExists(folder.resolve(".swarm/memory.db-wal"));
    Files.deleteIfExists(folder.resolve(".swarm/memory.db-shm"));
    Files.writeString(database, "this is no database, and it is long enough to be looked at");

    SwarmMessage second = keep(session, "t");

    assertThat(bus.readInbox("developer")).contains(second);
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .anyMatch(told -> told.contains("delivered, not kept"));
    assertThat(database).content().startsWith("this is no database");
  }
}

package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.gear.GearMessageBus;
import dev.parley.dialects.gear.MessageFlow;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 4.5: the history of a project, as a file that belongs to a bus. */
class GearHistoryTest {
  @TempDir Path folder;
  private final List<FileRemark> remarks = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private FileLog log;
  private Team team;
  private Instant now = Instant.now();
  private Mounts mounts;
  private Path file;

  @BeforeEach
  void mount() throws Exception {
    BusFolder bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    log = bus.openLog();
    team = new Team(log, bus.views(), Reporter.TO_LOG);
    file = folder.resolve("project_proj_1/message-history.json");
    Dialect.GEAR.create(file);
    LedgerOwner owner = new LedgerOwner(log, bus.views(), Reporter.TO_LOG, () -> now);
    mounts = new Mounts(bus, log, owner, Reporter.TO_LOG, remarks::add);
    var _ = mounts.add(Dialect.GEAR, file, null, null);
  }

  @AfterEach
  void close() {
    mounts.close();
    log.close();
  }

  private void said(int number, String from, String to, String type, String more)
      throws IOException {
    messages.add(
        """
        {"message_id":"msg_%d","message_type":"%s","from_agent":"%s","to_agent":"%s",
         "timestamp":"2024-10-15T10:3%d:00","correlation_id":"corr_task_003",%s}\
        """
            .formatted(number, type, from, to, number, more));
    Files.writeString(file, "[" + String.join(",", messages) + "]");
  }

  private static final String ASSIGNED =
      "\"requires_response\":true,\"payload\":{\"task_id\":\"task_003\",\"description\":\"d\",\"acceptance_criteria\":[]}";

  private List<Envelope> mailOf(String agent) {
    return log.read(new Topic("mail." + agent), Bookmark.START, 100).envelopes();
  }

  private List<Json> history() throws IOException {
    return Json.parse(Files.readString(file)).items();
  }

  @Test
  void itsMessagesAreMailOfTheProjectsRunOnceAndAreListed() throws Exception {
    said(0, "moderator", "techlead", "task_assigned", ASSIGNED);
    mounts.sync();
    said(1, "techlead", "moderator", "pr_submitted", "\"payload\":{\"pr_number\":42}");
    said(2, "moderator", "techlead", "pr_feedback", "\"payload\":{\"score\":72}");
    said(3, "techlead", "moderator", "quantum_merge", "\"payload\":{\"task_id\":\"t\"}");
    mounts.sync();
    mounts.sync();

    assertThat(mailOf("techlead")).hasSize(2).allMatch(mail -> "proj_1".equals(mail.run()));
    assertThat(mailOf("moderator"))
        .extracting(Envelope::type)
        .containsExactly("pr_submitted", "quantum_merge");
    assertThat(MessageFlow.lines(MessageFlow.projects(log).get("proj_1")))
        .containsExactly(
            "10:30:00  moderator → techlead  TASK_ASSIGNED  task_003",
            "10:31:00  techlead → moderator  PR_SUBMITTED   PR #42",
            "10:32:00  moderator → techlead  PR_FEEDBACK    Score: 72",
            "10:33:00  techlead → moderator  QUANTUM_MERGE  t");
    assertThat(history()).hasSize(4); // nothing comes back as an echo
    assertThat(remarks).isEmpty();
  }

  @Test
  void aRequestThatIsAnsweredUnderItsCorrelationIdIsAnsweredInTheMailboxToo() throws Exception {
    said(0, "moderator", "techlead", "task_assigned", ASSIGNED);
    mounts.sync();
    Envelope request = mailOf("techlead").getFirst();
    assertThat(request.needsReply()).isTrue();
    assertThat(request.deadline()).isNotNull();

    said(1, "techlead", "moderator", "pr_submitted", "\"payload\":{\"pr_number\":42}");
    mounts.sync();

    assertThat(mailOf("moderator").getFirst().replyTo()).isEqualTo(request.id());
    Mail techlead = team.mail(team.join("techlead"));
    assertThat(techlead.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void silenceBecomesAnAgentErrorOnceAndEndsTheRequest() throws Exception {
    said(0, "moderator", "techlead", "task_assigned", ASSIGNED);
    mounts.sync();
    now = now.plus(GearMessageBus.RESPONSE_WITHIN).minusSeconds(1);
    mounts.sync();
    assertThat(history()).hasSize(1);

    now = now.plusSeconds(2);
    mounts.sync();
    mounts.sync();

    assertThat(history()).hasSize(2);
    Map<String, Json> error = history().getLast().fields();
    assertThat(error.get("message_type").text()).isEqualTo("agent_error");
    assertThat(error.get("from_agent").text()).isEqualTo("techlead");
    assertThat(error.get("correlation_id").text()).isEqualTo("corr_task_003");
    assertThat(error.get("payload").fields())
        .containsEntry("error_type", Json.of("no_response"))
        .containsEntry("original_message_id", Json.of("msg_0"))
        .containsEntry("task_id", Json.of("task_003"));
    assertThat(mailOf("moderator")).extracting(Envelope::type).containsExactly("agent_error");
    assertThat(team.mail(team.join("techlead")).inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void mailForItsAgentsIsAddedToItAndTheirAnswerEndsIt() throws Exception {
    said(0, "techlead", "moderator", "agent_ready", "\"payload\":{}");
    mounts.sync();
    Mail alice = team.mail(team.join("alice"));
    String asked =
        alice.send(Draft.task("techlead", "Port", "Which?").needsReply(null)).first().id();
    mounts.sync();
    mounts.sync();

    assertThat(history()).hasSize(2);
    Map<String, Json> task = history().getLast().fields();
    assertThat(task.get("message_type").text()).isEqualTo("task_assigned");
    assertThat(task.get("from_agent").text()).isEqualTo("alice");
    List<Json> all = new ArrayList<>(history());
    all.add(
        Json.parse(
            """
            {"message_id":"msg_9","message_type":"task_completed","from_agent":"techlead",
             "to_agent":"alice","timestamp":"","payload":{"task_id":"8080"},"correlation_id":"%s"}\
            """
                .formatted(task.get("correlation_id").text())));
    Files.writeString(file, Json.of(all).toString());
    mounts.sync();

    assertThat(alice.inbox(MailFilter.ANY.replyTo(asked))).hasSize(1);
    assertThat(alice.sent().getFirst().state()).isEqualTo("done");
    assertThat(history()).hasSize(3);
  }

  @Test
  void whatIsNoMessageOrNoArrayIsReportedAndLeftInPlace() throws Exception {
    Files.writeString(file, "[{\"message_id\":\"x\"},7]");
    mounts.sync();
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .anyMatch(told -> told.startsWith("message 1 "));
    assertThat(mounts.examine()).hasSize(2);
    assertThat(file).hasContent("[{\"message_id\":\"x\"},7]");
  }
}

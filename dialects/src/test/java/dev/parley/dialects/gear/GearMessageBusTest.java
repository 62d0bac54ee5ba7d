package dev.parley.dialects.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.Team;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.core.ParleyException;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 4.1 and 4.5. */
class GearMessageBusTest {
  private final Bus log = Bus.inMemory();
  private final List<Report> reports = new CopyOnWriteArrayList<>();
  private final GearMessageBus bus = new GearMessageBus(log, "proj_1", reports::add);

  @AfterEach
  void close() {
    bus.close();
    log.close();
  }

  private AgentMessage assigned(String task) {
    return bus.createMessage(
        MessageType.TASK_ASSIGNED,
        "moderator",
        "techlead",
        Json.object().put("task_id", task).build(),
        "corr_" + task,
        true);
  }

  @Test
  void aSubscriberHasItsMessagesWhenSendReturns() {
    List<AgentMessage> got = new ArrayList<>();
    bus.subscribe("techlead", got::add);
    AgentMessage first = assigned("task_001");
    AgentMessage second = assigned("task_002");

    bus.send(first);
    bus.send(second);

    assertThat(got).containsExactly(first, second);
    assertThat(first.messageId()).matches("msg_[0-9a-f]{32}");
  }

  /** Seed 004, 5.1. */
  @Test
  void aMessageIsInNoConversationAndExpectsNoAnswerUnlessThatIsSaid() {
    AgentMessage ready =
        bus.createMessage(MessageType.AGENT_READY, "techlead", "orchestrator", Json.EMPTY_OBJECT);
    AgentMessage done =
        bus.createMessage(
            MessageType.TASK_COMPLETED, "moderator", "techlead", Json.EMPTY_OBJECT, "corr_1");

    assertThat(ready.correlationId()).isNull();
    assertThat(ready.requiresResponse()).isFalse();
    assertThat(done.correlationId()).isEqualTo("corr_1");
    assertThat(done.requiresResponse()).isFalse();
  }

  /** The design's language reads 0, 3 or 6 decimals, and never a time without seconds. */
  @Test
  void timesAreWrittenAsTheDesignWritesThem() {
    assertThat(AgentMessage.timestamp(LocalDateTime.of(2024, 10, 15, 10, 30)))
        .isEqualTo("2024-10-15T10:30:00.000000");
    assertThat(assigned("task_001").timestamp())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}");
  }

  @Test
  void aFailingCallbackIsReportedAndTheOthersStillRun() {
    List<AgentMessage> got = new ArrayList<>();
    bus.subscribe(
        "techlead",
        message -> {
          throw new IllegalStateException("broken");
        });
    bus.subscribe("techlead", got::add);

    bus.send(assigned("task_001"));

    assertThat(got).hasSize(1);
    assertThat(reports).singleElement().isInstanceOf(Report.HandlerFailed.class);
  }

  /** Decided: delivery is not recursive. */
  @Test
  void anAnswerSentByACallbackIsDeliveredAfterTheCallbackAndBeforeSendReturns() {
    List<String> story = new ArrayList<>();
    bus.subscribe(
        "techlead",
        message -> {
          story.add("techlead begins");
          bus.send(
              bus.createMessage(
                  MessageType.PR_SUBMITTED,
                  "techlead",
                  "moderator",
                  Json.EMPTY_OBJECT,
                  message.correlationId(),
                  true));
          story.add("techlead ends");
        });
    bus.subscribe("moderator", message -> story.add("moderator " + message.correlationId()));

    bus.send(assigned("task_001"));

    assertThat(story)
        .containsExactly("techlead begins", "techlead ends", "moderator corr_task_001");
  }

  @Test
  void historyIsAllMessagesInTheirOrderOrThoseOfOneAgent() {
    AgentMessage toTechlead = assigned("task_001");
    AgentMessage ready =
        bus.createMessage(
            MessageType.AGENT_READY, "moderator", "orchestrator", Json.EMPTY_OBJECT, null, false);

    bus.send(ready);
    bus.send(toTechlead);

    assertThat(bus.getMessageHistory()).containsExactly(ready, toTechlead);
    assertThat(bus.getMessageHistory("techlead")).containsExactly(toTechlead);
    assertThat(AgentMessage.array(bus.getMessageHistory("techlead")).items())
        .containsExactly(toTechlead.toJson());
  }

  @Test
  void historySurvivesTheProgram(@TempDir Path folder) {
    BusFolder place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    AgentMessage message = assigned("task_001");
    try (Bus first = place.open(Reporter.TO_LOG);
        GearMessageBus gear = new GearMessageBus(first, null, Reporter.TO_LOG)) {
      gear.send(message);
    }
    try (Bus second = place.open(Reporter.TO_LOG);
        GearMessageBus gear = new GearMessageBus(second, null, Reporter.TO_LOG)) {
      assertThat(gear.getMessageHistory()).containsExactly(message);
    }
  }

  @Test
  void mailOfAnAgentOfAnotherDesignArrivesAndIsAnswered() {
    Team team = new Team(log.log(), Views.inMemory(), Reporter.TO_LOG);
    var alice = team.mail(team.join("alice"));
    bus.subscribe(
        "techlead",
        question ->
            bus.send(
                bus.createMessage(
                    MessageType.TASK_COMPLETED,
                    "techlead",
                    question.fromAgent(),
                    Json.object().put("subject", "").put("body", "8080").build(),
                    question.correlationId(),
                    false)));

    var _ = alice.sendAnyway(Draft.question("techlead", "Port", "Which?").thread("t-1"));

    Awaitility.await()
        .untilAsserted(() ->
            assertThat(alice.inbox(MailFilter.ANY.thread("t-1")))
                .singleElement()
                .satisfies(letter -> assertThat(letter.content().body()).isEqualTo("8080")));
  }

  @Test
  void aRecipientThatIsNoNameIsRefusedBeforeAnythingIsStored() {
    AgentMessage bad =
        bus.createMessage(
            MessageType.AGENT_READY, "moderator", "../etc", Json.EMPTY_OBJECT, null, false);

    assertThatThrownBy(() -> bus.send(bad)).isInstanceOf(ParleyException.class);
    assertThat(bus.getMessageHistory()).isEmpty();
  }

  /** Seed 4.5. */
  @Test
  void theFlowListsTimeFromToTypeAndWhat() {
    send(
        "2024-10-15T10:30:00",
        "moderator",
        "techlead",
        "task_assigned",
        "{\"task_id\":\"task_003\"}");
    send(
        "2024-10-15T10:45:00",
        "techlead",
        "moderator",
        "pr_submitted",
        "{\"pr_number\":42,\"iteration\":1}");
    send("2024-10-15T10:50:00", "moderator", "techlead", "pr_feedback", "{\"score\":72}");
    send(
        "2024-10-15T10:55:00",
        "techlead",
        "moderator",
        "pr_submitted",
        "{\"pr_number\":42,\"iteration\":2}");
    send(
        "2024-10-15T11:00:00",
        "moderator",
        "techlead",
        "task_completed",
        "{\"task_id\":\"task_003\"}");

    assertThat(MessageFlow.lines(MessageFlow.messages(log, "proj_1")))
        .containsExactly(
            "10:30:00  moderator → techlead  TASK_ASSIGNED   task_003",
            "10:45:00  techlead → moderator  PR_SUBMITTED    PR #42",
            "10:50:00  moderator → techlead  PR_FEEDBACK     Score: 72",
            "10:55:00  techlead → moderator  PR_SUBMITTED    PR #42 (iter 2)",
            "11:00:00  moderator → techlead  TASK_COMPLETED  task_003");
    assertThat(MessageFlow.messages(log, "proj_2")).isEmpty();
  }

  @Test
  void aRequestHasADeadlineAndSilenceBecomesAnAgentError() {
    List<AgentMessage> got = new CopyOnWriteArrayList<>();
    try (GearMessageBus quick =
        new GearMessageBus(log, "proj_1", Duration.ofMillis(300), Reporter.TO_LOG)) {
      quick.subscribe("moderator", got::add);
      AgentMessage silent = request(quick, "corr_silent");
      AgentMessage answered = request(quick, "corr_answered");
      quick.send(silent);
      quick.send(answered);
      quick.send(
          quick.createMessage(
              MessageType.PR_SUBMITTED,
              "techlead",
              "moderator",
              Json.EMPTY_OBJECT,
              "corr_answered"));

      Awaitility.await().until(() -> got.size() == 2);

      assertThat(got.getLast().is(MessageType.AGENT_ERROR)).isTrue();
      assertThat(got.getLast().text("error_type")).isEqualTo("no_response");
      assertThat(got.getLast().text("original_message_id")).isEqualTo(silent.messageId());
      assertThat(got.getLast().correlationId()).isEqualTo("corr_silent");
      assertThat(quick.getConversation("corr_answered")).hasSize(2);
      assertThat(quick.getMessageHistory("techlead", "corr_silent")).hasSize(2);
    }
  }

  private static AgentMessage request(GearMessageBus on, String correlation) {
    return on.createMessage(
        MessageType.TASK_ASSIGNED,
        "moderator",
        "techlead",
        Json.object().put("task_id", "t").build(),
        correlation,
        true);
  }

  @Test
  void afterUnsubscribingNoCallbackRuns() {
    List<AgentMessage> got = new CopyOnWriteArrayList<>();
    bus.subscribe("techlead", got::add);
    bus.send(request(bus, "c"));
    bus.unsubscribe("techlead");
    bus.send(request(bus, "d"));

    assertThat(got).hasSize(1);
    assertThat(bus.getMessageHistory()).hasSize(2);
  }

  @Test
  void aPayloadIsCheckedForTheFieldsThatItsTypeNeeds() {
    assertThat(GearMessageBus.validate(request(bus, "c")))
        .containsExactly("description", "acceptance_criteria");
    assertThat(
            GearMessageBus.validate(
                bus.createMessage(MessageType.AGENT_READY, "a", "b", Json.EMPTY_OBJECT)))
        .isEmpty();
  }

  private void send(String time, String from, String to, String type, String payload) {
    bus.send(
        new AgentMessage(
            "msg_" + time, type, from, to, time, Json.parse(payload), null, false, Map.of()));
  }
}

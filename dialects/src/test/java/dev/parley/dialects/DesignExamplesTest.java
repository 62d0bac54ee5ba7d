package dev.parley.dialects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Prefix;
import dev.parley.core.json.Json;
import dev.parley.dialects.conclave.ConclaveCodec;
import dev.parley.dialects.conductor.ConductorCodec;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.GearCodec;
import dev.parley.dialects.gear.MessageFlow;
import dev.parley.dialects.gear.MessageType;
import dev.parley.dialects.swarm.SwarmCodec;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.testing.Through;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every message that the designs show as an example, field by field with their ids, names and
 * numbers, and every name that they list. {@code src/test/resources/designs} has them; what people
 * would say in them is in our words.
 */
class DesignExamplesTest {
  private static final Path DESIGNS = Path.of("src/test/resources/designs");

  private static Json example(String name) throws IOException {
    return Json.parse(Files.readString(DESIGNS.resolve(name)));
  }

  private static List<Json> lines(String name) {
    try {
      return Files.readAllLines(DESIGNS.resolve(name)).stream().map(Json::parse).toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Seed 4.2. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "task_assigned",
        "pr_submitted",
        "pr_feedback",
        "task_completed",
        "improvement_requested",
        "agent_error"
      })
  void gearsMessagesSurvive(String type) throws IOException {
    Json json = example("gear/" + type + ".json");
    GearCodec codec = new GearCodec("proj_abc123");
    AgentMessage message = AgentMessage.parse(json);

    Envelope envelope = Through.log(codec.toLog(message).build());

    assertThat(message.messageType()).isEqualTo(type);
    assertThat(codec.fromLog(envelope)).isEqualTo(message);
    assertThat(message.toJson().fields()).isEqualTo(json.fields());
    assertThat(message.toJson().fields().keySet())
        .containsExactly(
            "message_id",
            "message_type",
            "from_agent",
            "to_agent",
            "payload",
            "requires_response",
            "correlation_id",
            "timestamp");
    assertThat(envelope.payload()).isEqualTo(json.fields().get("payload"));
    assertThat(envelope.run()).isEqualTo("proj_abc123");
  }

  /** Seed 4.5: entries of a history do not say whether they need an answer. */
  @Test
  void gearsHistoryIsRead() throws IOException {
    List<AgentMessage> messages =
        example("gear/history.json").items().stream().map(AgentMessage::parse).toList();

    assertThat(messages)
        .extracting(AgentMessage::messageId)
        .containsExactly("msg_abc123", "msg_def456", "msg_ghi789");
    assertThat(messages).noneMatch(AgentMessage::requiresResponse);
    assertThat(MessageFlow.lines(messages))
        .containsExactly(
            "10:30:00  moderator → techlead  TASK_ASSIGNED  task_003",
            "10:45:00  techlead → moderator  PR_SUBMITTED   PR #42",
            "10:50:00  moderator → techlead  PR_FEEDBACK    Score: 72");
  }

  @Test
  void gearsTypesAreAllThere() {
    assertThat(Arrays.stream(MessageType.values()).map(MessageType::value))
        .containsExactly(
            "task_assigned",
            "task_completed",
            "pr_submitted",
            "pr_feedback",
            "pr_approved",
            "improvement_requested",
            "improvement_completed",
            "agent_ready",
            "agent_error");
  }

  /** Seed 2.2, 2.3. */
  @ParameterizedTest
  @ValueSource(strings = {"task", "status", "fixture"})
  void swarmsMessagesAreValidAndSurvive(String name) throws IOException {
    Json json = example("swarm/" + name + ".json");
    SwarmCodec codec = new SwarmCodec();

    Envelope envelope = Through.log(codec.toLog(new SwarmMessage(json)).build());

    assertThat(SwarmMessageBus.validateMessage(json)).isTrue();
    assertThat(codec.fromLog(envelope).json().fields()).isEqualTo(json.fields());
    assertThat(codec.fromLog(envelope).json().fields().keySet())
        .containsExactlyElementsOf(json.fields().keySet());
  }

  /** The design's own list of functions that a program can call. */
  @Test
  void swarmsFunctionsAreAllThere() {
    List<String> methods =
        Arrays.stream(SwarmMessageBus.class.getMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .map(Method::getName)
            .toList();

    assertThat(methods)
        .contains("ensureMessageDirs", "initializeAgentQueues", "clearAllQueues")
        .contains("validateMessage", "isValidAgent", "createMessage")
        .contains("getInboxPath", "readInbox", "addToInbox", "clearInbox", "removeFromInbox")
        .contains("getUnreadInbox", "getInboxByType", "getInboxByPriority")
        .contains("getOutboxPath", "readOutbox", "addToOutbox", "clearOutbox")
        .contains("getNewOutboxMessages", "sendMessage", "broadcastMessage")
        .contains("sendTask", "sendResult", "sendStatus", "sendQuestion", "sendFeedback")
        .contains("pollInbox", "pollForType", "pollForThreadResponse", "pollForCompletion")
        .contains("getThreadHistory", "createThreadId", "getQueueSummary", "dumpAllMessages");
    assertThat(SwarmMessageBus.VALID_AGENTS)
        .containsExactly("researcher", "developer", "reviewer", "architect", "orchestrator");
  }

  static Stream<Json> queue() {
    return lines("conductor/queue.jsonl").stream();
  }

  /** Seed 1.2. */
  @ParameterizedTest
  @MethodSource("queue")
  void conductorsMessagesSurvive(Json json) {
    ConductorCodec codec = new ConductorCodec();

    Envelope envelope = Through.log(codec.toLog(json).build());

    assertThat(codec.fromLog(envelope).fields()).isEqualTo(json.fields());
    assertThat(envelope.type()).isEqualTo(json.fields().get("type").text());
    assertThat(envelope.sender()).isEqualTo(json.fields().get("source").text());
    assertThat(envelope.payload()).isEqualTo(json.fields().get("payload"));
  }

  @Test
  void conductorsTypesAreAllThere() {
    assertThat(queue().map(json -> json.fields().get("type").text()))
        .containsExactly(
            "PROGRESS",
            "TASK_COMPLETE",
            "TASK_FAILED",
            "FILE_LOCK",
            "FILE_UNLOCK",
            "BLOCKED",
            "BOARD_ASSESS",
            "BOARD_DISCUSS",
            "BOARD_VOTE",
            "BOARD_RESOLVE");
  }

  static Stream<Json> bus() {
    return lines("conclave/bus.jsonl").stream();
  }

  /** Seed 0.2, 0.7, 0.9. */
  @ParameterizedTest
  @MethodSource("bus")
  void conclavesEnvelopesSurvive(Json json) {
    ConclaveCodec codec = new ConclaveCodec(Prefix.of("conclave"));

    Envelope envelope = Through.log(codec.toLog(json).build());

    assertThat(codec.fromLog(envelope).fields()).isEqualTo(json.fields());
    assertThat(json.fields().keySet())
        .containsExactly("id", "seq", "timestamp", "sender", "topic", "type", "payload");
    assertThat(envelope.type()).isEqualTo(json.fields().get("type").text());
    assertThat(envelope.payload()).isEqualTo(json.fields().get("payload"));
  }
}

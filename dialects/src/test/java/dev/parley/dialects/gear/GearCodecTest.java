package dev.parley.dialects.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.testing.AnyJson;
import dev.parley.dialects.testing.Through;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seed 4.2. */
class GearCodecTest {
  private static final int MESSAGES = Seed.isLong() ? 100_000 : 20_000;
  private static final int TOGETHER = 500;

  private final GearCodec codec = new GearCodec("proj_1");

  @Test
  void anyMessageComesBackFromTheLogAsItWas() {
    Random random = Seed.random("gear ↔ log");
    AnyJson any = new AnyJson(random);
    for (int from = 0; from < MESSAGES; from += TOGETHER) {
      List<AgentMessage> messages = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++) {
        messages.add(message(random, any, from + i));
      }
      List<Envelope> envelopes = Through.builders(messages.stream().map(codec::toLog).toList());

      assertThat(envelopes.stream().map(codec::fromLog).toList()).isEqualTo(messages);
    }
  }

  private static AgentMessage message(Random random, AnyJson any, int number) {
    return new AgentMessage(
        "msg_" + number,
        random.nextInt(10) == 0
            ? Seed.nastyText(random, 300) + "x"
            : MessageType.AGENT_ERROR.value(),
        random.nextInt(10) == 0 ? "the moderator!" : "moderator",
        random.nextInt(10) == 0 ? "" : "techlead",
        Seed.nastyText(random, 20),
        any.value(3),
        random.nextBoolean() ? null : "corr_" + number,
        random.nextBoolean(),
        any.object(2).fields());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"message_id":"msg_abc123","message_type":"task_assigned","from_agent":"moderator",
         "to_agent":"techlead","timestamp":"2024-10-15T10:30:00","correlation_id":"corr_task_003",
         "requires_response":true,"payload":{"task_id":"task_003","description":"Implement it",
         "acceptance_criteria":["a","b"],"dependencies":["task_001"],"estimated_hours":3}}\
        """,
        """
        {"message_id":"msg_def456","message_type":"pr_submitted","from_agent":"techlead",
         "to_agent":"moderator","timestamp":"2024-10-15T10:45:00","correlation_id":"corr_task_003",
         "requires_response":true,"payload":{"task_id":"task_003","pr_url":"https://x/pull/42",
         "pr_number":42,"files_changed":["src/cli.py"],"lines_added":145,"iteration":1}}\
        """,
        """
        {"message_id":"msg_ghi789","message_type":"pr_feedback","from_agent":"moderator",
         "to_agent":"techlead","timestamp":"2024-10-15T10:50:00","correlation_id":"corr_task_003",
         "requires_response":true,"payload":{"task_id":"task_003","pr_number":42,"score":72,
         "approved":false,"blocking_issues":["x"],"feedback":[{"severity":"blocking","line":45}],
         "criteria_scores":{"code_quality":25,"test_coverage":10}}}\
        """,
        """
        {"message_id":"msg_jkl012","message_type":"task_completed","from_agent":"moderator",
         "to_agent":"techlead","timestamp":"2024-10-15T11:00:00","correlation_id":"corr_task_003",
         "requires_response":false,"payload":{"task_id":"task_003","final_score":88,
         "approved":true}}\
        """,
        """
        {"message_id":"msg_mno345","message_type":"improvement_requested","from_agent":"moderator",
         "to_agent":"techlead","timestamp":"2024-10-15T11:15:00",
         "correlation_id":"corr_improvement_001","requires_response":true,
         "payload":{"improvement_id":"imp_001","priority_score":8.5}}\
        """,
        """
        {"message_id":"msg_err001","message_type":"agent_error","from_agent":"techlead",
         "to_agent":"moderator","timestamp":"2024-10-15T10:35:00","correlation_id":"corr_task_003",
         "requires_response":false,"payload":{"error_type":"backend_failure","recoverable":false,
         "context":{"timeout":300}}}\
        """
      })
  void theDesignsOwnExamplesSurvive(String example) {
    Json json = Json.parse(example);

    AgentMessage back = codec.fromLog(Through.log(codec.toLog(AgentMessage.parse(json)).build()));

    assertThat(back.toJson().fields()).isEqualTo(json.fields());
  }

  @Test
  void aMailOfAnotherDesignIsAMessageToo() {
    Envelope task =
        Through.log(
            Message.builder("orchestrator", "task")
                .to(List.of("techlead"))
                .thread("thread_1")
                .needsReply(true)
                .payload(Json.parse("{\"subject\":\"s\",\"body\":\"b\"}"))
                .build());

    AgentMessage message = codec.fromLog(task);

    assertThat(message.is(MessageType.TASK_ASSIGNED)).isTrue();
    assertThat(message.messageId()).startsWith("msg_").isEqualTo(codec.fromLog(task).messageId());
    assertThat(message.correlationId()).isEqualTo("thread_1");
    assertThat(message.requiresResponse()).isTrue();
    assertThat(message.text("body")).isEqualTo("b");
  }

  @Test
  void whatIsNoMessageIsRefusedWithTheReason() {
    assertThatThrownBy(() -> AgentMessage.parse(Json.parse("{\"message_id\":\"x\"}")))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("message_type");
  }
}

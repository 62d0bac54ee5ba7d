package dev.parley.dialects.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import dev.parley.dialects.testing.AnyJson;
import dev.parley.dialects.testing.Through;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Seed 2.2 and 2.3. */
class SwarmCodecTest {
  private static final int MESSAGES = Seed.isLong() ? 100_000 : 20_000;
  private static final int TOGETHER = 500;

  private static final String VALID =
      "{\"id\":\"test_123\",\"timestamp\":\"2024-01-01T00:00:00Z\",\"from\":\"orchestrator\","
          + "\"to\":\"researcher\",\"type\":\"task\",\"priority\":\"normal\","
          + "\"content\":{\"subject\":\"Test\",\"body\":\"Test body\"},\"requiresResponse\":false}";

  private final SwarmCodec codec = new SwarmCodec();

  @Test
  void anyMessageComesBackFromTheLogAsItWas() {
    Random random = Seed.random("swarm ↔ log");
    AnyJson any = new AnyJson(random);
    for (int from = 0; from < MESSAGES; from += TOGETHER) {
      List<SwarmMessage> messages = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++) {
        messages.add(message(random, any, from + i));
      }
      List<Envelope> envelopes = Through.builders(messages.stream().map(codec::toLog).toList());

      assertThat(envelopes.stream().map(codec::fromLog).map(one -> one.json().fields()).toList())
          .isEqualTo(messages.stream().map(one -> one.json().fields()).toList());
    }
  }

  private static SwarmMessage message(Random random, AnyJson any, int number) {
    Json.ObjectBuilder content =
        Json.object()
            .put("subject", Seed.nastyText(random, 20))
            .put("body", Seed.nastyText(random, 60));
    if (random.nextBoolean()) {
      content.put("artifacts", any.value(2));
    }
    if (random.nextBoolean()) {
      content.put("metadata", any.value(2));
    }
    Json.ObjectBuilder json =
        Json.object()
            .put("id", "id-" + number)
            .put("timestamp", Seed.nastyText(random, 10) + "T")
            .put("from", random.nextInt(9) == 0 ? "Some one" : "developer")
            .put("to", random.nextInt(3) == 0 ? "broadcast" : "researcher")
            .put("type", SwarmMessage.TYPES.get(random.nextInt(9)))
            .put("priority", SwarmMessage.PRIORITIES.get(random.nextInt(4)))
            .put("content", content.build());
    if (random.nextBoolean()) {
      json.put("threadId", random.nextInt(5) == 0 ? any.value(1) : Json.of("thread_" + number));
    }
    json.put("requiresResponse", random.nextBoolean());
    if (random.nextBoolean()) {
      json.put(
          "deadline", random.nextBoolean() ? Json.of("2024-01-15T11:00:00.000Z") : any.value(1));
    }
    any.object(2).fields().forEach(json::put);
    SwarmMessage message = new SwarmMessage(json.build());
    assertThat(SwarmMessage.problem(message.json())).isNull();
    return message;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        VALID,
        """
        {"id":"msg_abc123","timestamp":"2024-01-15T10:30:00.000Z","from":"orchestrator",
         "to":"researcher","type":"task","priority":"high","content":{"subject":"Research it",
         "body":"Find out.","metadata":{"maxSources":5,"preferredDomains":["arxiv.org"]}},
         "threadId":"thread_xyz789","requiresResponse":true,"deadline":"2024-01-15T11:00:00.000Z"}\
        """,
        """
        {"id":"msg_def456","timestamp":"2024-01-15T10:45:00.000Z","from":"researcher",
         "to":"orchestrator","type":"status","priority":"normal","content":{
         "subject":"Status: complete","body":"Found 5","metadata":{"status":"complete",
         "findingsCount":5}},"threadId":"thread_xyz789","requiresResponse":false}\
        """
      })
  void theDesignsOwnExamplesAreValidAndSurvive(String example) {
    Json json = Json.parse(example);

    assertThat(SwarmMessageBus.validateMessage(json)).isTrue();
    Envelope envelope = Through.log(codec.toLog(new SwarmMessage(json)).build());
    assertThat(codec.fromLog(envelope).json()).isEqualTo(json);
    assertThat(envelope.type()).isEqualTo(json.fields().get("type").text());
    assertThat(envelope.payload()).isEqualTo(json.fields().get("content"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"id\":\"test_123\" | \"id\":\"\" | has no id",
        "\"id\":\"test_123\" | \"id\":7 | has a field id that is no text: 7",
        "\"timestamp\":\"2024-01-01T00:00:00Z\" | \"timestamp\":null | has no timestamp",
        "\"from\":\"orchestrator\" | \"from\":\"\" | has no from",
        "\"to\":\"researcher\" | \"to\":\"\" | has no to",
        "\"type\":\"task\" | \"type\":\"invalid\" | has no type that is known: \"invalid\"",
        "\"type\":\"task\" | \"type\":5 | has no type that is known: 5",
        "\"priority\":\"normal\" | \"priority\":\"urgent\" | has no priority that is known:"
            + " \"urgent\"",
        "\"subject\":\"Test\" | \"title\":\"Test\" | has no content with a subject and a body",
        "\"body\":\"Test body\" | \"body\":5 | has no content with a subject and a body",
        "\"requiresResponse\":false | \"requiresResponse\":\"no\""
            + " | has no requiresResponse that is true or false",
      })
  void everyRuleIsChecked(String from, String to, String problem) {
    assertThat(VALID).contains(from.strip());
    Json json = Json.parse(VALID.replace(from.strip(), to.strip()));

    assertThat(SwarmMessage.problem(json)).isEqualTo(problem.strip());
  }

  @Test
  void anEnvelopeOfAnyOtherOriginBecomesAValidMessageAlwaysTheSame() {
    Envelope reply =
        Through.log(
            Message.builder("techlead", "pr_submitted")
                .to(List.of("reviewer"))
                .replyTo("abc-1")
                .payload(Json.parse("{\"pr_number\":42}"))
                .build());

    SwarmMessage message = codec.fromLog(reply);

    assertThat(SwarmMessage.problem(message.json())).isNull();
    assertThat(message).isEqualTo(codec.fromLog(reply));
    assertThat(message.type()).isEqualTo("review");
    assertThat(message.metadata("type")).isEqualTo("pr_submitted");
    assertThat(message.body()).isEqualTo("{\"pr_number\":42}");
    assertThat(message.threadId()).isEqualTo("abc-1");
    assertThat(message.timestamp()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
  }
}

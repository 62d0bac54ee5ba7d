package dev.parley.dialects.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import dev.parley.dialects.conclave.ConclaveCodec;
import dev.parley.dialects.conductor.ConductorCodec;
import dev.parley.dialects.testing.AnyJson;
import dev.parley.dialects.testing.Through;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seed 0.2 and 1.2. */
class JsonLineCodecTest {
  private static final int MESSAGES = Seed.isLong() ? 100_000 : 20_000;
  private static final int TOGETHER = 500;

  private final ConclaveCodec conclave = new ConclaveCodec(Prefix.of("conclave"));
  private final ConductorCodec conductor = new ConductorCodec();

  @Test
  void anyMessageOfConclaveComesBackFromTheLogAsItWas() {
    roundTrip(conclave, "sender", Seed.random("conclave ↔ log"));
  }

  @Test
  void anyMessageOfConductorComesBackFromTheLogAsItWas() {
    roundTrip(conductor, "source", Seed.random("conductor ↔ log"));
  }

  private static void roundTrip(JsonLineCodec codec, String sender, Random random) {
    AnyJson any = new AnyJson(random);
    for (int from = 0; from < MESSAGES; from += TOGETHER) {
      List<Json> messages = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++) {
        messages.add(message(random, any, sender, from + i));
      }
      List<Envelope> envelopes = Through.builders(messages.stream().map(codec::toLog).toList());

      assertThat(envelopes.stream().map(codec::fromLog).map(Json::fields).toList())
          .isEqualTo(messages.stream().map(Json::fields).toList());
    }
  }

  private static Json message(Random random, AnyJson any, String sender, int number) {
    Json.ObjectBuilder json =
        Json.object()
            .put("id", random.nextInt(9) == 0 ? "" : "4711-" + number)
            .put("type", random.nextInt(9) == 0 ? Seed.nastyText(random, 300) : "board.warning")
            .put(sender, random.nextInt(9) == 0 ? "Agent Nobody" : "worker-1.1-x")
            .put("timestamp", "2026-02-01T12:00:00.123456789+01:00")
            .put("payload", any.value(3));
    if (random.nextBoolean()) {
      json.put("seq", number).put("topic", "parallel.wave-0.board");
    }
    if (random.nextInt(4) == 0) {
      json.put("to", random.nextBoolean() ? Json.of("alice") : any.value(1));
    }
    any.object(2).fields().forEach(json::put);
    return json.build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"msg-1\",\"type\":\"PROGRESS\",\"source\":\"worker-1.1-xxx\",\"timestamp\":\"2026-02-01T12:00:00Z\",\"payload\":{\"task_id\":\"1.1\",\"progress_pct\":40,\"current_subtask\":\"x\"}}",
        "{\"id\":\"msg-2\",\"type\":\"TASK_COMPLETE\",\"source\":\"worker-1.1-xxx\",\"timestamp\":\"2026-02-01T12:00:00.000001Z\",\"payload\":{\"task_id\":\"1.1\",\"commit_sha\":\"abc\",\"files_modified\":[\"a\"],\"unblocks\":[]}}",
        "{\"id\":\"msg-3\",\"type\":\"TASK_FAILED\",\"source\":\"w\",\"timestamp\":\"t\",\"payload\":{\"task_id\":\"1\",\"error\":\"e\",\"stack_trace\":\"s\"}}",
        "{\"id\":\"msg-4\",\"type\":\"FILE_LOCK\",\"source\":\"w\",\"timestamp\":\"t\",\"payload\":{\"filepath\":\"src/a.ts\",\"lock_type\":\"x\",\"expires_at\":\"t\"}}",
        "{\"id\":\"msg-5\",\"type\":\"FILE_UNLOCK\",\"source\":\"w\",\"timestamp\":\"t\",\"payload\":{\"filepath\":\"src/a.ts\"}}",
        "{\"id\":\"msg-6\",\"type\":\"BLOCKED\",\"source\":\"w\",\"timestamp\":\"t\",\"payload\":{\"task_id\":\"1\",\"waiting_for\":\"v\",\"resource\":\"r\"}}",
        "{\"id\":\"msg-7\",\"type\":\"BOARD_ASSESS\",\"source\":\"CA\",\"timestamp\":\"t\",\"payload\":{\"director\":\"CA\",\"verdict\":\"APPROVE\",\"score\":8,\"concerns\":[],\"recommendations\":[]}}",
        "{\"id\":\"msg-8\",\"type\":\"BOARD_DISCUSS\",\"source\":\"CA\",\"timestamp\":\"t\",\"payload\":{\"from\":\"CA\",\"to\":\"ALL\",\"type\":\"CHALLENGE\",\"message\":\"m\",\"changes_my_verdict\":false}}",
        "{\"id\":\"msg-9\",\"type\":\"BOARD_VOTE\",\"source\":\"CA\",\"timestamp\":\"t\",\"payload\":{\"final_verdict\":\"APPROVE\",\"confidence\":0.9,\"conditions\":[]}}",
        "{\"id\":\"msg-10\",\"type\":\"BOARD_RESOLVE\",\"source\":\"orchestrator\",\"timestamp\":\"t\",\"payload\":{\"verdict\":\"APPROVED\",\"vote_summary\":{\"CA\":\"APPROVE\"},\"conditions\":[],\"dissent\":[]}}"
      })
  void theMessagesOfTheConductorDesignSurvive(String example) {
    Json json = Json.parse(example);
    Envelope envelope = Through.log(conductor.toLog(json).build());

    assertThat(conductor.fromLog(envelope).fields()).isEqualTo(json.fields());
    assertThat(envelope.type()).isEqualTo(json.fields().get("type").text());
    assertThat(envelope.sender()).isEqualTo(json.fields().get("source").text());
  }

  @Test
  void anEnvelopeOfAnyOtherOriginHasTheFieldsOfTheDesign() {
    Envelope envelope =
        Through.log(
            Message.builder("alice", "result").to(List.of("w-1")).payload(Json.of("done")).build());

    assertThat(conclave.fromLog(envelope).fields().keySet())
        .containsExactly("id", "seq", "timestamp", "sender", "topic", "type", "payload", "to");
    Json message = conductor.fromLog(envelope);
    assertThat(message.fields().keySet())
        .containsExactly("id", "type", "source", "timestamp", "payload", "to");
    assertThat(message.fields().get("type").text()).isEqualTo("TASK_COMPLETE");
    assertThat(message.fields().get("payload")).hasToString("{\"value\":\"done\"}");
    assertThat(message).isEqualTo(conductor.fromLog(envelope));
  }
}

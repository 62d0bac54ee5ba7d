package dev.parley.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.nio.charset.StandardCharsets;

/**
 * Decodes arbitrary bytes. {@code ./check} replays the inputs in {@code src/test/resources}; with
 * {@code JAZZER_FUZZ=1} in the environment Jazzer searches for new ones.
 */
class CodecFuzzTest {
  private static final Topic TOPIC = new Topic("fuzz");

  @FuzzTest(maxDuration = "10m")
  void aLineIsAnEnvelopeThatReadsBackTheSameOrIsRefused(byte[] line) {
    Envelope envelope;
    try {
      envelope =
          new EnvelopeDecoder(Limits.DEFAULT)
              .decode(TOPIC, line, 0, line.length, new Position(line.length));
    } catch (JsonException e) {
      return;
    }
    assertThat(envelope.toLine()).isEqualTo(line);
    assertThat(envelope.type()).isNotNull();
    assertThat(envelope.payload().toString()).isNotEmpty();
    assertThat(envelope.payload().fields()).isNotNull();
    assertThat(envelope.to()).doesNotContainNull();
    assertThat(envelope.seq()).isNotNegative();
    assertThat(envelope.id()).isNotNull();
    assertThat(envelope.timestamp()).isNotNull();
    assertThat(envelope.extra()).doesNotContainKey("type");
  }

  @FuzzTest(maxDuration = "10m")
  void aPayloadIsOneSafeLineOrIsRefused(byte[] utf8) {
    Json json;
    try {
      json = Json.parse(utf8, Json.DEFAULT_DEPTH);
    } catch (JsonException e) {
      return;
    }
    String text = json.toString();
    assertThat(text.chars()).allMatch(c -> c >= 0x20 && !(c >= 0x7f && c < 0xa0) && c != 0x2028);
    assertThat(Json.parse(text)).isEqualTo(json);
    assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(json.length());
  }
}

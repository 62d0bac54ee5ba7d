package dev.parley.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.json.JsonException;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumTest {
  private static final Topic TOPIC = new Topic("notes");
  private static final Instant TIME = Instant.parse("2026-11-15T21:28:00.123456Z");

  private final WriterId writer = WriterId.random();
  private final EnvelopeEncoder encoder = EnvelopeEncoder.withSums(writer, TOPIC);

  private byte[] line(long number, Message message) {
    JsonBytes out = new JsonBytes(64);
    encoder.encode(out, number, number, Timestamps.ascii(TIME), null, message);
    return out.toArray();
  }

  private static Envelope decode(EnvelopeDecoder decoder, byte[] line) {
    return decoder.decode(TOPIC, line, 0, line.length, new Position(line.length + 1));
  }

  private static Envelope decode(byte[] line) {
    return decode(new EnvelopeDecoder(Limits.DEFAULT), line);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Message note(String text) {
    return Message.of("alice", "note", Json.of(text));
  }

  @Test
  void isTheCrc32cOfWhatStandsBeforeItAfterUnknownKeys() {
    Message message =
        Message.builder("alice", "note")
            .payload(Json.of(1))
            .thread("t")
            .extra("x-more", Json.of(5))
            .build();
    String line = new String(line(1, message), StandardCharsets.UTF_8);
    int end = line.length() - Checksum.LENGTH;
    assertThat(line.substring(end)).matches(",\"sum\":\"[0-9a-f]{8}\"}");
    assertThat(line.substring(0, end)).endsWith("\"x-more\":5");
    CRC32C crc = new CRC32C();
    crc.update(utf8(line.substring(0, end)));
    assertThat(Long.parseLong(line.substring(end + 8, end + 16), 16)).isEqualTo(crc.getValue());
    Envelope read = decode(utf8(line));
    assertThat(read.hasSum()).isTrue();
    assertThat(read.extra()).containsOnlyKeys("x-more");
    assertThat(read.toLine()).isEqualTo(utf8(line));
  }

  @Test
  void isTheSameByOurTableAndByTheLibrary() {

    Random random = Seed.random("sums");
    Checksum one = new Checksum();
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      assertThat(Integer.toUnsignedLong(one.of(bytes, 0, bytes.length))).isEqualTo(crc.getValue());
    }
  }

  @Test
  void aLineThatWasChangedIsNoEnvelopeWhateverItIsReadAfter() {
    EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
    decode(decoder, line(11, note("a")));
    decode(decoder, line(12, note("b")));
    byte[] changed = line(13, note("pay 100"));
    String text = new String(changed, StandardCharsets.UTF_8).replace("100", "900");
    byte[] withNewline = utf8(text + "\n");
    assertThat(decoder.decodeNext(TOPIC, withNewline, 0, withNewline.length, 0)).isNull();
    assertThatThrownBy(() -> decode(decoder, utf8(text)))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("its checksum does not match");
    byte[] next = line(14, note("c"));
    assertThat(decode(decoder, next).toLine()).isEqualTo(next);
  }

  @Test
  void isVerifiedWhereTheEndOfALineIsNotSearchedFor() {
    EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
    decode(decoder, line(11, note("a")));
    decode(decoder, line(12, note("b")));
    byte[] line = utf8(new String(line(13, note("c")), StandardCharsets.UTF_8) + "\n");
    Envelope read = decoder.decodeNext(TOPIC, line, 0, line.length, 0);
    assertThat(read).isNotNull();
    assertThat(read.hasSum()).isTrue();
  }

  @Test
  void aLineOfAnEarlierVersionHasNone() {
    JsonBytes out = new JsonBytes(64);
    new EnvelopeEncoder(writer, TOPIC).encode(out, 1, 1, Timestamps.ascii(TIME), null, note("a"));
    Envelope read = decode(out.toArray());
    assertThat(read.isNative()).isTrue();
    assertThat(read.hasSum()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"sum\":\"0123456\"", "\"sum\":7", "\"sum\":\"0123456G\"", "\"sum\" : 1"})
  void aNativeLineWithAnotherKindOfSumWasChanged(String sum) {
    String line = new String(line(1, note("a")), StandardCharsets.UTF_8);
    String changed = line.substring(0, line.length() - Checksum.LENGTH) + "," + sum + "}";
    assertThatThrownBy(() -> decode(utf8(changed)))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("sum");
  }

  @Test
  void ofAForeignLineASumOfAnotherKindIsWhatItsWriterMeant() {
    Envelope read = decode(utf8("{\"type\":\"bill\",\"sum\":120}"));
    assertThat(read.extra()).containsEntry("sum", Json.of(120));
    assertThat(read.hasSum()).isFalse();
  }

  @Test
  void isNoExtraKeyOfAMessage() {
    assertThatThrownBy(() -> Message.builder("a", "note").extra("sum", Json.of(1)).build())
        .hasMessageContaining("bad-key {\"key\":\"sum\"}");
  }

  /** The long version, and the one over whole files, are in file-log. */
  @Test
  void noBitOfALineCanBeChanged() {
    List<byte[]> lines =
        List.of(
            line(1, note("a")),
            line(2, Message.builder("bob", "task").payload(Json.of(12)).key("k").build()),
            line(3, note("…é\u2028\"{}")));
    for (byte[] line : lines) {
      for (int bit = 0; bit < Byte.SIZE * line.length; bit++) {
        byte[] flipped = line.clone();
        flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        assertThatThrownBy(() -> decode(flipped))
            .as("bit %d of %s", bit, new String(line, StandardCharsets.UTF_8))
            .isInstanceOf(JsonException.class);
      }
    }
  }
}

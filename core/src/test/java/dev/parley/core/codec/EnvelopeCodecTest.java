package dev.parley.core.codec;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.json.JsonException;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeCodecTest {
  private static final Topic TOPIC = new Topic("notes");
  private static final String WRITER = "abcdefghijklmnop";
  private static final Instant TIME = Instant.parse("2026-11-15T21:28:00.123456789Z");

  private static Envelope decode(byte[] line) {
    return new EnvelopeDecoder(Limits.DEFAULT)
        .decode(TOPIC, line, 0, line.length, new Position(line.length + 1L));
  }

  private static Envelope decode(String line) {
    return decode(line.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] encode(Message message) {
    JsonBytes out = new JsonBytes(16);
    WriterId writer = requireNonNull(WriterId.in(WRITER + "-7"));
    new EnvelopeEncoder(writer, TOPIC).encode(out, 7, 3, Timestamps.ascii(TIME), null, message);
    return out.toArray();
  }

  @Test
  void theFormatIsThisAndNoOther() {
    Message message =
        Message.builder("alice", "note")
            .payload(Json.parse(" { \"text\" : \"hi\" } "))
            .to(List.of("bob"))
            .needsReply(true)
            .deadline(TIME)
            .task("1.1")
            .extra("later", Json.of(1))
            .build();

    assertThat(new String(encode(message), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"id\":\"abcdefghijklmnop-7\",\"seq\":3,\"timestamp\":\"2026-11-15T21:28:00.123456Z\","
                + "\"sender\":\"alice\",\"topic\":\"notes\",\"type\":\"note\","
                + "\"payload\":{\"text\":\"hi\"},\"to\":[\"bob\"],\"needsReply\":true,"
                + "\"deadline\":\"2026-11-15T21:28:00.123456Z\",\"task\":\"1.1\",\"later\":1}");
  }

  @Test
  void theClockStandsAfterWhatIsKnownAndBeforeWhatIsNot() {
    Message message =
        Message.builder("alice", "tick").task("1.1").extra("later", Json.of(1)).build();
    JsonBytes out = new JsonBytes(16);
    new EnvelopeEncoder(requireNonNull(WriterId.in(WRITER + "-7")), TOPIC)
        .encode(out, 7, 3, Timestamps.ascii(TIME), new BootTime("413dba2b", 1_594_810), message);

    String line = new String(out.toArray(), StandardCharsets.UTF_8);

    assertThat(line).endsWith(",\"task\":\"1.1\",\"clock\":\"413dba2b:1594810\",\"later\":1}");
    Envelope read = decode(line);
    assertThat(read.clock()).isEqualTo(new BootTime("413dba2b", 1_594_810));
    assertThat(read.extra()).containsOnlyKeys("later");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7",
        "null",
        "{}",
        "\"\"",
        "\"a\"",
        "\"a:\"",
        "\":7\"",
        "\"a:-7\"",
        "\"a:7.5\"",
        "\"a:7:7\"",
        "\"A:7\"",
        "\"a b:7\"",
        "\"abcdefghijklmnopq:7\"",
        "\"a:9999999999999\"",
        "\"a:99999999999999999999\""
      })
  void whatIsNotAsWeWriteItIsNoClockAndNoDamage(String clock) {
    assertThat(decode("{\"type\":\"t\",\"clock\":" + clock + "}").clock()).isNull();
  }

  @Test
  void aHundredThousandNastyStringsInEveryFieldAreOneLineEachAndComeBackEqual() {
    Random random = Seed.random("aHundredThousandNastyStrings");
    for (int i = 0; i < 100_000; i++) {
      String text = Seed.nastyText(random, 24);
      String type = text.isEmpty() ? "t" : text;
      Message message =
          Message.builder("alice", type)
              .payload(Json.object().put(text, text).build())
              .thread(text)
              .replyTo(text)
              .priority(text)
              .key(text)
              .run(text)
              .task(text)
              .extra("x" + text, Json.of(text))
              .build();

      byte[] line = encode(message);

      assertIsOneLineForEveryTool(line);
      Envelope read = decode(line);
      assertThat(read.type()).isEqualTo(type);
      assertThat(read.payload().fields().get(text)).isEqualTo(Json.of(text));
      assertThat(read.payload().fields().get(text).text()).isEqualTo(text);
      for (String field :
          new String[] {
            read.thread(), read.replyTo(), read.priority(), read.key(), read.run(), read.task()
          }) {
        assertThat(field == null ? "" : field).isEqualTo(text);
      }
      assertThat(read.extra().get("x" + text)).isEqualTo(Json.of(text));
    }
  }

  /** No byte below 0x20 or DEL, no C1 control, no U+2028 or U+2029. */
  private static void assertIsOneLineForEveryTool(byte[] line) {
    String text = new String(line, StandardCharsets.UTF_8);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
        throw new AssertionError("raw U+" + Integer.toHexString(c) + " in " + text);
      }
    }
  }

  @Test
  void aConclaveLineIsReadAsItIs() {
    String line =
        "{\"id\":\"4711-3\",\"seq\":3,\"timestamp\":\"2026-02-10T11:22:33.123456789+01:00\","
            + "\"sender\":\"task-3\",\"topic\":\"parallel.wave-0.board\",\"type\":\"board.discovery\",\"payload\":{\"text\":\"a"
            + " \\u003c b \\u0026 c\"}}";

    Envelope envelope = decode(line);

    assertThat(envelope.isNative()).isFalse();
    assertThat(envelope.id()).isEqualTo("4711-3");
    assertThat(envelope.time()).isEqualTo(Instant.parse("2026-02-10T10:22:33.123456789Z"));
    assertThat(envelope.payload().fields().get("text").text()).isEqualTo("a < b & c");
    assertThat(envelope).hasToString(line);
  }

  @Test
  void aReaderIsTolerant() {
    Envelope envelope =
        decode("{ \"type\" : \"note\",\t\"thread\":null, \"to\":\"bob\", \"n\\u0065w\":[1] }");

    assertThat(envelope.type()).isEqualTo("note");
    assertThat(envelope.thread()).isNull();
    assertThat(envelope.to()).containsExactly("bob");
    assertThat(envelope.extra()).containsOnlyKeys("new");
    assertThat(envelope.id()).isEmpty();
    assertThat(envelope.seq()).isZero();
    assertThat(envelope.time()).isNull();
    assertThat(envelope.payload()).isEqualTo(Json.NULL);
    assertThat(decode("{\"t\\u0079pe\":\"x\"}").type()).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{}|has no type",
        "{\"type\":null}|has no type",
        "{\"type\":\"a\",\"type\":\"b\"}|has type twice",
        "{\"type\":\"a\",\"t\\u0079pe\":\"b\"}|has type twice",
        "{\"type\":\"a\",\"x\":1,\"x\":2}|has a key twice",
        "{\"type\":7}|has a type of the wrong kind",
        "{\"type\":\"a\",\"seq\":\"1\"}|has a seq of the wrong kind",
        "{\"type\":\"a\",\"seq\":-1}|has a seq of the wrong kind",
        "{\"type\":\"a\",\"seq\":1.5}|has a seq of the wrong kind",
        "{\"type\":\"a\",\"needsReply\":1}|has a needsReply of the wrong kind",
        "[1]|does not begin with {",
        "x|does not begin with {",
        "{\"type\":\"a\"|does not end with }",
        "{\"type\":\"a\"} |does not end with }",
        "{\"type\":\"a\"}}|goes on after its closing }",
        "{\"type\":\"a\"},{}|goes on after its closing }",
        "{\"type\":\"a\",}|expected '\"'",
        "{\"type\":\"a\" \"x\":1}|expected '}'",
        "{\"type\":\"a\",\"payload\":01}|expected '}'",
        "{\"type\":\"a\",\"payload\":tru}|expected 'e'",
        "{\"type\":\"a\",\"payload\":\"\\x\"}|bad escape",
        "{\"type\":\"a\",\"payload\":\"\\u12g4\"}|bad \\u escape",
        "{\"type\":\"a\",\"payload\":NaN}|expected a value",
        "{\"type\":\"a\",\"payload\":\"}|string without end",
      })
  void aLineThatIsNoEnvelopeIsRefusedWithTheReason(String line, String reason) {
    String unquoted = line.strip().equals("{\"type\":\"a\"}") ? line + " " : line;
    assertThatThrownBy(() -> decode(unquoted))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c080",
        "c1bf",
        "80",
        "bf",
        "e08080",
        "eda080",
        "edbfbf",
        "f0808080",
        "f4908080",
        "f5808080",
        "ff",
        "fe",
        "c2",
        "e282",
        "f09f98",
        "c220",
        "0a",
        "1f",
        "00"
      })
  void invalidUtf8AndControlBytesAreRefused(String hex) {
    byte[] bad = HexFormat.of().parseHex(hex);
    JsonBytes line = new JsonBytes(64).ascii("{\"type\":\"a").raw(bad).ascii("\"}");
    assertThatThrownBy(() -> decode(line.toArray())).isInstanceOf(JsonException.class);
  }

  @Test
  void depthAndLengthLimitsAreExact() {
    String deepest = "[".repeat(63) + "]".repeat(63);
    assertThat(decode("{\"type\":\"a\",\"payload\":" + deepest + "}").type()).isEqualTo("a");
    assertThatThrownBy(() -> decode("{\"type\":\"a\",\"payload\":[" + deepest + "]}"))
        .hasMessageContaining("nested deeper than 64");

    String head = "{\"type\":\"a\",\"payload\":\"";
    String fits = "x".repeat(Limits.DEFAULT_LINE - head.length() - 2);
    assertThat(decode(head + fits + "\"}").type()).isEqualTo("a");
    assertThatThrownBy(() -> decode(head + fits + "x\"}")).hasMessageContaining("longer");
  }

  @Test
  void limitsCanBeSetWithinReason() {
    Limits small = new Limits(2048, 4);
    assertThatThrownBy(() ->
            EnvelopeEncoder.check(small, TOPIC, Message.of("a", "t", Json.of("x".repeat(2048)))))
        .isInstanceOfSatisfying(
            ParleyException.class,
            e -> assertThat(e.details().fields()).containsEntry("most", Json.of(2048)));
    assertThatThrownBy(
            () -> EnvelopeEncoder.check(small, TOPIC, Message.of("a", "t", Json.parse("[[[[]]]]"))))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.what()).isEqualTo("too-deep {\"most\":4}"));
    EnvelopeEncoder.check(small, TOPIC, Message.of("a", "t", Json.parse("[[[]]]")));
    assertThatThrownBy(() -> new Limits(10, 64)).isInstanceOf(ParleyException.class);
    assertThatThrownBy(() -> new Limits(2048, 100_000)).isInstanceOf(ParleyException.class);
  }

  @Test
  void aLineIsReadTheSameWhateverWasReadBeforeIt() {
    Random random = Seed.random("whateverWasReadBefore");
    List<String> fields =
        List.of(
            "\"id\":\"abcdefghijklmnop-7\"",
            "\"id\":\"bbcdefghijklmnop-12\"",
            "\"seq\":3",
            "\"seq\":\"3\"",
            "\"timestamp\":\"2026-11-15T21:28:00.123456Z\"",
            "\"sender\":\"alice\"",
            "\"topic\":\"notes\"",
            "\"type\":\"note\"",
            "\"type\": \"a\\nb\"",
            "\"payload\":{\"a\":[1]}",
            "\"payload\":null",
            "\"task\":\"t\"",
            "\"other\":1");
    EnvelopeDecoder one = new EnvelopeDecoder(Limits.DEFAULT);
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      // Mostly in the usual order, with some fields missing, doubled or misplaced.
      List<String> chosen = new ArrayList<>();
      fields.forEach(field -> chosen.addAll(Collections.nCopies(often(random), field)));
      if (random.nextInt(4) == 0) {
        Collections.shuffle(chosen, random);
      }
      byte[] line = ("{" + String.join(",", chosen) + "}").getBytes(StandardCharsets.UTF_8);
      String expected = outcome(new EnvelopeDecoder(Limits.DEFAULT), line);
      assertThat(outcome(one, line)).isEqualTo(expected);
      read += expected.startsWith("read") ? 1 : 0;
    }
    assertThat(read).isBetween(1_000, 49_000);
  }

  private static int often(Random random) {
    int chance = random.nextInt(40);
    return chance == 0 ? 2 : chance < 24 ? 1 : 0;
  }

  private static String outcome(EnvelopeDecoder decoder, byte[] line) {
    try {
      return outcome(decoder.decode(TOPIC, line, 0, line.length, new Position(line.length)));
    } catch (JsonException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String outcome(Envelope read) {
    return String.join(
        "|",
        "read",
        String.valueOf(read.writer()),
        read.id(),
        String.valueOf(read.seq()),
        read.timestamp(),
        read.sender(),
        read.type(),
        read.payload().toString(),
        String.valueOf(read.task()),
        read.extra().toString());
  }

  /** The decoder relies on the common prefix of a writer's lines. */
  @Test
  void aLineIsReadTheSameHoweverManyOfItsWriterWereReadBeforeIt() {
    Random random = Seed.random("howeverManyOfItsWriter");
    byte[] changes = "0129az\"\\{}[],:-Zn \u00e9".getBytes(StandardCharsets.UTF_8);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
      long number = 1 + random.nextLong(2000);
      for (int before = 0; before < 3; before++) {
        assertThat(outcome(decoder, line(number++, random.nextInt(3)))).startsWith("read");
      }
      byte[] line = line(number, random.nextInt(3));
      for (int edits = random.nextInt(3); edits > 0; edits--) {
        line[random.nextInt(line.length)] = changes[random.nextInt(changes.length)];
      }
      String expected = outcome(new EnvelopeDecoder(Limits.DEFAULT), line);
      assertThat(outcome(decoder, line)).isEqualTo(expected);
      read += expected.startsWith("read") ? 1 : 0;
    }
    assertThat(read).isBetween(2_000, 18_000);
  }

  @Test
  void aLineIsReadTheSameWhetherItsEndIsSearchedForOrFoundByReading() {
    Random random = Seed.random("whetherItsEndIsSearchedFor");
    byte[] changes = "0129az\"\\{}[],:-Zn \n\r\t\u00e9".getBytes(StandardCharsets.UTF_8);
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
      long number = 1 + random.nextLong(2000);
      for (int before = 0; before < 3; before++) {
        assertThat(outcome(decoder, line(number++, random.nextInt(3)))).startsWith("read");
      }
      JsonBytes two = new JsonBytes(16);
      two.raw(line(number, random.nextInt(3))).raw('\n');
      two.raw(line(number + 1, random.nextInt(3))).raw('\n');
      byte[] bytes = two.toArray();
      for (int edits = random.nextInt(3); edits > 0; edits--) {
        int at = random.nextInt(bytes.length);
        if (random.nextBoolean()) {
          bytes = Arrays.copyOf(bytes, bytes.length + 1);
          System.arraycopy(bytes, at, bytes, at + 1, bytes.length - 1 - at);
        }
        bytes[at] = changes[random.nextInt(changes.length)];
      }
      int to = random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length;
      Envelope read = decoder.decodeNext(TOPIC, bytes, 0, to, 1000);
      if (read != null) {
        int end = new String(bytes, 0, to, StandardCharsets.ISO_8859_1).indexOf('\n');
        byte[] line = Arrays.copyOf(bytes, end);
        assertThat(read.position().value()).isEqualTo(1000 + end + 1);
        assertThat(outcome(read)).isEqualTo(outcome(new EnvelopeDecoder(Limits.DEFAULT), line));
        found++;
      }
    }
    assertThat(found).isBetween(5_000, 18_000);
  }

  private static byte[] line(long number, int second) {
    JsonBytes out = new JsonBytes(16);
    WriterId writer = requireNonNull(WriterId.in(WRITER + "-7"));
    byte[] time = Timestamps.ascii(TIME.plusSeconds(second));
    String type = second == 2 ? "notes" : "note";
    Message message = Message.of("alice", type, Json.object().put("text", "hi").build());
    new EnvelopeEncoder(writer, TOPIC).encode(out, number, number, time, null, message);
    return out.toArray();
  }

  /** So does the encoder. */
  @Test
  void aLineIsWrittenTheSameHoweverManyWereWrittenBeforeIt() {
    Random random = Seed.random("howeverManyWereWritten");
    WriterId writer = requireNonNull(WriterId.in(WRITER + "-7"));
    EnvelopeEncoder encoder = new EnvelopeEncoder(writer, TOPIC);
    JsonBytes out = new JsonBytes(16);
    long number = 1;
    long seq = 1;
    byte[] time = Timestamps.ascii(TIME);
    Message message = Message.of("alice", "note", Json.of("hi"));
    for (int i = 0; i < 20_000; i++) {
      switch (random.nextInt(20)) {
        case 0 -> number = random.nextLong(1_200);
        case 1 -> seq = random.nextLong(1_200);
        case 2 -> time = Timestamps.ascii(TIME.plusSeconds(random.nextInt(2)));
        case 3 -> {
          String sender = random.nextBoolean() ? "alice" : "bob";
          String type = random.nextBoolean() ? "note" : "\"\u2028";
          message = Message.of(sender, type, Json.of(random.nextInt()));
        }
        default -> {}
      }
      JsonBytes alone = new JsonBytes(16);
      new EnvelopeEncoder(writer, TOPIC).encode(alone, number, seq, time, null, message);
      out.truncate(0);
      encoder.encode(out.raw('\n'), number++, seq++, time, null, message);

      assertThat(new String(out.toArray(), StandardCharsets.UTF_8))
          .isEqualTo("\n" + new String(alone.toArray(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void mutatedLinesAreReadOrRefusedButNeverAnythingElse() {
    Random random = Seed.random("mutatedLines");
    byte[] good =
        encode(
            Message.builder("alice", "note")
                .payload(Json.parse("{\"a\":[1,2.5e3,\"\\u00e4ö\",null,true],\"b\":{}}"))
                .thread("t")
                .build());
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] line = good.clone();
      for (int edits = random.nextInt(3); edits >= 0; edits--) {
        line[random.nextInt(line.length)] = (byte) random.nextInt(256);
      }
      try {
        Envelope envelope = decode(line);
        assertThat(envelope.type()).isNotNull();
        assertThat(envelope.payload().toString()).isNotNull();
        assertThat(envelope.to()).isNotNull();
        read++;
      } catch (JsonException e) {
        assertThat(e).hasMessageNotContaining("Exception");
      }
    }
    Seed.say("mutated lines that are still envelopes: " + read + " of 200000");
  }
}

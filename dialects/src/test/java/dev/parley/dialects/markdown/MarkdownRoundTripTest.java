package dev.parley.dialects.markdown;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import dev.parley.dialects.testing.Through;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Seed 3.1: whatever a journal can hold survives. */
class MarkdownRoundTripTest {
  private static final int MESSAGES = Seed.isLong() ? 100_000 : 20_000;
  private static final int TOGETHER = 500;

  private final MarkdownCodec codec = new MarkdownCodec();

  @Test
  void anyMessageComesBackFromTheLogAsItWas() {
    Generated generated = new Generated(Seed.random("journal ↔ log"));
    for (int from = 0; from < MESSAGES; from += TOGETHER) {
      List<JournalMessage> messages = messages(generated, from);
      List<Envelope> envelopes = Through.builders(messages.stream().map(codec::toLog).toList());

      assertThat(envelopes.stream().map(codec::fromLog).toList()).isEqualTo(messages);
    }
  }

  @Test
  void anyMessageComesBackFromTheFileAsItWasWhateverStandsAroundIt() {
    Random random = Seed.random("journal ↔ file");
    Generated generated = new Generated(random);
    for (int from = 0; from < MESSAGES; from += TOGETHER) {
      List<JournalMessage> messages = messages(generated, from);
      StringBuilder text = new StringBuilder(random.nextBoolean() ? JournalPage.text() : "");
      messages.forEach(message -> text.append(JournalText.write(message)));
      List<String> remarks = new ArrayList<>();

      List<LocatedMessage> read =
          JournalReader.read(
              text.toString().getBytes(UTF_8),
              0,
              (line, understood, reason) -> remarks.add(line + " " + reason));

      assertThat(read).extracting(LocatedMessage::message).isEqualTo(messages);
      assertThat(remarks).isEmpty();
      assertThat(read).allMatch(LocatedMessage::closed);
    }
  }

  private static List<JournalMessage> messages(Generated generated, int from) {
    List<JournalMessage> messages = new ArrayList<>();
    for (int i = 0; i < TOGETHER; i++) {
      messages.add(generated.message(from + i));
    }
    return messages;
  }

  @Test
  void anEnvelopeOfAnyOtherOriginBecomesAMessageThatTheFormatAllowsAlwaysTheSame() {
    Message question =
        Message.builder("alice", "question")
            .payload(Json.parse("{\"subject\":\"Port\",\"body\":\"Which?\\n---\"}"))
            .to(List.of("claude-research-1"))
            .run("run_7")
            .build();
    Envelope envelope = Through.log(question);

    JournalMessage message = codec.fromLog(envelope);

    assertThat(message).isEqualTo(codec.fromLog(envelope));
    assertThat(JournalIds.isId(message.messageId())).isTrue();
    assertThat(message.type()).isEqualTo("QUESTION");
    assertThat(message.runId()).isEqualTo("run_7");
    assertThat(message.taskId()).isEqualTo("N/A");
    assertThat(message.more()).containsEntry("to", "claude-research-1");
    assertThat(message.body()).isEqualTo("**Port**\n\nWhich?\n---");
  }

  @Test
  void aPayloadOfAnyFormIsShownAsItIs() {
    Envelope envelope = Through.log(Message.of("ci", "build.done", Json.parse("{\"green\":true}")));

    assertThat(codec.fromLog(envelope).type()).isEqualTo("FACT");
    assertThat(codec.fromLog(envelope).body()).isEqualTo("{\"green\":true}");
  }
}

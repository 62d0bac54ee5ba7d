package dev.parley.cli.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.codec.Resummed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TailTest {
  @TempDir private Path folder;
  private Trial trial;

  @BeforeEach
  void makeABus() {
    trial = new Trial(folder).with("PARLEY_AGENT", "alice");
    assertThat(trial.run("init").exitCode()).isZero();
  }

  /** Appends what another program might. */
  private void foreign(String topic, String text) throws IOException {
    Files.writeString(
        folder.resolve(".parley/" + topic + ".jsonl"),
        text,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private void foreignAt(String topic, String time, String type) throws IOException {
    foreign(topic, "{\"type\":\"" + type + "\",\"timestamp\":\"" + time + "\"}\n");
  }

  private static List<String> types(Answer answer) {
    return answer.lines().stream()
        .map(line -> line.replaceAll(".*\"type\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private long end(String topic) throws IOException {
    return Files.size(folder.resolve(".parley/" + topic + ".jsonl"));
  }

  @Test
  void textHasWhereWhoToWhomTypeAndCompactPayload() throws IOException {
    trial.run("publish", "notes", "--type", "note", "--to", "bob", "--payload", "{\"a\": 1}");

    assertThat(trial.run("tail").out())
        .matches("\\d\\d:\\d\\d +notes@" + end("notes") + " +alice → bob +note +\\{\"a\":1}\n");
  }

  @Test
  void jsonIsTheLineAsItIsStoredWithWhatCantBeSeenEscaped() throws IOException {
    trial.run("publish", "notes", "--type", "note");
    String stored = Files.readString(folder.resolve(".parley/notes.jsonl"));
    foreign("notes", "{ \"type\":\t\"x\",\"mine\":\"ü\u2028\u0085\u200b\" }\n");

    assertThat(trial.run("tail", "--json").out())
        .isEqualTo(stored + "{ \"type\": \"x\",\"mine\":\"ü\\u2028\\u0085\\u200b\" }\n");
  }

  @Test
  void severalTopicsAreMergedByTimeAndEachKeepsItsOwnOrder() throws IOException {
    foreignAt("a", "2026-01-01T00:00:01Z", "a1");
    foreignAt("a", "2026-01-01T00:00:05Z", "a5");
    foreignAt("a", "2026-01-01T00:00:02Z", "a-clock-went-back");
    foreignAt("b", "2026-01-01T00:00:03Z", "b3");
    foreign("b", "{\"type\":\"b-no-time\"}\n");
    foreignAt("b", "2026-01-01T00:00:06Z", "b6");

    assertThat(types(trial.run("tail", "--json")))
        .containsExactly("a1", "b3", "b-no-time", "a5", "a-clock-went-back", "b6");
    assertThat(types(trial.run("tail", "--json", "-n", "2")))
        .containsExactly("a-clock-went-back", "b6");
    assertThat(types(trial.run("tail", "--json", "--since", "2026-01-01T00:00:05Z")))
        .containsExactly("a5", "b6");
    assertThat(types(trial.run("tail", "--json", "--type", "a1", "--type", "b6")))
        .containsExactly("a1", "b6");
  }

  @Test
  void aPrefixShowsTheTopicAndWhatIsUnderItAndNothingElse() throws IOException {
    foreignAt("wave-1", "2026-01-01T00:00:01Z", "one");
    foreignAt("wave-1.x", "2026-01-01T00:00:02Z", "under");
    foreignAt("wave-10", "2026-01-01T00:00:03Z", "ten");

    assertThat(types(trial.run("tail", "wave-1", "--json"))).containsExactly("one", "under");
  }

  @Test
  void aPositionShowsWhatComesAfterItInThatTopicOnly() throws IOException {
    foreignAt("a", "2026-01-01T00:00:01Z", "first");
    long first = end("a");
    foreignAt("a", "2026-01-01T00:00:02Z", "second");
    foreignAt("a.b", "2026-01-01T00:00:03Z", "under");

    assertThat(types(trial.run("tail", "a", "--json", "--from", "a@" + first)))
        .containsExactly("second");
    assertThat(types(trial.run("tail", "a", "--json", "--from", "" + first)))
        .containsExactly("second");
    assertThat(trial.run("tail", "a", "--json", "--from", "end").out()).isEmpty();
  }

  @Test
  void aPositionThatIsNotTheEndOfALineIsRefusedByTheStateOfTheBus() throws IOException {
    foreignAt("a", "2026-01-01T00:00:01Z", "first");

    assertThat(trial.run("tail", "a", "--from", "5").exitCode()).isEqualTo(3);
    assertThat(trial.run("tail", "a", "--from", "5000").exitCode()).isEqualTo(3);
    assertThat(trial.run("tail", "nothing", "--from", "5").exitCode()).isEqualTo(3);
    assertThat(trial.run("tail", "a", "--from", "b@5").exitCode()).isEqualTo(2);
    assertThat(trial.run("tail", "a", "--from", "middle").exitCode()).isEqualTo(2);
  }

  @Test
  void damageGapsAndRepeatsAreReportedOnStderr() throws IOException {
    trial.run("publish", "notes", "--type", "note");
    String line = Files.readString(folder.resolve(".parley/notes.jsonl"));
    String gap = Resummed.line(line.strip().replace("\"seq\":1,", "\"seq\":4,"));
    foreign("notes", "garbage\n" + line + gap + "\n");

    Answer answer = trial.run("tail", "--json", "--from", "start");

    assertThat(answer.lines()).hasSize(2);
    assertThat(answer.err().lines())
        .hasSize(4)
        .allMatch(report -> report.startsWith("parley"))
        .anyMatch(report -> report.contains("damaged line"))
        .anyMatch(report -> report.contains("repeat of"))
        .anyMatch(report -> report.contains("from seq 1 to 4"));
  }

  @Test
  void noControlCharacterOfAForeignLineReachesTheTextInAnyField() throws IOException {
    String raw = "\u007f\u0080\u009b31m\u0085\u2028\u2029\u202e\u2066\u061c";
    String escaped = "\\u0000\\u0007\\u001b[2J\\n\\r\\t\\u009b\\u202e\\u2028\\ud800";
    String text = "\"" + raw + escaped + "\"";
    foreign(
        "notes",
        "{\"type\":%s,\"sender\":%s,\"to\":[%s],\"id\":%s,\"timestamp\":%s,\"payload\":{%s:\t%s}}\n"
            .formatted(text, text, text, text, text, text, text));

    Answer plain = trial.run("tail");
    Answer onTerminal = trial.onATerminal(100_000).run("tail", "--color", "never");
    Answer jsonOnTerminal = trial.run("tail", "--json");

    for (Answer answer : List.of(plain, onTerminal, jsonOnTerminal)) {
      assertThat(answer.lines()).hasSize(1);
      assertThat(answer.out().strip().codePoints())
          .noneMatch(Character::isISOControl)
          .noneMatch(c -> Character.getType(c) == Character.FORMAT)
          .noneMatch(c -> c == 0x2028 || c == 0x2029 || c == 0xfffd);
    }
  }

  @Test
  void longPayloadsAreCutOnATerminalAndNowhereElse() {
    String payload = "\"" + "x".repeat(500) + "\"";
    trial.run("publish", "notes", "--type", "note", "--payload", payload);

    assertThat(trial.run("tail").out()).contains(payload);
    assertThat(trial.onATerminal(100).run("tail", "--color", "never").lines())
        .singleElement()
        .asString()
        .hasSize(100)
        .endsWith("…");
  }

  @Test
  void coloursAreForTerminalsUnlessNoColorIsSetOrTheyAreAskedFor() {
    trial.run("publish", "notes", "--type", "note");

    assertThat(trial.run("tail").out()).doesNotContain("\033");
    assertThat(trial.run("tail", "--color", "always").out()).contains("\033[");
    assertThat(trial.onATerminal(80).run("tail").out()).contains("\033[");
    assertThat(trial.run("tail", "--color", "never").out()).doesNotContain("\033");
    assertThat(trial.with("NO_COLOR", "1").run("tail").out()).doesNotContain("\033");
  }

  @Test
  void theWholeOfManyTopicsIsShownThoughNoneIsHeldWhole() throws IOException {
    for (int i = 0; i < 20; i++) {
      StringBuilder lines = new StringBuilder();
      for (int j = 0; j < 1000; j++) {
        lines.append("{\"type\":\"t\",\"n\":").append(j).append("}\n");
      }
      foreign("topic-" + i, lines.toString());
    }

    Answer answer = trial.run("tail", "--json", "--from", "start");

    assertThat(answer.lines()).hasSize(20_000);
    assertThat(answer.out().getBytes(UTF_8)).endsWith("\"n\":999}\n".getBytes(UTF_8));
  }
}

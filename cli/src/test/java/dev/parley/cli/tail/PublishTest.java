package dev.parley.cli.tail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishTest {
  @TempDir private Path folder;
  private Trial trial;

  @BeforeEach
  void makeABus() {
    trial = new Trial(folder);
    assertThat(trial.run("init").exitCode()).isZero();
  }

  private Map<String, Json> stored(String topic) throws IOException {
    return Json.parse(Files.readString(folder.resolve(".parley/" + topic + ".jsonl"))).fields();
  }

  @Test
  void theAnswerNamesTheStateThePositionAndTheId() throws IOException {
    Answer text = trial.run("publish", "notes", "--as", "alice", "--type", "note");
    Answer json = trial.run("--json", "publish", "other", "--as", "alice", "--type", "note");

    long end = Files.size(folder.resolve(".parley/notes.jsonl"));
    String id = String.valueOf(stored("notes").get("id").text());
    assertThat(text.out()).isEqualTo("stored notes@" + end + " (" + id + ")\n");
    assertThat(json.json())
        .containsEntry("state", Json.of("stored"))
        .containsEntry("topic", Json.of("other"))
        .containsEntry("position", Json.of(Files.size(folder.resolve(".parley/other.jsonl"))))
        .containsEntry("id", stored("other").get("id"));
  }

  @Test
  void everyFieldOfAnEnvelopeThatItsAuthorDecidesCanBeGiven() throws IOException {
    trial.run(
        "publish",
        "notes",
        "--as",
        "alice",
        "--type",
        "q",
        "--payload",
        "{\"a\": [1]}",
        "--to",
        "bob",
        "--to",
        "worker-1.2",
        "--thread",
        "th",
        "--reply-to",
        "id-1",
        "--priority",
        "high",
        "--needs-reply",
        "--deadline",
        "2027-01-01T00:00:00Z",
        "--key",
        "k",
        "--run",
        "r",
        "--task",
        "t");

    assertThat(stored("notes"))
        .containsEntry("sender", Json.of("alice"))
        .containsEntry("payload", Json.parse("{\"a\":[1]}"))
        .containsEntry("to", Json.ofStrings(List.of("bob", "worker-1.2")))
        .containsEntry("thread", Json.of("th"))
        .containsEntry("replyTo", Json.of("id-1"))
        .containsEntry("priority", Json.of("high"))
        .containsEntry("needsReply", Json.of(true))
        .containsEntry("deadline", Json.of("2027-01-01T00:00:00.000000Z"))
        .containsEntry("key", Json.of("k"))
        .containsEntry("run", Json.of("r"))
        .containsEntry("task", Json.of("t"));
  }

  @Test
  void withoutAnIdentityItSaysTheLineToType() {
    Answer answer = trial.run("publish", "notes", "--type", "t");

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("--as <agent>", "export PARLEY_AGENT=<agent>");
    assertThat(trial.with("PARLEY_AGENT", "bob").run("publish", "notes", "--type", "t").exitCode())
        .isZero();
  }

  @Test
  void aPayloadThatIsNotJsonIsRefusedWithItsOffsetAndNothingIsWritten() {
    Answer answer =
        trial.run("publish", "notes", "--as", "a", "--type", "t", "--payload", "{\"a\":x}");

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("not JSON").contains("at byte 5");
    assertThat(folder.resolve(".parley/notes.jsonl")).doesNotExist();
  }

  @Test
  void aHyphenReadsThePayloadFromTheInput() throws IOException {
    trial
        .input("[\n  \"ä\"\n]\n")
        .run("publish", "n", "--as", "a", "--type", "t", "--payload", "-");

    assertThat(stored("n")).containsEntry("payload", Json.parse("[\"ä\"]"));
  }

  @Test
  void aPayloadOverTheLimitIsRefusedBeforeAnythingIsWritten() {
    Answer answer =
        trial
            .input("\"" + "x".repeat(1 << 20) + "\"")
            .run("publish", "n", "--as", "a", "--type", "t", "--payload", "-", "--json");

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.json()).containsEntry("error", Json.of("line-too-long"));
    assertThat(folder.resolve(".parley/n.jsonl")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "ledger, parley join",
    "mounts, parley mount",
    "mount.swarm, parley mount",
    "mail.bob, parley send",
    "receipts.bob, parley inbox",
    "sent.bob, parley send",
    "bulletin.wave-1, parley bulletin post",
    "dead-letters, another topic"
  })
  void theBooksOfTheBusAreKeptByTheirOwnCommandsAlone(String topic, String next) {
    Answer refused =
        trial.run(
            "publish", topic, "--as", "mallory", "--type", "rules", "--payload", "{\"rules\":999}");

    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains(topic, next);
    assertThat(folder.resolve(".parley").resolve(topic + ".jsonl")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ledgers", "mailing.bob", "mounts-x", "dead-letters-2", "notes.ledger"})
  void aTopicThatIsOnlyCalledAlikeIsFree(String topic) {
    assertThat(trial.run("publish", topic, "--as", "alice", "--type", "note").exitCode()).isZero();
  }
}

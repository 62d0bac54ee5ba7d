package dev.parley.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However much is wrong with a bus, a command says little of it, once, and goes on. */
class FloodTest {
  private static final int JUNK = 1_000_000;
  private static final Duration BOUND = Duration.ofSeconds(20); // 1 s on an idle machine

  @TempDir private Path folder;
  private Trial trial;

  @BeforeEach
  void makeABus() {
    trial = new Trial(folder).with("PARLEY_AGENT", "ann");
    assertThat(trial.run("init").exitCode()).isZero();
    assertThat(trial.run("join").exitCode()).isZero();
    assertThat(trial.run("send", "ann", "--body", "before").exitCode()).isZero();
  }

  private void add(String topic, String text) throws IOException {
    Files.writeString(
        folder.resolve(".parley/" + topic + ".jsonl"), text, UTF_8, StandardOpenOption.APPEND);
  }

  private Answer timely(String... args) {
    long begin = System.nanoTime();
    Answer answer = trial.run(args);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BOUND);
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    return answer;
  }

  @Test
  void aMillionDamagedLinesAreToldInAFewAndOnceToEachReader() throws Exception {
    String junk = "{\"junk\":1}\n".repeat(JUNK);
    add("ledger", junk);
    add("mail.ann", junk);
    assertThat(trial.run("send", "ann", "--body", "after").exitCode()).isZero();

    Answer first = timely("inbox");
    assertThat(first.err().lines()).hasSizeLessThanOrEqualTo(4);
    Answer again = timely("inbox");

    assertThat(again.err()).isEmpty();
    assertThat(again.out()).contains("before", "after");
    assertThat(timely("lock", "a").err()).isEmpty();
    Answer tail = timely("tail", "mail", "--from", "start", "--json");
    assertThat(tail.lines()).hasSize(2);
    assertThat(tail.err().lines())
        .hasSize(4)
        .first()
        .asString()
        .startsWith("parley: damaged line passed over at mail.ann@");
    assertThat(tail.err()).endsWith("and 999997 more like this; parley doctor lists all.\n");
  }

  @Test
  void oneDamagedLineIsToldOnceToEachReaderAndNamesTheDoctor() throws Exception {
    add("ledger", "junk\n");

    Answer first = trial.run("who");
    assertThat(first.err().lines()).hasSize(2);
    assertThat(first.err())
        .contains("damaged line passed over at ledger@")
        .endsWith("parley doctor lists all that is wrong.\n");
    assertThat(trial.run("who").err()).isEmpty();
    assertThat(trial.run("doctor").out()).contains("This line is not an envelope");
  }

  @Test
  void repeatsAndGapsAreToldInAFewAsWell() throws Exception {
    Topic notes = new Topic("notes");
    try (FileLog log = BusFolder.find(null, folder, Map.of()).openLog()) {
      Message message = Message.of("ann", "note", Json.EMPTY_OBJECT);
      var _ = log.append(notes, Collections.nCopies(20_000, message));
    }
    Path file = folder.resolve(".parley/notes.jsonl");
    List<String> lines = Files.readAllLines(file);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines.size(); i += 2) {
      text.append(lines.get(i)).append('\n').append(lines.get(i)).append('\n');
    }
    Files.writeString(file, text);

    Answer tail = timely("tail", "notes", "-n", "1");

    assertThat(tail.err().lines()).hasSize(4);
    assertThat(tail.err()).contains("repeat of", "gap before");
  }

  @Test
  void howManyAreToldCanBeSet() throws Exception {
    add("ledger", "junk\n".repeat(10));
    trial.with("PARLEY_MAX_FINDINGS", "7");

    assertThat(trial.run("tail", "ledger", "--from", "start", "--json").err().lines()).hasSize(8);
    trial.with("PARLEY_MAX_FINDINGS", "many");
    assertThat(trial.run("tail").exitCode()).isEqualTo(2);
  }
}

package dev.parley.coordination;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.coordination.wake.Wakes;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Log in, state out: one file for each row of the tables on Roster, ClockTime, Mailbox, Wakes,
 * Leases, Tasks, Waits and WaitGraph, and more.
 *
 * <p>A file says what it shows ({@code #}), which fold ({@code fold: mailbox bob}), then the lines
 * of each topic ({@code == topic}; positions count lines), what they come to ({@code == state}; the
 * ledger without what it has nothing of), and what was decided about each line that asked for
 * something ({@code == outcomes}) and who waits for whom ({@code == graph}). With {@code
 * -Dparley.transcripts=write} what comes after the lines is written anew: read the difference.
 */
class TranscriptsTest {
  private static final Path FOLDER = Path.of("src/test/resources/transcripts");
  private static final String STATE = "== state";
  private static final int WIDTH = 100;

  static Stream<Path> transcripts() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("transcripts")
  void theLinesComeToTheState(Path file) throws IOException {
    String text = Files.readString(file, UTF_8);
    int state = text.indexOf(STATE);
    String log = state < 0 ? text : text.substring(0, state);

    String folded = log + fold(log);

    if ("write".equals(System.getProperty("parley.transcripts"))) {
      Files.writeString(file, folded, UTF_8);
    }
    assertThat(folded).as(file.getFileName().toString()).isEqualTo(text);
  }

  @Test
  void thereAreTranscripts() throws IOException {
    assertThat(transcripts()).hasSizeGreaterThan(130);
  }

  /** What a transcript says below its lines. */
  private static String fold(String text) {
    Fold.Kind<?> kind = Ledger.KIND;
    Map<Topic, List<String>> topics = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("fold: ")) {
        kind = kind(line.substring("fold: ".length()).split(" ", -1));
      } else if (line.startsWith("== ")) {
        lines = new ArrayList<>();
        topics.put(new Topic(line.substring("== ".length())), lines);
      } else if (!line.startsWith("#") && !line.isBlank()) {
        lines.add(line);
      }
    }
    Fold state = kind.begin();
    StringBuilder outcomes = new StringBuilder();
    assertThat(kind.topics()).containsAll(topics.keySet());
    for (Topic topic : kind.topics()) {
      apply(state, topic, topics.getOrDefault(topic, List.of()), outcomes);
    }
    assertThat(kind.load(state.save()).save()).isEqualTo(state.save());
    String shown = STATE + "\n" + pretty(shown(state), "") + "\n";
    if (!outcomes.isEmpty()) {
      shown += "== outcomes\n" + outcomes;
    }
    return state instanceof Ledger ledger ? shown + graph(ledger.graph()) : shown;
  }

  private static String graph(WaitGraph graph) {
    String edges =
        graph.edges().stream()
            .map(edge -> edge.from() + " → " + edge.to() + ": " + edge.why() + "\n")
            .collect(Collectors.joining());
    String cycles =
        graph.cycles().stream()
            .map(cycle ->
                cycle.members() + ", but for " + cycle.victim() + ": " + cycle.why() + "\n")
            .collect(Collectors.joining());
    return edges.isEmpty() ? "" : "== graph\n" + edges + cycles;
  }

  private static Json shown(Fold state) {
    if (!(state instanceof Ledger)) {
      return state.save();
    }
    Json.ObjectBuilder shown = Json.object();
    state
        .save()
        .fields()
        .forEach((name, section) -> {
          if (name.equals("roster") || !isEmpty(section)) {
            shown.put(name, section);
          }
        });
    return shown.build();
  }

  /** Whether there is nothing in it but what there is nothing in. */
  private static boolean isEmpty(Json json) {
    return json.isObject()
        ? json.fields().values().stream().allMatch(TranscriptsTest::isEmpty)
        : json.isArray() && json.items().isEmpty();
  }

  private static Fold.Kind<?> kind(String[] words) {
    return switch (words[0]) {
      case "ledger" -> Ledger.KIND;
      case "mailbox" -> Mailbox.of(words[1]);
      case "outbox" -> Outbox.kind(words[1]);
      case "wakes" -> Wakes.of(words[1]);
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static void apply(Fold state, Topic topic, List<String> lines, StringBuilder outcomes) {
    EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
    for (int i = 0; i < lines.size(); i++) {
      byte[] line = lines.get(i).getBytes(UTF_8);
      state.apply(
          decoder.decode(topic, line, 0, line.length, new Position(i + 1L)), new Position(i));
      if (state instanceof Ledger ledger && !ledger.outcome().equals(Outcome.none())) {
        outcomes.append(i + 1).append(' ').append(text(ledger.outcome())).append('\n');
      }
    }
  }

  private static String text(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted accepted -> "accepted " + accepted.what();
      case Outcome.Refused refused ->
          "refused "
              + refused.code()
              + (refused.details().fields().isEmpty() ? "" : " " + refused.details());
    };
  }

  private static String pretty(Json json, String indent) {
    String compact = json.toString();
    String deeper = indent + "  ";
    if (compact.length() + indent.length() <= WIDTH || !(json.isObject() || json.isArray())) {
      return compact;
    }
    List<String> items =
        json.isObject()
            ? json.fields().entrySet().stream()
                .map(field -> Json.of(field.getKey()) + ": " + pretty(field.getValue(), deeper))
                .toList()
            : json.items().stream().map(item -> pretty(item, deeper)).toList();
    String inside = items.stream().map(item -> deeper + item).collect(Collectors.joining(",\n"));
    return json.isObject()
        ? "{\n" + inside + "\n" + indent + "}"
        : "[\n" + inside + "\n" + indent + "]";
  }
}

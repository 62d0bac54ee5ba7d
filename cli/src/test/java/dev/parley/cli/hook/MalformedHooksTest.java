package dev.parley.cli.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every host's own documents, whole, cut off and changed, given to the command that the host runs.
 * Bob holds one file; an edit of that is refused, and nothing else.
 */
class MalformedHooksTest {
  private static final boolean LONG = Boolean.getBoolean("parley.long");
  private static final int A_DOCUMENT = LONG ? 400 : 6;
  private static final String HELD = "held.txt";
  private static final List<String> HOSTS =
      List.of("claude", "codex", "gemini", "cursor", "opencode");

  private static final List<String> ODD =
      List.of(
          "null", "true", "-1", "1e999", "\"\"", "\"\\u0000\"", "[]", "[[]]", "{}", "{\"a\":{}}");

  @TempDir Path temp;
  private Path repo;
  private Trial trial;

  @BeforeEach
  void begin() throws IOException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    Files.createDirectory(repo.resolve(".git"));
    trial = new Trial(repo).with("PARLEY_STATE", temp.resolve("state").toString());
    assertThat(trial.run("init").exitCode()).isZero();
    assertThat(trial.run("lock", HELD, "--as", "bob").exitCode()).isZero();
  }

  private List<String> documents(String host) throws IOException {
    Path file =
        Path.of(System.getProperty("parley.root"), "cli/src/test/resources/hooks", host + ".jsonl");
    return Files.readString(file).replace("REPO", repo.toString()).lines().toList();
  }

  private static boolean isRefusal(String answer) {
    return answer.contains("bob holds " + HELD);
  }

  /** The answer to a document, which is always one JSON object, and an exit code of 0. */
  private String answer(String host, String document, String... more) {
    List<String> words = new ArrayList<>(List.of("hook", host, "--as", "alice"));
    words.addAll(List.of(more));
    Trial.Answer answer = trial.input(document).run(words.toArray(String[]::new));
    assertThat(answer.exitCode()).as(host + ": " + document).isZero();
    assertThat(Json.parse(answer.out()).isObject()).as(host + ": " + document).isTrue();
    assertThat(answer.err()).as(host + ": " + document).doesNotContain("Exception", "\tat ");
    return answer.out();
  }

  @Test
  void aWholeDocumentIsRefusedOnlyIfItEditsTheHeldFile() throws IOException {
    for (String host : HOSTS) {
      List<String> all = documents(host);
      assertThat(isRefusal(answer(host, all.getFirst()))).as(host).isTrue();
      for (String document : all.subList(1, all.size())) {
        assertThat(isRefusal(answer(host, document))).as(host + ": " + document).isFalse();
      }
    }
  }

  @Test
  void aMalformedOneRefusesNothingElseAndShowsNoStackTrace() throws IOException {
    long seed = Long.getLong("parley.seed", System.nanoTime());
    System.out.println("[seed] " + seed);
    Random random = new Random(seed);
    for (String host : HOSTS) {
      for (String document : documents(host)) {
        for (int i = 0; i < A_DOCUMENT; i++) {
          String malformed = malformed(document, random);
          boolean mayBeRefused = editsHeldFile(document) && malformed.contains(HELD);
          String answer = answer(host, malformed);
          assertThat(!isRefusal(answer) || mayBeRefused)
              .as("seed %d: %s: %s: %s", seed, host, malformed, answer)
              .isTrue();
        }
      }
    }
  }

  private static boolean editsHeldFile(String document) {
    return document.contains("/" + HELD + "\"") || document.contains("File: " + HELD);
  }

  private static String malformed(String document, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> document.substring(0, random.nextInt(document.length()));
      case 1 -> changed(document, random);
      case 2 -> document.repeat(2);
      default -> replaced(Json.parse(document), random).toString();
    };
  }

  private static String changed(String document, Random random) {
    StringBuilder changed = new StringBuilder(document);
    for (int i = 0; i <= random.nextInt(4); i++) {
      int at = random.nextInt(changed.length());
      changed.setCharAt(at, (char) (random.nextBoolean() ? random.nextInt(128) : 0xd7ff));
    }
    return changed.toString();
  }

  /** The document with one field, somewhere in it, of another kind, or gone. */
  private static Json replaced(Json object, Random random) {
    List<String> names = List.copyOf(object.fields().keySet());
    String chosen = names.get(random.nextInt(names.size()));
    Json.ObjectBuilder changed = Json.object();
    for (Map.Entry<String, Json> field : object.fields().entrySet()) {
      Json value = field.getValue();
      if (!field.getKey().equals(chosen)) {
        changed.put(field.getKey(), value);
      } else if (value.isObject() && !value.fields().isEmpty() && random.nextInt(3) > 0) {
        changed.put(chosen, replaced(value, random));
      } else if (random.nextInt(8) > 0) {
        changed.put(chosen, Json.parse(ODD.get(random.nextInt(ODD.size()))));
      }
    }
    return changed.build();
  }

  @Test
  void aStrictGuardRefusesAnEditThatItCannotRead() throws IOException {
    String whole = documents("claude").get(1);
    assertThat(answer("claude", whole, "--strict")).isEqualTo("{}\n");
    for (String odd : List.of("", "no json", "[1]", whole.substring(0, whole.length() / 2))) {
      assertThat(answer("claude", odd, "--strict"))
          .contains("\"hookEventName\":\"PreToolUse\"", "\"permissionDecision\":\"deny\"");
    }
  }
}

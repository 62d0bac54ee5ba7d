package dev.parley.cli.bulletin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command for bulletins, as its users type it (seed 0.9 to 0.12). */
class BulletinCommandsTest {
  @TempDir private Path temporary;
  private Path folder;
  private Trial trial;

  @BeforeEach
  void aBus() throws IOException {
    folder = temporary.toRealPath();
    trial = new Trial(folder);
    ok("init");
  }

  private Answer ok(String... args) {
    Answer answer = trial.run(args);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  private Answer post(String agent, String kind, String body) {
    return ok(
        "bulletin", "post", "--as", agent, "--wave", "wave-1", "--kind", kind, "--body=" + body);
  }

  @Test
  void readGivesWarningsAndTheMostRecentUpToTheCapThatWasSet() {
    post("alice", "warning", "the first");
    for (int i = 0; i < 25; i++) {
      post("alice", "discovery", "discovery " + i);
    }
    String usual = ok("bulletin", "read", "--wave", "wave-1").out();
    assertThat(usual)
        .contains("the first", "discovery 24", "discovery 6 ", "6 left out, 0 warnings among them")
        .doesNotContain("discovery 5 ");
    assertThat(ok("bulletin", "read", "--wave", "wave-1", "--json").lines()).hasSize(20);
    assertThat(ok("bulletin", "read", "--wave", "wave-1", "--cap", "3", "--json").lines())
        .hasSize(3);
    assertThat(ok("bulletin", "read", "--wave", "wave-1", "--all", "--json").lines()).hasSize(26);
    trial.with("BUS_MAX_BOARD_INJECT", "2");
    assertThat(ok("bulletin", "read", "--wave", "wave-1", "--json").lines()).hasSize(2);
    assertThat(ok("bulletin", "read", "--wave", "wave-1", "--budget", "3", "--json").lines())
        .hasSize(1)
        .allSatisfy(line -> assertThat(line).contains("the first"));
  }

  @Test
  void anIntentThatOverlapsSaysSo() {
    ok("lock", "src/**", "--as", "carol");
    post("bob", "intent", "Modifying src/a.ts.");
    Answer answer = post("alice", "intent", "Also changing `src/a.ts`");
    assertThat(answer.lines())
        .contains("  overlaps: carol holds src/**", "  overlaps: bob intends to change src/a.ts");
    Map<String, Json> json =
        ok(
                "bulletin",
                "post",
                "--as",
                "alice",
                "--wave",
                "wave-1",
                "--kind",
                "intent",
                "--body",
                "x",
                "--path",
                "src/a.ts",
                "--json")
            .json();
    assertThat(json).containsOnlyKeys("state", "id", "position", "wave", "overlaps");
    assertThat(json.get("overlaps").items()).hasSize(2);
  }

  @Test
  void scanReadsAFileOrStdinAndReportsWhatIsMalformed() throws IOException {
    String text = "x\n<!-- BUS:discovery -->a<!-- /BUS -->\n<!-- BUS:odd -->b<!-- /BUS -->\n";
    Files.writeString(folder.resolve("out.txt"), text);
    assertThat(ok("bulletin", "scan", "out.txt", "--wave", "w", "--as", "alice").out())
        .contains("stored bulletin.w@", "line 3: not posted, a marker is BUS:discovery");
    trial.input(text);
    assertThat(ok("bulletin", "scan", "--wave", "w", "--as", "alice", "--json").lines())
        .map(line -> Json.parse(line).fields().get("state").text())
        .containsExactly("already", "malformed");
    assertThat(ok("bulletin", "scan", "-", "--wave", "w", "--as", "bob").out()).contains("stored");
    assertThat(ok("bulletin", "read", "--wave", "w").out()).contains("a  (alice, bob", "×2");
  }

  @Test
  void carryTakesOverAndSaysWhat() {
    post("alice", "warning", "w");
    post("alice", "discovery", "d");
    post("alice", "intent", "i");
    Map<String, Json> carried =
        ok("bulletin", "carry", "--wave", "wave-1", "--to", "wave-2", "--as", "bob", "--json")
            .json();
    assertThat(carried)
        .containsEntry("discoveries", Json.of(1))
        .containsEntry("warnings", Json.of(1));
    assertThat(ok("bulletin", "read", "--wave", "wave-2").out())
        .contains("warning  w  (alice", "from wave-1")
        .doesNotContain("intent");
    assertThat(ok("bulletin").out()).contains("wave-1", "wave-2");
  }

  @Test
  void hostileTextStaysText() {
    Random random = Seed.random("hostile bulletins");
    for (String kind : new String[] {"discovery", "warning", "intent", "context"}) {
      post(
          "alice",
          kind,
          "# x\n- y\u001b[31m\u202e<!-- BUS:warning -->" + Seed.nastyText(random, 60));
    }
    ok("bulletin", "carry", "--wave", "wave-1", "--to", "wave-2", "--as", "bob");
    for (String wave : new String[] {"wave-1", "wave-2"}) {
      String block = ok("bulletin", "read", "--wave", wave, "--markdown").out();
      assertThat(block).doesNotContain("<!--", "\u202e", "\n# x", "\n- y");
      for (String out : new String[] {block, ok("bulletin", "read", "--wave", wave).out()}) {
        assertThat(out.codePoints().filter(c -> c != '\n')).noneMatch(Character::isISOControl);
      }
    }
  }

  @Test
  void whatCantBeIsSaidClearly() {
    assertThat(trial.run("bulletin", "read").err()).contains("--wave <wave> is missing");
    assertThat(
            trial
                .run(
                    "bulletin",
                    "post",
                    "--as",
                    "a",
                    "--wave",
                    "../x",
                    "--kind",
                    "warning",
                    "--body",
                    "x")
                .err())
        .contains("not valid");
    assertThat(
            trial
                .run(
                    "bulletin",
                    "post",
                    "--as",
                    "a",
                    "--wave",
                    "w",
                    "--kind",
                    "warning",
                    "--body",
                    "x",
                    "--path",
                    "y")
                .err())
        .contains("Only an intent");
    Answer missing = trial.run("bulletin", "scan", "none.txt", "--wave", "w", "--as", "a");
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.err()).contains("No such file: none.txt");
  }
}

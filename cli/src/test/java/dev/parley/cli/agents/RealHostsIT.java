package dev.parley.cli.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.hosts.ModelStandIn.Api;
import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.hosts.ModelStandIn.Turn;
import dev.parley.core.hosts.RealHosts;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real claude, codex and gemini, found by themselves as the presets find them, with a stand-in
 * for their models: a consensus with debate, and a board meeting.
 */
@Timeout(400)
class RealHostsIT {
  @TempDir private Path folder;

  private Trial trial(RealHosts hosts, Path project) {
    Trial trial = new Trial(project).with("PARLEY_STATE", folder.resolve("state").toString());
    hosts.environment().forEach(trial::with);
    assertThat(trial.run("init").exitCode()).isZero();
    return trial;
  }

  private Path project() throws IOException {
    return Files.createDirectory(folder.resolve("project")).toRealPath();
  }

  private static Reply debater(Turn turn) {
    String name = turn.api().name();
    if (turn.prompt().contains("# Independent analysis")) {
      return new Reply.Text(
          "## Strong Points\n- "
              + name
              + " sees one\n\nTHESIS: "
              + name
              + " has a thesis.\nPOSITION: "
              + (turn.api() == Api.GEMINI ? "no" : "yes"));
    }
    if (turn.prompt().contains("# Debate, round")) {
      return new Reply.Text(
          turn.api() == Api.GEMINI
              ? "I was wrong.\nCHANGED: the others have measured\nPOSITION: yes"
              : name + " rebuts.\nPOSITION: yes");
    }
    return new Reply.Text(
        turn.prompt().contains("# Synthesis") ? name + " sums up.\nPOSITION: yes" : "a title");
  }

  /** Issue: three hosts, one round, seven asks; the key is nowhere. */
  @Test
  void aConsensusWithDebateOfThreeHosts() throws Exception {
    Path project = project();
    try (RealHosts hosts = RealHosts.start(folder.resolve("home"), project, RealHostsIT::debater)) {
      Trial trial = trial(hosts, project);

      Answer answer =
          trial.run(
              "consensus",
              "--mode",
              "general-prompt",
              "--prompt",
              "Is it so?",
              "--debate",
              "--json");

      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      Json last = Json.parse(answer.lines().getLast());
      assertThat(String.valueOf(last.fields().get("synthesis")))
          .contains("\"agent\":\"claude\"", "ANTHROPIC sums up.");
      assertThat(items(last, "analyses"))
          .hasSize(3)
          .allMatch(each -> Json.of(true).equals(each.fields().get("ok")));
      assertThat(items(last, "rebuttals")).hasSize(3);
      assertThat(String.valueOf(last.fields().get("effect")))
          .contains("gemini", "the others have measured");
      Json run = Json.parse(trial.run("runs", "show", "last", "--json").out());
      assertThat(items(run, "askList"))
          .hasSize(7)
          .allMatch(ask -> Json.of("answered").equals(ask.fields().get("status")))
          .allMatch(ask -> number(ask, "inputTokens") > 0);
      assertThat(filesWith(project, RealHosts.KEY)).isEmpty();
    }
  }

  private static Reply director(Turn turn) {
    String prompt = turn.prompt();
    if (prompt.contains("First everyone assesses")) {
      return new Reply.Text(
          "Here it is:\n```json\n{\"verdict\":\"CONCERNS\",\"score\":7,\"concerns\":[\"late\"],"
              + "\"recommendations\":[\"test\"]}\n```\n");
    }
    if (prompt.contains("now they discuss it")) {
      return new Reply.Text(
          "{\"to\":\"ALL\",\"type\":\"AGREE\",\"message\":\"%s agrees\",\"changes_my_verdict\":false}"
              .formatted(turn.api()));
    }
    return new Reply.Text(
        prompt.contains("The discussion is over")
            ? "{\"final_verdict\":\"APPROVE\",\"confidence\":0.9,\"conditions\":[\"write tests\"],"
                + "\"reason\":\"it is small\"}"
            : "a title");
  }

  /** Seed 1.9, with directors that are three real programs. */
  @Test
  void aBoardMeetingOfThreeHosts() throws Exception {
    Path project = project();
    Files.writeString(project.resolve("plan.md"), "We rename a button.\n");
    try (RealHosts hosts =
        RealHosts.start(folder.resolve("home"), project, RealHostsIT::director)) {
      Trial trial = trial(hosts, project).with("PARLEY_AGENT", "chair");

      Answer answer =
          trial.run(
              "board",
              "meeting",
              "EVALUATE_PLAN",
              "--proposal",
              "plan.md",
              "--electorate",
              "CA,CPO,CSO",
              "--directors",
              "CA=claude,CPO=codex,CSO=gemini",
              "--rounds",
              "1",
              "--json");

      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      Json last = Json.parse(answer.lines().getLast());
      assertThat(last.fields().get("verdict")).isEqualTo(Json.of("APPROVED"));
      assertThat(String.valueOf(last.fields().get("conditions"))).contains("write tests");
      assertThat(hosts.model().turns().stream().map(Turn::api).distinct())
          .containsExactlyInAnyOrder(Api.values());
      assertThat(trial.run("board", "show", "board-1").out())
          .contains("ANTHROPIC agrees", "OPENAI agrees", "GEMINI agrees");
    }
  }

  private static List<Json> items(Json object, String key) {
    return Objects.requireNonNull(object.fields().get(key)).items();
  }

  private static long number(Json object, String key) {
    Json value = object.fields().get(key);
    return value == null ? -1 : value.number(-1);
  }

  private static List<Path> filesWith(Path folder, String text) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> {
            try {
              return new String(Files.readAllBytes(file), UTF_8).contains(text);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          })
          .toList();
    }
  }
}

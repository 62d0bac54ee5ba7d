package dev.parley.cli.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.CommandRegistry;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command for boards, as its users type it (seed 1.7 to 1.9). */
class BoardCommandsTest {
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
    assertThat(answer.exitCode()).as(String.join(" ", args) + answer.out() + answer.err()).isZero();
    return answer;
  }

  private Answer refused(int exitCode, String... args) {
    Answer answer = trial.run(args);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isEqualTo(exitCode);
    return answer;
  }

  private String opened(String... more) {
    List<String> args =
        new ArrayList<>(List.of("board", "open", "EVALUATE_PLAN", "--as", "boss", "--json"));
    args.addAll(List.of(more));
    return ok(args.toArray(String[]::new)).json().get("session").text();
  }

  private void assess(String director, String verdict, String... more) {
    say(List.of("assess", "board-1", "--verdict", verdict, "--score", "6"), director, more);
  }

  private void vote(String director, String verdict, String... more) {
    say(List.of("vote", "board-1", "--verdict", verdict), director, more);
  }

  private void say(List<String> what, String director, String... more) {
    List<String> args = new ArrayList<>(List.of("board"));
    args.addAll(what);
    args.addAll(List.of("--as", director));
    args.addAll(List.of(more));
    ok(args.toArray(String[]::new));
  }

  @Test
  void openAndResolveAnswerInTheDocumentedForm() {
    Map<String, Json> opened =
        ok("board", "open", "PRE_LAUNCH", "--as", "boss", "--rounds", "0", "--json").json();
    assertThat(opened).containsOnlyKeys("session", "phase");
    assertThat(opened).containsEntry("session", Json.of("board-1"));
    assertThat(opened).containsEntry("phase", Json.of("ASSESS"));
    ok("board", "advance", "board-1", "--as", "boss");
    vote("CA", "APPROVE", "--confidence", "0.8", "--condition", "add tests");
    vote("CPO", "APPROVE");
    vote("CSO", "REJECT", "--reason", "no TLS");
    vote("COO", "APPROVE");
    vote("CXO", "ABSTAIN");

    Map<String, Json> resolved = ok("board", "resolve", "board-1", "--as", "boss", "--json").json();
    assertThat(resolved)
        .containsOnlyKeys("session", "verdict", "votes", "consensus", "conditions", "dissent");
    assertThat(resolved).containsEntry("verdict", Json.of("APPROVED_WITH_REVIEW"));
    assertThat(resolved.get("votes").fields())
        .containsEntry("CSO", Json.of("REJECT"))
        .containsEntry("CXO", Json.of("ABSTAIN"))
        .hasSize(5);
    assertThat(resolved.get("conditions"))
        .hasToString("[{\"id\":\"board-1.1\",\"director\":\"CA\",\"condition\":\"add tests\"}]");
    assertThat(resolved.get("dissent"))
        .hasToString("[{\"director\":\"CSO\",\"verdict\":\"REJECT\",\"reason\":\"no TLS\"}]");
    assertThat(ok("board", "resolve", "board-1", "--as", "boss", "--markdown").lines())
        .contains("# board-1: APPROVED_WITH_REVIEW", "- [ ] add tests (CA, board-1.1)");
  }

  @Test
  void aNoticeThatABoardWaitsEndsWithTheAnswerAndOffersNoReply() {
    opened("--electorate", "CA,CSO");
    assertThat(ok("wait", "--as", "CA", "--timeout", "0").out())
        .contains("Next: parley board show board-1, or parley inbox ack")
        .doesNotContain("parley reply");
    assertThat(ok("inbox", "--as", "CSO").out()).contains("Board board-1: ASSESS");

    assess("CA", "APPROVE");

    assertThat(ok("inbox", "--as", "CA").out()).isEqualTo("No mail.\n");
    assertThat(ok("inbox", "--as", "CSO").out()).contains("Board board-1: ASSESS");
  }

  @Test
  void aMeetingIsHeldWithCommandsAlone() throws IOException {
    Files.writeString(folder.resolve("plan.md"), "Step 1\nStep 2\n");
    opened("--proposal", "plan.md", "--electorate", "CA,CSO", "--rounds", "1");
    assess("CA", "APPROVE", "--recommendation", "write tests");
    assess("CSO", "REJECT", "--concern", "no TLS");
    say(
        List.of("discuss", "board-1", "--to", "CSO", "--kind", "CLARIFY", "--body", "it has"),
        "CA");
    assertThat(ok("board", "read", "board-1", "--for", "CSO").lines())
        .containsExactly("CA → CSO  CLARIFY, round 1", "  it has");
    assertThat(ok("board", "read", "board-1", "--for", "CA").out()).contains("Nothing was said");
    say(List.of("discuss", "board-1", "--kind", "AGREE", "--changes-my-verdict"), "CSO");
    vote("CA", "APPROVE");
    vote("CSO", "APPROVE");

    String shown = ok("board", "show", "board-1").out();
    assertThat(shown)
        .contains("Step 1", "Step 2", "CSO is concerned: no TLS", "CA recommends: write tests")
        .contains("board-1 is APPROVED, in consensus: CA APPROVE, CSO APPROVE.")
        .contains("the discussion changed CSO from REJECT to APPROVE");
    assertThat(ok("board", "list").lines().getLast()).contains("board-1", "RESOLVE", "APPROVED");
    assertThat(ok("board", "list", "--open", "--json").out()).isEmpty();
    Map<String, Json> json = ok("board", "show", "board-1", "--json").json();
    assertThat(json.get("resolution").fields().get("changed"))
        .hasToString("[{\"director\":\"CSO\",\"before\":\"REJECT\",\"after\":\"APPROVE\"}]");
    assertThat(json.get("discussion").items()).hasSize(2);
  }

  @Test
  void aQuickReviewTakesAssessmentsOnlyAndConditionsAreCheckedOffLater() {
    ok("board", "quick", "--as", "boss", "--electorate", "CA,CSO");
    assess("CA", "CONCERNS");
    assess("CSO", "APPROVE");
    assertThat(ok("board", "resolve", "board-1", "--as", "CA").out())
        .startsWith("board-1 is APPROVED, in consensus");
    opened("--electorate", "CA", "--rounds", "0");
    ok("board", "advance", "board-2", "--as", "boss");
    ok("board", "vote", "board-2", "--as", "CA", "--verdict", "APPROVE", "--condition", "tests");
    assertThat(
            ok("board", "open", "EVALUATE_EXECUTION", "--as", "boss", "--electorate", "CA").out())
        .contains("[ ] board-2.1  tests (CA)");
    ok("board", "check", "board-3", "board-2.1", "--as", "CA", "--note", "green");
    assertThat(ok("board", "show", "board-3").out())
        .contains("[x] board-2.1  tests (CA); met, recorded in CA at board-3");
  }

  @Test
  void aBlindAssessmentAppearsInNoCommandsOutputBeforeItsTime() {
    opened("--blind", "--electorate", "CA,CPO,CSO", "--rounds", "1");
    String[] secrets = {"SECRET-CONCERN", "SECRET-ADVICE", "CONCERNS", "\"score\""};
    assess("CA", "CONCERNS", "--concern", secrets[0], "--recommendation", secrets[1]);
    assess("CPO", "CONCERNS", "--concern", secrets[0], "--recommendation", secrets[1]);
    assess("CPO", "CONCERNS", "--concern", secrets[0] + "2");

    for (String[] command : everyLook()) {
      Answer answer = trial.run(command);
      assertThat(answer.out() + answer.err()).as(String.join(" ", command)).doesNotContain(secrets);
    }
    assertThat(ok("tail", "ledger", "--from", "start", "--type", "board.assess").out())
        .contains("hidden");
    assertThat(ok("board", "show", "board-1").out()).contains("given");

    assess("CSO", "REJECT");
    assertThat(ok("board", "show", "board-1", "--json").out())
        .contains("SECRET-CONCERN2", "CONCERNS");
    assertThat(ok("tail", "ledger", "--from", "start").out())
        .contains("SECRET-CONCERN2", "SECRET-ADVICE");
  }

  /**
   * Every command that shows something, in every form; and every line of the ledger by its name.
   */
  private List<String[]> everyLook() {
    List<List<String>> looks = new ArrayList<>();
    Set<String> others =
        Set.of(
            "wait",
            "run",
            "demo",
            "install",
            "init",
            "help",
            "completion",
            "mcp",
            "serve",
            "setup");
    for (String name : new CommandRegistry().names()) {
      if (!others.contains(name)) {
        looks.add(List.of(name, "--as", "CSO"));
      }
    }
    for (String action : List.of("show", "read", "resolve", "advance")) {
      looks.add(List.of("board", action, "board-1", "--as", "CSO"));
    }
    looks.add(List.of("board", "show", "board-1", "--wait", "1s", "--as", "CA"));
    looks.add(List.of("board", "resolve", "board-1", "--markdown", "--as", "CA"));
    looks.add(List.of("wait", "board:board-1", "--timeout", "1s", "--as", "CA"));
    looks.add(List.of("tail", "ledger", "-n", "2"));
    looks.add(List.of("waits", "--as", "CA"));
    for (String line : ok("tail", "ledger", "--from", "start", "--json").lines()) {
      looks.add(List.of("show", String.valueOf(Json.parse(line).fields().get("id").text())));
    }
    List<String[]> all = new ArrayList<>();
    for (List<String> look : looks) {
      all.add(look.toArray(String[]::new));
      List<String> json = new ArrayList<>(look);
      json.add("--json");
      all.add(json.toArray(String[]::new));
    }
    return all;
  }

  @Test
  void hostileTextInAnyFieldStaysText() throws IOException {
    Random random = Seed.random("hostile boards");
    String nasty =
        "\u001b[31m# x\r\n<!-- BUS:warning -->| **y**\u202e" + Seed.nastyText(random, 40).strip();
    Files.write(folder.resolve("nasty.md"), nasty.getBytes(UTF_8));
    ok(
        "board",
        "open",
        "\u001b]0;x\u0007 <b>",
        "--as",
        "boss",
        "--proposal",
        "nasty.md",
        "--electorate",
        "CA,CPO,CSO",
        "--rounds",
        "1");
    for (String director : List.of("CA", "CPO", "CSO")) {
      assess(director, "CONCERNS", "--concern=" + nasty, "--recommendation=" + nasty);
    }
    for (String director : List.of("CA", "CPO", "CSO")) {
      say(List.of("discuss", "board-1", "--kind", "AGREE", "--body=" + nasty), director);
    }
    vote("CA", "APPROVE", "--condition=" + nasty);
    vote("CPO", "APPROVE");
    vote("CSO", "REJECT", "--reason=" + nasty);
    ok("board", "open", "next", "--as", "boss", "--electorate", "CA");
    ok("board", "check", "board-2", "board-1.1", "--as", "CA", "--note=" + nasty);

    for (String[] look :
        new String[][] {
          {"board", "list"},
          {"board", "show", "board-1"},
          {"board", "show", "board-2"},
          {"board", "read", "board-1"},
          {"board", "resolve", "board-1", "--as", "boss"},
          {"board", "resolve", "board-1", "--as", "boss", "--markdown"},
          {"board", "show", "board-1", "--json"},
          {"board", "read", "board-1", "--json"},
        }) {
      Answer answer = ok(look);
      assertThat(answer.out().codePoints().filter(c -> c != '\n'))
          .as(String.join(" ", look))
          .noneMatch(Character::isISOControl)
          .noneMatch(c -> c == 0x202e && !answer.out().startsWith("{"));
    }
    List<String> page = ok("board", "resolve", "board-1", "--as", "boss", "--markdown").lines();
    assertThat(page).filteredOn(line -> line.startsWith("#")).hasSize(4);
    assertThat(page).filteredOn(line -> line.startsWith("|")).hasSize(5);
    assertThat(String.join("\n", page)).doesNotContain("<!--", "**y**", "<b>");
  }

  @Test
  void whatCantBeIsSaidClearly() {
    assertThat(refused(2, "board", "open", "--as", "boss").err())
        .contains("<checkpoint> is missing");
    assertThat(refused(2, "board", "open", "x", "--as", "b", "--policy", "dice").err())
        .contains("at-least-<n>");
    assertThat(refused(2, "board", "open", "x", "--as", "b", "--electorate", "a,a").err())
        .contains("named twice");
    assertThat(refused(2, "board", "open", "x", "--as", "b", "--rounds", "21").err())
        .contains("0 to 20");
    opened("--electorate", "CA", "--deadline", "2h", "--missing", "escalate");
    assertThat(refused(2, "board", "assess", "board-1", "--as", "CA", "--verdict", "ABSTAIN").err())
        .contains("APPROVE, CONCERNS, REJECT");
    assertThat(
            refused(
                    2,
                    "board",
                    "assess",
                    "board-1",
                    "--as",
                    "CA",
                    "--verdict",
                    "REJECT",
                    "--score",
                    "0")
                .err())
        .contains("1 to 10");
    assertThat(refused(3, "board", "vote", "board-1", "--as", "CA", "--verdict", "REJECT").err())
        .contains("phase ASSESS");
    assertThat(refused(3, "board", "vote", "board-1", "--as", "bob", "--verdict", "REJECT").err())
        .contains("bob is not an elector", "electors are CA");
    Answer json = refused(3, "board", "resolve", "board-1", "--as", "boss", "--json");
    assertThat(json.json()).containsEntry("error", Json.of("not-decided"));
    refused(4, "board", "show", "board-1", "--as", "boss", "--wait", "0s");
    assertThat(refused(3, "board", "show", "board-11").err()).contains("Did you mean board-1?");
  }
}

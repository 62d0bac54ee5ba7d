package dev.parley.cli.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people and agents type every day, and stumbled over. */
class DailyMailTest {
  @TempDir private Path folder;

  private Trial trial() {
    return new Trial(folder).with("PARLEY_STATE", folder.resolve("state").toString());
  }

  private Answer run(String agent, String... args) {
    return trial().with("PARLEY_AGENT", agent).run(args);
  }

  private Answer ok(String agent, String... args) {
    Answer answer = run(agent, args);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  private String sent(String... args) {
    String[] all = java.util.Arrays.copyOf(args, args.length + 1);
    all[args.length] = "--json";
    return ok("ann", all).json().get("id").text();
  }

  @BeforeEach
  void aBusWithTwo() {
    ok("ann", "init");
    ok("ann", "join");
    ok("ben", "join");
    ok("cleo", "join");
  }

  @Test
  void wordsAfterTheRecipientAreTheBody() {
    sent("send", "ben", "hello", "world");

    assertThat(ok("ben", "inbox").out()).contains("hello world");
  }

  @Test
  void severalRecipientsAreJoinedByCommasAndTheOldFormGoesOn() {
    assertThat(ok("ann", "send", "ben,cleo", "hi").lines()).hasSize(2);
    assertThat(ok("ann", "send", "ben", "cleo", "-m", "hi").lines()).hasSize(2);
  }

  @Test
  void aBodyThatIsOnlyTheNameOfAnAgentIsRefusedWithAHint() {
    Answer answer = run("ann", "send", "ben", "ann");

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("parley send ben,ann <text>", "--body ann");
    ok("ann", "send", "ben", "--body", "ann");
  }

  @Test
  void aMessageThatSaysNothingIsRefused() {
    assertThat(run("ann", "send", "ben").exitCode()).isEqualTo(2);
    assertThat(run("ann", "send", "ben").err()).contains("is empty");
    String id = sent("send", "ben", "What?", "--needs-reply");
    assertThat(run("ben", "reply", id).exitCode()).isEqualTo(2);
    ok("ann", "send", "ben", "--subject", "only this");
  }

  @Test
  void waitSaysThatListedMailIsUnread() {
    ok("ann", "send", "ben", "The build is red");
    ok("ben", "inbox");

    assertThat(run("ben", "wait", "--timeout", "0").out())
        .contains("1 listed message is unread: parley inbox read");
    ok("ben", "inbox", "read");
    assertThat(run("ben", "wait", "--timeout", "0").out()).contains("No message yet");
  }

  @Test
  void aDeadlineInThePastAndAVeryShortIdAreRefused() {
    String id = sent("send", "ben", "Which port?", "--needs-reply");

    assertThat(run("ann", "send", "ben", "Now?", "--deadline", "0s").err())
        .contains("is not in the future");
    assertThat(run("ben", "reply", id.substring(0, 2), "8080").err()).contains("too short");
    assertThat(ok("ben", "inbox").out()).contains(id, "needs a reply");
  }

  @Test
  void statusNamesTheTasksAndLocksOfAnAgentThatComesBack() {
    ok("ann", "task", "add", "1.1", "--title", "Parser", "--file", "src/Parser.java");
    assertThat(ok("ben", "status").out()).contains("1 is ready to claim: parley task next");
    ok("ben", "task", "next");
    ok("ben", "lock", "docs/");

    assertThat(ok("ben", "status").out())
        .contains("1.1 Parser: parley task show 1.1", "src/Parser.java docs/");
    assertThat(ok("ben", "status", "--json").json())
        .containsEntry("tasks", Json.ofStrings(List.of("1.1")))
        .containsEntry("locks", Json.ofStrings(List.of("src/Parser.java", "docs/")));
    assertThat(ok("ben", "task", "show", "1.1").out()).contains("ben, until ");
  }

  @Test
  void waitGivesAQuestionAgainUntilItIsAnswered() {
    String id = sent("send", "ben", "Which", "port?", "--needs-reply");
    ok("ben", "inbox");

    assertThat(ok("ben", "wait", "--timeout", "0").out()).contains(id, "Which port?");
    assertThat(ok("ben", "wait", "--timeout", "0").out()).contains(id);
    assertThat(run("ben", "wait", "--new", "--timeout", "0").exitCode()).isEqualTo(4);
    ok("ben", "reply", id.substring(0, 5), "8080");
    assertThat(run("ben", "wait", "--timeout", "0").exitCode()).isEqualTo(4);
    assertThat(ok("ann", "wait", "reply:" + id.substring(0, 5)).out()).contains("8080");
  }

  @Test
  void anybodyMayLookIntoAnInboxWithoutANameAndWithoutMarkingAnything() {
    String id = sent("send", "ben", "a", "question", "--needs-reply");

    Answer looked = trial().run("inbox", "--of", "ben");
    assertThat(looked.exitCode()).as(looked.err()).isZero();
    assertThat(looked.out()).contains(id, "a question");
    assertThat(trial().run("inbox", "read", "--of", "ben").out()).contains("a question");
    assertThat(trial().run("inbox", "read", id.substring(0, 4), "--of", "ben").out()).contains(id);
    assertThat(trial().run("inbox", "--of", "ben", "--type", "none").out()).contains("No mail.");
    assertThat(ok("ann", "inbox", "sent", "--json").json().get("state"))
        .isEqualTo(Json.of("stored"));
    assertThat(trial().run("who").out()).doesNotContain("human");
  }

  @Test
  void whatIsSentIsFiltered() {
    sent("send", "ben", "--subject", "first", "--type", "task", "x");
    sent("send", "ben", "--subject", "second", "x");

    assertThat(ok("ann", "inbox", "sent", "--type", "task").out())
        .contains("first")
        .doesNotContain("second");
    assertThat(ok("ann", "inbox", "sent", "--contains", "second").out()).doesNotContain("first");
    assertThat(ok("ann", "inbox", "sent", "-n", "1").out())
        .contains("second")
        .doesNotContain("first");
    assertThat(ok("ann", "inbox", "sent", "--to", "cleo").out()).contains("Nothing");
  }

  @Test
  void readWithoutAnIdTakesTheOldestUnread() {
    sent("send", "ben", "first");
    sent("send", "ben", "second");

    assertThat(ok("ben", "inbox", "read").out()).contains("first").doesNotContain("second");
    assertThat(ok("ben", "inbox", "read").out()).contains("second");
    assertThat(ok("ben", "inbox", "read").out()).contains("No unread messages.");
  }

  @Test
  void theBeginningOfAnIdIsEnoughIfItIsThatOfOneMessage() {
    String one = sent("send", "ben", "first");
    String two = sent("send", "ben", "second");
    assertThat(ok("ben", "inbox", "read", one.substring(0, 6)).out()).contains("first");
    char other = two.charAt(0) == one.charAt(0) ? '!' : two.charAt(0);
    if (other == '!') {
      assertThat(run("ben", "inbox", "ack", one.substring(0, 1)).err())
          .contains("Type more of the id");
    }
    Answer none = run("ben", "inbox", "ack", "zzzz-9");
    assertThat(none.exitCode()).isEqualTo(3);
  }

  @Test
  void aLongBodyIsGivenInPartsThatTogetherAreAllOfIt() {
    String body = "zeile ü€\n".repeat(3000).strip();
    trial().with("PARLEY_AGENT", "ann").input(body).run("send", "ben", "--body", "-");
    String id = trial().run("inbox", "--of", "ben", "--json").json().get("id").text();

    Answer first = ok("ben", "inbox", "read", id);
    assertThat(first.out().length()).isLessThan(9000);
    assertThat(first.out()).contains("part 1 of 5", "--part 2", "--full");
    StringBuilder all = new StringBuilder();
    for (int part = 1; part <= 5; part++) {
      var json = ok("ben", "inbox", "read", id, "--json", "--part", Integer.toString(part)).json();
      all.append(json.get("body").text());
      assertThat(json.get("parts")).isEqualTo(Json.of(5));
    }
    assertThat(all).hasToString(body);
    assertThat(run("ben", "inbox", "read", id, "--part", "6").exitCode()).isEqualTo(3);
    assertThat(ok("ben", "inbox", "read", id, "--full", "--json").json().get("body").text())
        .isEqualTo(body);
    Trial small = trial().with("PARLEY_AGENT", "ben").with("PARLEY_BODY_BYTES", "100");
    assertThat(small.run("inbox", "read", id).out().length()).isLessThan(400);
  }

  /** Whatever shows a long text shows its first part, and how to get the rest. */
  @Test
  void noCommandFloodsItsReaderWithALongText() {
    String inLine = "y".repeat(300_000);
    String beside = "x".repeat(2_000_000);
    trial().with("PARLEY_AGENT", "ann").input(inLine).run("send", "ben", "--body", "-");
    trial().with("PARLEY_AGENT", "ann").input(beside).run("send", "ben", "--body", "-");
    trial().with("PARLEY_AGENT", "ann").input(inLine).run("task", "add", "t", "--body", "-");
    List<String> ids =
        trial().run("inbox", "--of", "ben", "--json").lines().stream()
            .map(line -> Json.parse(line).fields().get("id").text())
            .toList();
    String task = ids.getFirst(); // stands for any envelope: its line is long, too
    for (String agent : List.of("ann", "ben", "cleo")) {
      for (String line :
          List.of(
              "show " + ids.get(0),
              "show " + ids.get(1),
              "inbox read " + ids.get(0) + " --of ben",
              "inbox --of ben",
              "task show t",
              "task list",
              "watch --once",
              "who")) {
        for (String json : List.of("", " --json")) {
          Answer answer = ok(agent, (line + json).split(" "));
          assertThat(answer.out().length()).as(agent + " " + line + json).isBetween(10, 18_000);
        }
      }
    }

    assertThat(ok("ann", "show", ids.get(1)).out())
        .contains("part 1 of 245", "parley show " + ids.get(1) + " --part 2", "--full");
    assertThat(ok("ben", "inbox", "read", "--of", "ben", task).out())
        .contains("parley inbox read " + task + " --of ben --part 2");
    assertThat(ok("ann", "show", ids.get(1), "--full").out()).contains(beside);
    assertThat(ok("cleo", "show", ids.get(0), "--full", "--json").out()).contains(inLine);
    assertThat(ok("cleo", "task", "show", "t", "--full").out()).contains(inLine);
    assertThat(ok("cleo", "task", "show", "t", "--part", "37").out()).contains("part 37 of 37");
  }

  @Test
  void whatIsSentIsFoundByItsBodyToo() {
    sent("send", "ben", "hello", "world");
    sent("send", "ben", "something", "else");

    assertThat(ok("ann", "inbox", "sent").out()).contains("hello world", "something else");
    assertThat(ok("ann", "inbox", "sent", "--contains", "world").out())
        .contains("hello world")
        .doesNotContain("else");
  }

  @Test
  void waitGivesTheCallOfABoardAgainUntilOneHasVoted() {
    ok("ann", "board", "open", "PLAN", "--electorate", "ben,cleo", "--rounds", "0");
    ok("ben", "inbox");

    Answer waited = ok("ben", "wait", "--timeout", "0");
    assertThat(waited.out()).contains("Board board-1: ASSESS", "Next: parley board show board-1");
    assertThat(run("ben", "wait", "--new", "--timeout", "0").exitCode()).isEqualTo(4);
    ok("ben", "board", "assess", "board-1", "--verdict", "APPROVE", "--score", "8");
    assertThat(run("ben", "wait", "--timeout", "0").exitCode()).isEqualTo(4);
  }

  @Test
  void whatIsNotThereIsNotThereForEveryCommand() {
    for (String line :
        List.of(
            "show zzzz",
            "reply zzzz hi",
            "inbox read zzzz",
            "inbox ack zzzz",
            "inbox resend zzzz",
            "inbox release zzzz",
            "inbox --of zzzz",
            "send zzzz hi",
            "wait reply:zzzz",
            "wait agent:zzzz",
            "wait board:zzzz",
            "task show zzzz",
            "task claim zzzz",
            "task done zzzz",
            "run --task zzzz -- true",
            "unlock zzzz",
            "locks break zzzz --reason x",
            "board show zzzz",
            "board vote zzzz --verdict APPROVE",
            "mount show zzzz",
            "mount remove zzzz",
            "runs show zzzz",
            "waves status zzzz",
            "flow --project zzzz",
            "wake zzzz",
            "ask zzzz hi",
            "agents test zzzz",
            "config get zzzz",
            "journal read --file zzzz",
            "bulletin scan zzzz --wave w")) {
      Answer answer = run("ann", line.split(" "));
      assertThat(answer.exitCode()).as(line + answer.out() + answer.err()).isEqualTo(3);
    }
  }

  @Test
  void anOptionThatHasNoEffectOnAnEventIsRefused() {
    ok("ann", "task", "add", "1");
    Answer answer = run("ann", "wait", "task:1", "--from", "ben", "--timeout", "0");

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("--from has no effect with task:1");
  }
}

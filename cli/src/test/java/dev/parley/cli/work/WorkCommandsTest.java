package dev.parley.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.cli.testing.Waiting;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks, tasks and waits, as their users type them. */
class WorkCommandsTest {
  @TempDir private Path temporary;
  private Path folder;
  private Trial trial;

  @BeforeEach
  void aBusWithAnnAndBen() throws IOException {
    folder = temporary.toRealPath();
    trial = new Trial(folder);
    Files.createDirectories(folder.resolve("src"));
    Files.createFile(folder.resolve("src/a.ts"));
    ok("init");
    ok("join", "--as", "ann", "--can", "java");
    ok("join", "--as", "ben");
  }

  private Answer ok(String... args) {
    Answer answer = trial.run(args);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  private Answer refused(String... args) {
    Answer answer = trial.run(args);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isEqualTo(3);
    return answer;
  }

  private Map<String, Json> json(String... args) {
    return ok(args).json();
  }

  @Test
  void aLockIsGrantedOnceAndTheRefusalNamesItsHolder() {
    Map<String, Json> granted = json("lock", "src/a.ts", "--as", "ann", "--json");

    assertThat(granted).containsOnlyKeys("granted", "paths", "token", "until");
    assertThat(granted.get("granted")).isEqualTo(Json.of(true));
    assertThat(granted.get("paths")).isEqualTo(Json.ofStrings(List.of("src/a.ts")));

    Map<String, Json> refused = refused("lock", "src/*.ts", "--as", "ben", "--json").json();

    assertThat(refused).containsKeys("since", "until", "message", "next");
    assertThat(refused.get("granted")).isEqualTo(Json.of(false));
    assertThat(refused.get("holder")).isEqualTo(Json.of("ann"));
    assertThat(refused.get("until")).isEqualTo(granted.get("until"));
  }

  @Test
  void peopleAreToldWhoHoldsItAndHowToAsk() {
    ok("lock", "src/a.ts", "--as", "ann");

    Answer answer = refused("lock", "src", "--as", "ben");

    assertThat(answer.err()).contains("ann holds src/a.ts (since").contains("parley send ann");
  }

  @Test
  void lockingAgainGivesTheLeaseOneHasAndSaysSo() {
    Map<String, Json> first = json("lock", "src", "--as", "ann", "--json");

    Map<String, Json> again = json("lock", "src/a.ts", "--as", "ann", "--json");

    assertThat(again.get("token")).isEqualTo(first.get("token"));
    assertThat(again.get("reentered")).isEqualTo(Json.of(true));
    assertThat(ok("lock", "src/a.ts", "--as", "ann").out()).contains("You already held it");
  }

  @Test
  void lockingAgainForLongerRenewsAndTheAnswerSaysUntilWhen() {
    String until = json("lock", "src", "--as", "ann", "--ttl", "1m", "--json").get("until").text();

    String longer =
        json("lock", "src/a.ts", "--as", "ann", "--ttl", "2h", "--json").get("until").text();
    String notShorter =
        json("lock", "src", "--as", "ann", "--ttl", "1m", "--json").get("until").text();
    Map<String, Json> more = json("lock", "src", "doc", "--as", "ann", "--ttl", "3h", "--json");

    Instant first = Instant.parse(until);
    assertThat(Instant.parse(longer)).isAfter(first.plus(Duration.ofMinutes(118)));
    assertThat(notShorter).isEqualTo(longer);
    assertThat(Instant.parse(more.get("until").text()))
        .isAfter(first.plus(Duration.ofMinutes(178)));
    for (String line : ok("locks", "list", "--json").lines()) {
      assertThat(Instant.parse(Json.parse(line).fields().get("until").text()))
          .isAfter(first.plus(Duration.ofMinutes(178)));
    }
  }

  @Test
  void aTokenIsGoodUntilItsLeaseEndsAndNeverAgain() {
    String token = json("lock", "src/a.ts", "--as", "ann", "--json").get("token").toString();

    assertThat(ok("locks", "check", "src/a.ts", "--token", token).out()).contains("lock is valid");
    ok("unlock", "src/a.ts", "--as", "ann");
    refused("locks", "check", "src/a.ts", "--token", token);
    ok("lock", "src/a.ts", "--as", "ann");

    Answer answer = refused("locks", "check", "src/a.ts", "--token", token, "--json");
    assertThat(answer.json().get("good")).isEqualTo(Json.of(false));
  }

  @Test
  void aLeaseIsBrokenOnlyWithAReason() {
    ok("lock", "src/a.ts", "--as", "ann");

    assertThat(trial.run("locks", "break", "src/a.ts", "--as", "ben").exitCode()).isEqualTo(2);
    ok("locks", "break", "src/a.ts", "--as", "ben", "--reason", "ann is away");

    ok("lock", "src/a.ts", "--as", "ben");
  }

  @Test
  void someOfThePathsOfALeaseCanBeGivenBack() {
    ok("lock", "src/a.ts", "src/b.ts", "--as", "ann");

    ok("unlock", "src/b.ts", "--as", "ann");

    ok("lock", "src/b.ts", "--as", "ben");
    refused("lock", "src/a.ts", "--as", "ben");
    assertThat(ok("unlock", "--all", "--as", "ann").out()).contains("src/a.ts");
    assertThat(ok("locks", "list", "src/a.ts").out()).contains("Nothing is locked");
  }

  @Test
  void aFileWhoseNameLooksLikeAPatternIsMeantAsItIs() throws IOException {
    Files.createFile(folder.resolve("src/[id].tsx"));

    ok("lock", "src/[id].tsx", "--as", "ann");

    ok("lock", "src/i.tsx", "--as", "ben");
    refused("lock", "src/[id].tsx", "--as", "ben");
  }

  @Test
  void pathsOutsideTheWorkingTreeAreRefusedBeforeAnythingIsWritten() {
    for (String path : List.of("/etc/passwd", "../x", ".", "")) {
      Answer answer = trial.run("lock", path, "--as", "ann");
      assertThat(answer.exitCode()).as(path).isEqualTo(2);
    }
    assertThat(trial.run("lock", "a/{b", "--as", "ann").err()).contains("a { without a }");
    assertThat(ok("tail", "ledger", "--from", "start").out()).doesNotContain("lease.request");
  }

  @Test
  void aWaitThatWouldCloseACircleIsRefusedAtOnceAndNamesIt() throws InterruptedException {
    ok("lock", "src/a.ts", "--as", "ann");
    ok("lock", "src/b.ts", "--as", "ben");
    Thread waiting =
        Thread.ofPlatform().start(() -> ok("lock", "src/b.ts", "--as", "ann", "--wait", "1m"));
    Waiting.until(() -> ok("locks", "list").out().contains("waits"));

    Map<String, Json> answer =
        refused("lock", "src/a.ts", "--as", "ben", "--wait", "1m", "--json").json();

    assertThat(answer.get("granted")).isEqualTo(Json.of(false));
    assertThat(answer.get("cycle")).isEqualTo(Json.ofStrings(List.of("ben", "ann", "ben")));
    assertThat(ok("waits").out()).contains("ann → ben  holds src/b.ts");
    assertThat(ok("waits", "--dot").out()).contains("\"ann\" -> \"ben\"");
    ok("unlock", "--all", "--as", "ben");
    waiting.join();
    assertThat(ok("waits").out()).contains("Nobody waits");
  }

  @Test
  void whoWaitsTooLongIsToldSoWithItsOwnExitCode() {
    ok("lock", "src/a.ts", "--as", "ann");

    Answer answer = trial.run("lock", "src/a.ts", "--as", "ben", "--wait", "1s", "--json");

    assertThat(answer.exitCode()).isEqualTo(4);
    assertThat(answer.json().get("granted")).isEqualTo(Json.of(false));
    assertThat(ok("locks", "list").out()).doesNotContain("waits");
  }

  @Test
  void aBrokenLockEndsOnAllItsPathsAndItsHolderIsTold() {
    ok("lock", "src/a.ts", "src/b.ts", "--as", "ann");

    Answer broken =
        ok("locks", "break", "src/a.ts", "src/b.ts", "--reason", "it is away", "--as", "ben");

    assertThat(broken.lines())
        .containsExactly("broke the lock of ann on src/a.ts src/b.ts; ann is told by mail.");
    assertThat(json("inbox", "--as", "ann", "--json"))
        .containsEntry("subject", Json.of("Your lock on src/a.ts src/b.ts was broken"))
        .containsEntry("body", Json.of("The reason: it is away"))
        .containsEntry("from", Json.of("ben"));
    assertThat(ok("watch").out()).contains("breaks ann's lock on src/a.ts, src/b.ts: it is away");
  }

  @Test
  void aLockNeedsAPath() {
    Answer none = trial.run("lock", "--as", "ann");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("lock needs paths.", "parley locks");
    assertThat(trial.run("lock", "", "--as", "ann").err()).contains("The path is empty.");
  }

  @Test
  void aRefusedTaskNamesAWaitThatThereIs() {
    ok("task", "add", "1", "--as", "ann");
    ok("task", "add", "2", "--as", "ann");
    ok("task", "add", "3", "--after", "1", "--as", "ann");
    ok("task", "add", "4", "--after", "1,2", "--as", "ann");

    assertThat(refused("task", "claim", "3", "--as", "ben").err())
        .contains("or wait: parley wait task:1");
    assertThat(refused("task", "claim", "4", "--as", "ben").err())
        .contains("parley task next --wait 5m")
        .doesNotContain("wait task:");
    ok("task", "claim", "1", "--as", "ann");
    assertThat(refused("task", "release", "1", "--as", "ben").err())
        .contains("ann owns 1.", "If you are ann, add --as ann.");
    assertThat(trial.run("task", "add", "5", "--title", " ", "--as", "ann").exitCode())
        .isEqualTo(2);
  }

  @Test
  void aTaskIsClaimedOnceAndTheRefusalNamesItsOwner() {
    ok("task", "add", "1.1", "--title", "Parser", "--as", "ann");

    Map<String, Json> claimed = json("task", "claim", "1.1", "--as", "ann", "--json");
    Map<String, Json> refused = refused("task", "claim", "1.1", "--as", "ben", "--json").json();

    assertThat(claimed.get("claimed")).isEqualTo(Json.of(true));
    assertThat(claimed.get("task")).isEqualTo(Json.of("1.1"));
    assertThat(claimed.get("owner")).isEqualTo(Json.of("ann"));
    assertThat(refused.get("claimed")).isEqualTo(Json.of(false));
    assertThat(refused.get("task")).isEqualTo(Json.of("1.1"));
    assertThat(refused.get("owner")).isEqualTo(Json.of("ann"));
  }

  @Test
  void aTaskGoesItsWayAndTakesItsLocksWithIt() {
    ok("task", "add", "1.1", "--file", "src/a.ts", "--as", "ann");
    ok("task", "add", "1.2", "--after", "1.1", "--as", "ann");
    refused("task", "claim", "1.2", "--as", "ben");
    ok("task", "next", "--as", "ann");
    ok("lock", "src/a.ts", "--task", "1.1", "--as", "ann");
    ok("task", "progress", "1.1", "--progress", "50", "--note", "half", "--as", "ann");

    Answer done = ok("task", "done", "1.1", "--commit", "abc", "--as", "ann");

    assertThat(done.out()).contains("Ready now: 1.2");
    ok("lock", "src/a.ts", "--as", "ben");
    assertThat(ok("task", "list", "--state", "ready").out()).contains("1.2").doesNotContain("1.1");
    assertThat(ok("task", "show", "1.1").out()).contains("done").contains("abc");
  }

  @Test
  void whatDependsOnAFailedTaskIsSkippedAndSaysWhy() {
    ok("task", "add", "a", "--as", "ann");
    ok("task", "add", "b", "--after", "a", "--as", "ann");
    ok("task", "add", "c", "--after", "b", "--as", "ann");
    ok("task", "claim", "a", "--as", "ann");

    Answer failed = ok("task", "fail", "a", "--error", "no such API", "--final", "--as", "ann");

    assertThat(failed.out()).contains("Skipped: b, c");
    assertThat(ok("task", "list").out()).contains("no such API").contains("a is failed");
    refused("task", "retry", "a", "--as", "ann");
  }

  @Test
  void aTaskAfterAFailedOneSaysWhyItIsSkipped() {
    ok("task", "add", "a", "--as", "ann");
    ok("task", "claim", "a", "--as", "ann");
    ok("task", "fail", "a", "--error", "no such API", "--final", "--as", "ann");

    assertThat(ok("task", "add", "b", "--after", "a", "--as", "ann").out())
        .isEqualTo("b is skipped: it depends on a task that can't be done (a is failed).\n");
  }

  @Test
  void aListOfFilesIsRefusedWherePathsAreNamedOneByOne() {
    for (String command : List.of("lock a.ts,b.ts", "task add 1 --file a.ts,b.ts")) {
      Answer answer = trial.with("PARLEY_AGENT", "ann").run(command.split(" "));
      assertThat(answer.exitCode()).as(command).isEqualTo(2);
      assertThat(answer.err()).contains("\"a.ts,b.ts\" looks like a list");
    }
  }

  @Test
  void nextTakesTheMostUrgentOneThatOneCanDo() {
    ok("task", "add", "any", "--as", "ann");
    ok("task", "add", "urgent", "--priority", "critical", "--needs", "java", "--as", "ann");

    assertThat(json("task", "next", "--as", "ben", "--json").get("task")).isEqualTo(Json.of("any"));
    assertThat(json("task", "next", "--as", "ann", "--json").get("task"))
        .isEqualTo(Json.of("urgent"));
    assertThat(trial.run("task", "next", "--wait", "1s", "--as", "ben").exitCode()).isEqualTo(4);
  }

  @Test
  void aTaskThatWouldDependOnItselfIsRefused() {
    ok("task", "add", "a", "--after", "b", "--later", "--as", "ann");

    Map<String, Json> answer =
        refused("task", "add", "b", "--after", "a", "--as", "ann", "--json").json();

    assertThat(answer.get("cycle")).isEqualTo(Json.ofStrings(List.of("b", "a", "b")));
  }

  @Test
  void oneCanWaitForATaskAndForAPath() throws InterruptedException {
    ok("task", "add", "a", "--as", "ann");
    ok("task", "claim", "a", "--as", "ann");
    ok("lock", "src/a.ts", "--as", "ann");
    assertThat(trial.run("wait", "task:a", "--as", "ben", "--timeout", "1s").exitCode())
        .isEqualTo(4);
    Thread task =
        Thread.ofPlatform().start(() -> ok("wait", "task:a", "--as", "ben", "--timeout", "1m"));
    Thread path =
        Thread.ofPlatform()
            .start(() -> ok("wait", "path:src/a.ts", "--as", "ben", "--timeout", "1m"));
    Waiting.until(
        () -> ok("waits").out().lines().filter(line -> line.startsWith("ben")).count() == 2);

    refused("wait", "agent:ben", "--as", "ann");
    ok("task", "done", "a", "--as", "ann");
    ok("unlock", "--all", "--as", "ann");

    task.join();
    path.join();
    assertThat(ok("wait", "task:a", "--as", "ben").out()).contains("done");
  }

  @Test
  void aTaskThatNobodyHasNamedYetIsWaitedFor() throws InterruptedException {
    ok("who", "--as", "ann");
    Thread waiting =
        Thread.ofPlatform().start(() -> ok("wait", "task:9", "--as", "ben", "--timeout", "1m"));
    Waiting.until(() -> ok("waits").out().contains("ben → task:9"));

    ok("task", "add", "9", "--as", "ann");
    ok("task", "claim", "9", "--as", "ann");
    ok("task", "done", "9", "--as", "ann");

    waiting.join();
    refused("wait", "agent:zoe", "--as", "ben");
  }

  @Test
  void anEndIsMetOnceByWhoSaysWhereTheLastOneStood() {
    ok("task", "add", "a", "--as", "ann");
    ok("task", "claim", "a", "--as", "ann");
    ok("task", "fail", "a", "--error", "no", "--as", "ann");

    Map<String, Json> first = ok("wait", "task:a", "--after", "0", "--as", "ben", "--json").json();
    String at = "ledger@" + first.get("position").number(0);
    assertThat(first.get("state").text()).isEqualTo("failed");
    assertThat(ok("tail", "ledger", "--from", "start", "--type", "task.fail").out()).contains(at);
    assertThat(
            trial.run("wait", "task:a", "--after", at, "--as", "ben", "--timeout", "0s").exitCode())
        .isEqualTo(4);
    ok("task", "retry", "a", "--as", "ann");
    ok("task", "claim", "a", "--as", "ann");
    ok("task", "done", "a", "--as", "ann");

    assertThat(ok("wait", "task:a", "--after", at, "--as", "ben").out())
        .contains("task:a is done, since ledger@");
    for (String bad : List.of("notes@1", "x", "-1", "ledger@")) {
      assertThat(trial.run("wait", "task:a", "--after", bad, "--as", "ben").exitCode())
          .as(bad)
          .isEqualTo(2);
    }
    assertThat(trial.run("wait", "--after", "1", "--as", "ben").exitCode()).isEqualTo(2);
  }

  @Test
  void waitingForAnAnswerIsSeenAndACircleOfQuestionsIsRefused() throws InterruptedException {
    String question = json("send", "ben", "--as", "ann", "--body", "?", "--json").get("id").text();
    String other = json("send", "ann", "--as", "ben", "--body", "?", "--json").get("id").text();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> ok("wait", "reply:" + question, "--as", "ann", "--timeout", "1m"));
    Waiting.until(() -> ok("waits").out().contains("ann → ben"));

    Answer refused = refused("wait", "reply:" + other, "--as", "ben", "--json");

    assertThat(refused.json().get("cycle")).isEqualTo(Json.ofStrings(List.of("ben", "ann", "ben")));
    ok("reply", question, "--as", "ben", "--body", "!");
    waiting.join();
    assertThat(ok("waits").out()).contains("Nobody waits");
  }

  @Test
  void runDoesATaskAsAWorkerShould() {
    ok("task", "add", "a", "--file", "src/a.ts", "--as", "ann");
    ok("task", "add", "b", "--as", "ann");

    ok("run", "--task", "a", "--as", "ben", "--", "sh", "-c", "test -n \"$PARLEY_TOKEN\"");
    Answer failed = trial.run("run", "--task", "b", "--as", "ben", "--", "sh", "-c", "exit 7");

    assertThat(failed.exitCode()).isEqualTo(7);
    assertThat(json("task", "show", "a", "--json").get("state")).isEqualTo(Json.of("done"));
    assertThat(json("task", "show", "b", "--json").get("note")).isEqualTo(Json.of("exit code 7"));
    assertThat(ok("locks", "list").out()).contains("Nothing is locked");
    assertThat(refused("run", "--task", "a", "--as", "ben", "--", "true").err()).contains("done");
    ok("task", "retry", "b", "--as", "ann");
    assertThat(trial.run("run", "--task", "b", "--as", "ben", "--", "no-such-program").exitCode())
        .isEqualTo(1);
  }

  @Test
  void terminalCodesInNamesAndNotesAreShownNotObeyed() {
    ok("task", "add", "a", "--title", "\u001b[31mred\u001b[0m", "--as", "ann");
    ok("task", "claim", "a", "--as", "ann");
    ok("task", "fail", "a", "--error", "\u001b]0;title\u0007", "--as", "ann");
    trial.run("lock", "src/\u202etxt.exe", "--as", "ann");

    for (String command : List.of("task", "locks", "waits")) {
      assertThat(ok(command).out()).doesNotContain("\u001b").doesNotContain("\u202e");
    }
    assertThat(ok("task", "show", "a").out()).doesNotContain("\u001b");
  }
}

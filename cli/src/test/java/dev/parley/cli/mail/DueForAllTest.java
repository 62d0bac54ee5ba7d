package dev.parley.cli.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.cli.testing.Waiting;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Boards tell their electors, and whoever waits or reads does what is due for everybody. */
class DueForAllTest {
  @TempDir private Path folder;

  @BeforeEach
  void aTeam() {
    ok("ann", "init");
    for (String name : List.of("ann", "ben", "cid")) {
      ok(name, "join");
    }
  }

  private Answer run(String agent, String... line) {
    return new Trial(folder).with("PARLEY_AGENT", agent).run(line);
  }

  private Answer ok(String agent, String... line) {
    Answer answer = run(agent, line);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  private void open() {
    ok("ann", "board", "open", "PLAN", "--electorate", "ben,cid", "--rounds", "0");
  }

  @Test
  void electorsGetMailWhenAPhaseBeginsInWhichTheyAreMissingAndOnlyOnce() {
    open();
    assertThat(ok("ben", "wait", "--timeout", "0s").out()).contains("board-1", "has begun");
    assertThat(ok("ben", "inbox").out()).contains("Board board-1: ASSESS");
    assertThat(ok("cid", "status").out()).contains("board board-1 waits for you");
    assertThat(ok("cid", "status", "--json").json())
        .containsEntry("boards", Json.ofStrings(List.of("board-1")));

    ok("ben", "board", "assess", "board-1", "--verdict", "APPROVE", "--score", "8");
    ok("cid", "board", "assess", "board-1", "--verdict", "APPROVE", "--score", "7");

    assertThat(ok("ben", "inbox").out()).contains("Board board-1: VOTE");
    var _ = ok("ann", "who");
    assertThat(ok("cid", "inbox", "--json").lines())
        .filteredOn(line -> line.contains("board-call"))
        .as("the call to assess ended with the phase")
        .singleElement()
        .asString()
        .contains("Board board-1: VOTE");
    ok("ben", "board", "vote", "board-1", "--verdict", "APPROVE");
    assertThat(ok("ben", "status").out()).doesNotContain("waits for you");
  }

  @Test
  void electorsWhomNobodyHasHeardOfAreRefusedWithTheNearestName() {
    Answer refused = run("ann", "board", "open", "PLAN", "--electorate", "ben,cidd");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("cidd", "Did you mean cid?");
    ok("ann", "who", "--expect", "cidd");
    ok("ann", "board", "open", "PLAN", "--electorate", "ben,cidd");
    ok("ann", "board", "open", "PLAN");
  }

  @Test
  void whoeverReadsDoesWhatIsDueForOthers() {
    ok("ann", "send", "ben", "--body", "Which port?", "--deadline", "1s");
    ok("cid", "task", "add", "1");
    ok("ben", "task", "claim", "1", "--ttl", "1s");

    // Neither the one who asked nor the one who was asked does anything.
    Waiting.until(() -> ok("cid", "inbox").exitCode() == 0 && hasEscalated());

    assertThat(ok("cid", "task", "list").out()).contains("ready");
  }

  private boolean hasEscalated() throws IOException {
    return hasEscalated(folder);
  }

  /** A look at the file alone: a command would do what is due itself. */
  private static boolean hasEscalated(Path folder) throws IOException {
    Path mail = folder.resolve(".parley/mail.human.jsonl");
    return Files.exists(mail) && Files.readString(mail).contains("Overdue: ");
  }

  @Test
  void whoeverWaitsDoesWhatIsDueForOthers() throws IOException {
    ok("ann", "send", "ben", "--body", "Which port?", "--deadline", "1s");

    Answer waited = run("cid", "wait", "--timeout", "4s");

    assertThat(waited.exitCode()).isEqualTo(4);
    assertThat(hasEscalated()).isTrue();
  }

  private static final List<String> WAITS =
      List.of(
          "lock f --wait 3s",
          "task next --wait 3s",
          "task claim held --wait 3s",
          "board show board-1 --wait 3s",
          "board resolve board-1 --wait 3s",
          "wait task:held --timeout 3s",
          "wait reply:unanswered --timeout 3s",
          "run --task held --wait 3s -- true",
          "run --task free -- sleep 3");

  /**
   * Each on a bus of its own and at the same time, because each takes the seconds that it waits.
   */
  @Test
  void everyCommandThatWaitsDoesWhatIsDueForOthers() throws Exception {
    Map<String, Future<Boolean>> escalated = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String line : WAITS) {
        Path own = Files.createDirectory(folder.resolve("bus-" + WAITS.indexOf(line)));
        escalated.put(line, threads.submit(() -> escalatesDuring(own, line)));
      }
    }
    for (Map.Entry<String, Future<Boolean>> one : escalated.entrySet()) {
      assertThat(one.getValue().get()).as(one.getKey()).isTrue();
    }
  }

  private static boolean escalatesDuring(Path bus, String line) throws IOException {
    in(bus, "ben", "init");
    for (String command :
        List.of(
            "ben lock f",
            "ann task add held --file f",
            "ann board open PLAN --electorate ben,ann --rounds 0")) {
      in(bus, command.substring(0, 3), command.substring(4));
    }
    in(bus, "cid", "join");
    if (line.contains("free")) {
      in(bus, "ann", "task add free");
    }
    String sent = in(bus, "cid", "send ann hello there --json").json().get("id").text();
    in(bus, "ann", "send ben Which port? --deadline 1s");
    var _ =
        new Trial(bus).with("PARLEY_AGENT", "cid").run(line.replace("unanswered", sent).split(" "));
    return hasEscalated(bus);
  }

  private static Answer in(Path bus, String agent, String line) {
    Answer answer = new Trial(bus).with("PARLEY_AGENT", agent).run(line.split(" "));
    assertThat(answer.exitCode()).as(line + answer.out() + answer.err()).isZero();
    return answer;
  }
}

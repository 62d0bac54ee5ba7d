package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C of a command that waits ends it with 130, and nobody believes that it still waits. */
class InterruptedIT {
  private static final List<String> WAITS =
      List.of(
          "wait --timeout 60s",
          "wait task:other --timeout 60s",
          "wait path:f --timeout 60s",
          "wait agent:ben --timeout 60s",
          "wait board:board-1 --timeout 60s",
          "wait reply:SENT --timeout 60s",
          "lock f --wait 60s",
          "task next --wait 60s",
          "task claim held --wait 60s",
          "board show board-1 --wait 60s",
          "board resolve board-1 --wait 60s",
          "run --task held --wait 60s -- true",
          "run --task free -- sleep 60");

  @TempDir private Path folder;

  private Answer ok(String agent, String... line) {
    Answer answer = new Trial(folder).with("PARLEY_AGENT", agent).run(line);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  @Test
  void ctrlCOfAnyWaitIsExitCode130() throws Exception {
    ok("ben", "init");
    ok("ben", "join");
    ok("ben", "lock", "f");
    ok("ben", "task", "add", "other");
    ok("ben", "task", "claim", "other");
    ok("ben", "task", "add", "held", "--file", "f");
    ok("ben", "board", "open", "PLAN", "--electorate", "ben", "--rounds", "0");
    ok("cid", "join");
    String sent = ok("ben", "send", "cid", "hello", "there", "--json").json().get("id").text();
    for (String line : WAITS) {
      String agent = "a" + WAITS.indexOf(line);
      ok(agent, "join");
      if (line.contains("free")) {
        ok("ben", "task", "add", "free");
      }
      String name = "--as " + (line.contains("SENT") ? "ben" : agent);
      String command =
          (line.startsWith("run") ? line.replace("run ", "run " + name + " ") : line + " " + name);
      try (Launched wait = Launched.parley(folder, command.replace("SENT", sent).split(" "))) {
        Launched started = wait;
        Awaitility.await().alias(line).until(() -> started.isIdle() || !started.isAlive());

        assertThat(wait.isAlive()).as(line).isTrue();
        wait.signal("INT");

        Answer answer = wait.answer();
        assertThat(answer.exitCode()).as(line + ": " + answer.out() + answer.err()).isEqualTo(130);
        assertThat(answer.err()).as(line).doesNotContain("internal error");
        assertThat(ok("ben", "waits").out()).as(line).isEqualTo("Nobody waits.\n");
        assertThat(ok("ben", "locks").out()).as(line).doesNotContain("waits");
      }
    }
  }
}

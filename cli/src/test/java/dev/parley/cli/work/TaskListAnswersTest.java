package dev.parley.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An empty list, a finished one and one of which nothing is ready are three answers. */
class TaskListAnswersTest {
  @TempDir private Path folder;

  @BeforeEach
  void aBus() {
    ok("ann", "init");
  }

  private Answer run(String agent, String... line) {
    return new Trial(folder).with("PARLEY_AGENT", agent).run(line);
  }

  private Answer ok(String agent, String... line) {
    Answer answer = run(agent, line);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  private void answers(String code, String message) {
    Answer list = ok("ben", "task", "list", "--json");
    Map<String, Json> last = Json.parse(list.lines().getLast()).fields();
    assertThat(last).containsEntry("task", Json.NULL).containsEntry("answer", Json.of(code));
    assertThat(ok("ben", "task", "list").lines().getLast()).startsWith(message);

    Answer next = run("ben", "task", "next", "--json");
    assertThat(next.exitCode()).isEqualTo(3);
    assertThat(next.json()).containsEntry("error", Json.of(code));
    assertThat(run("ben", "task", "next").err()).contains(message);
  }

  @Test
  void theThreeHaveCodesAndSentencesOfTheirOwn() {
    answers("no-tasks", "There are no tasks yet.");

    ok("ann", "task", "add", "1");
    ok("ann", "task", "claim", "1");
    answers("nothing-ready", "No task is ready; 1 is still open.");
    ok("ann", "task", "add", "2", "--after", "1");
    answers("nothing-ready", "No task is ready; 2 are still open.");

    ok("ann", "task", "done", "1");
    ok("ann", "task", "claim", "2");
    ok("ann", "task", "done", "2");
    answers("all-done", "All tasks are finished.");
  }

  @Test
  void whereATaskIsReadyTheListIsTheTasksAndNothingElse() {
    ok("ann", "task", "add", "1");
    assertThat(ok("ann", "task", "list", "--json").json()).containsEntry("task", Json.of("1"));
    assertThat(ok("ann", "task", "list", "--state", "done").out()).isEqualTo("No task matches.\n");
    assertThat(ok("ann", "task", "list", "--state", "done", "--json").out()).isEmpty();
  }
}

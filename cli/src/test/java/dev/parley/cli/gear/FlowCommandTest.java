package dev.parley.cli.gear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 4.5 on the command line. */
class FlowCommandTest {
  @TempDir Path folder;

  @Test
  void theMessagesOfAMountedHistoryAreListedByProject() throws Exception {
    Trial trial = new Trial(folder).with("PARLEY_AGENT", "alice");
    assertThat(trial.run("init").exitCode()).isZero();
    assertThat(trial.run("flow").out()).isEqualTo("No message belongs to a project.\n");
    assertThat(trial.run("flow", "--project", "x").err()).contains("parley mount gear");
    assertThat(trial.run("init", "--dialect", "gear", "history.json").out()).contains("Made");
    Files.writeString(
        folder.resolve("history.json"),
        """
        [{"message_id":"m1","message_type":"task_assigned","from_agent":"moderator",
          "to_agent":"techlead","timestamp":"2024-10-15T10:30:00","correlation_id":"c",
          "project":"proj_abc123","requires_response":true,"payload":{"task_id":"task_003"}},
         {"message_id":"m2","message_type":"pr_submitted","from_agent":"techlead",
          "to_agent":"moderator","timestamp":"2024-10-15T10:45:00","correlation_id":"c",
          "project":"proj_abc123","payload":{"pr_number":42,"iteration":2}},
         {"message_id":"m3","message_type":"agent_\\u001b[31m","from_agent":"techlead",
          "to_agent":"moderator","timestamp":"","payload":{}}]\
        """);
    assertThat(trial.run("mount", "gear", "history.json").exitCode()).isZero();

    Answer flow = trial.run("flow", "--project", "proj_abc123");
    Answer all = trial.run("flow");
    Answer json = trial.run("flow", "--project", "proj_abc123", "--json");

    assertThat(flow.out())
        .isEqualTo(
            """
            Message flow of proj_abc123:
            10:30:00  moderator → techlead  TASK_ASSIGNED  task_003
            10:45:00  techlead → moderator  PR_SUBMITTED   PR #42 (iter 2)
            """);
    assertThat(all.out()).contains("Message flow of gear:").doesNotContain("\u001b");
    assertThat(json.out()).contains("\"what\":\"PR #42 (iter 2)\"", "\"correlation\":\"c\"");
    assertThat(trial.run("flow", "--project", "none").exitCode()).isEqualTo(3);
  }
}

package dev.parley.cli.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 3.1 to 3.4, on the command line. */
class JournalCommandsTest {
  @TempDir Path folder;
  private Trial trial;
  private Path journal;

  @BeforeEach
  void create() {
    trial = new Trial(folder).with("PARLEY_AGENT", "claude-dev-1").with("RUN_ID", "run_001");
    journal = folder.resolve("MESSAGE-BUS.md");
  }

  private Answer post(String... args) {
    String[] all = new String[args.length + 5];
    System.arraycopy(
        new String[] {"journal", "post", "--json", "--file", "MESSAGE-BUS.md"}, 0, all, 0, 5);
    System.arraycopy(args, 0, all, 5, args.length);
    return trial.run(all);
  }

  @Test
  void whatIsPostedIsReadWithTheFormatsOwnNames() {
    Answer question =
        post(
            "--type",
            "QUESTION",
            "--task",
            "T-1",
            "--files",
            "a.ts, b.ts",
            "--body",
            "Which?\n---");
    assertThat(question.exitCode()).as(question.err() + question.out()).isZero();
    String id = question.json().get("messageId").text();
    assertThat(
            post("--type", "answer", "--task", "T-1", "--relates-to", id, "--body", "8080")
                .exitCode())
        .isZero();

    Answer read = trial.run("journal", "read", "--json");

    assertThat(read.lines()).hasSize(2);
    Json first = Json.parse(read.lines().getFirst());
    assertThat(first.fields().keySet())
        .containsExactly(
            "messageId",
            "type",
            "agent",
            "timestamp",
            "runId",
            "taskId",
            "relatesTo",
            "files",
            "artifacts",
            "body");
    assertThat(first.fields().get("body").text()).isEqualTo("Which?\n---");
    assertThat(first.fields().get("runId").text()).isEqualTo("run_001");
    assertThat(first.fields().get("files")).hasToString("[\"a.ts\",\"b.ts\"]");
    assertThat(trial.run("journal", "read", "--relates-to", id).out())
        .contains("QUESTION  claude-dev-1", "ANSWER  claude-dev-1", "relates to " + id, "  8080");
    assertThat(trial.run("journal", "read", "--type", "answer", "--json").lines()).hasSize(1);
    assertThat(trial.run("journal", "lint").exitCode()).isZero();
  }

  @Test
  void whatTheFormatDoesNotAllowIsRefusedAndNothingIsWritten() {
    assertThat(post("--type", "ANSWER", "--task", "T").json().get("error").text())
        .isEqualTo("answer-to-nothing");
    assertThat(post("--type", "NOTE", "--task", "T").json().get("error").text())
        .isEqualTo("bad-journal-type");
    assertThat(post("--type", "FACT").json().get("error").text()).isEqualTo("missing-task-id");
    assertThat(journal).doesNotExist();
  }

  @Test
  void anAgentOfTheBusPostsUnderItsOwnNameAndTheLintAcceptsIt() {
    assertThat(post("--type", "FACT", "--task", "T", "--as", "bob").exitCode()).isZero();
    assertThat(trial.run("journal", "lint").exitCode()).isZero();
  }

  @Test
  void aTemplateIsFilledAndPosted() {
    Answer form =
        trial.run(
            "journal",
            "template",
            "REVIEW",
            "--set",
            "scope=core",
            "--set",
            "severity=nit",
            "--set",
            "findings=- none",
            "--set",
            "tests=enough",
            "--set",
            "recommendation=merge");
    assertThat(form.out()).startsWith("Scope: core\nSeverity: nit\n");

    Answer posted =
        trial
            .input(form.out())
            .run(
                "journal",
                "post",
                "--file",
                "MESSAGE-BUS.md",
                "--type",
                "REVIEW",
                "--task",
                "T",
                "--body",
                "-");

    assertThat(posted.exitCode()).as(posted.err()).isZero();
    assertThat(
            trial
                .input("fine")
                .run("journal", "post", "--type", "REVIEW", "--task", "T", "--body", "-")
                .err())
        .contains("The body is not a complete REVIEW: Scope: is not there;");
    assertThat(trial.run("journal", "template", "FACT").exitCode()).isEqualTo(2);
    assertThat(trial.run("journal", "template", "FOO").err())
        .contains("Choose one of: REVIEW, ERROR.");
  }

  @Test
  void lintTellsByLineAndReadPassesOver() throws Exception {
    Files.writeString(
        journal, "---\nmessageId: M-1\ntype: FACT\n---\n\nx \u001b[31m\n\n---\n\nloose\n");

    assertThat(trial.run("journal", "read").out()).contains("x \\u001b[31m");
    assertThat(trial.run("journal", "read").err())
        .contains("1 passages could not be read: parley journal lint lists them");
    Answer lint = trial.run("journal", "lint");
    assertThat(lint.exitCode()).isEqualTo(1);
    assertThat(lint.out())
        .contains(journal + ":10: text that belongs to no message")
        .contains(journal + ":1: agent is missing", journal + ":1: timestamp is missing");
    assertThat(trial.run("journal", "lint", "--json").lines())
        .anyMatch(line -> line.contains("\"line\":10"));
  }

  @Test
  void withoutAJournalItIsSaidHowToMakeOne() {
    assertThat(trial.run("journal", "read").err()).contains("parley init --dialect markdown");
  }
}

package dev.parley.cli.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.testing.Launched;
import dev.parley.core.NodePackages;
import dev.parley.core.hosts.ModelStandIn;
import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.hosts.ModelStandIn.Reply.ToolCall;
import dev.parley.core.hosts.ModelStandIn.Turn;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real Claude Code, set up by parley setup, is woken when it is idle. */
@Timeout(400)
class ClaudeCodeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;

  private void parley(Path repo, String... words) throws IOException, InterruptedException {
    try (Launched parley = Launched.parley(repo, words)) {
      assertThat(parley.answer().exitCode()).isZero();
    }
  }

  /** A repository with a bus and Claude Code set up, which its user trusts. */
  private Path repository() throws IOException, InterruptedException {
    Path repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    Path home = Files.createDirectory(temp.resolve("home"));
    try (Launched git = Launched.bash(repo, "git init -q")) {
      assertThat(git.answer().exitCode()).isZero();
    }
    parley(repo, "init");
    parley(repo, "setup", "claude", "--yes");
    Files.writeString(
        home.resolve(".claude.json"),
        "{\"hasCompletedOnboarding\":true,\"customApiKeyResponses\":{\"approved\":[\"not-a-key\"],"
            + "\"rejected\":[]},\"projects\":{\""
            + repo
            + "\":{\"hasTrustDialogAccepted\":true,\"hasCompletedProjectOnboarding\":true,"
            + "\"enabledMcpjsonServers\":[\"parley\"]}}}");
    return repo;
  }

  private Launched claude(Path repo, ModelStandIn model, String... words)
      throws IOException, InterruptedException {
    NodePackages packages =
        NodePackages.of("claude-code", "@anthropic-ai/claude-code-linux-x64@2.1.327");
    List<String> command = new ArrayList<>();
    command.add(packages.file("@anthropic-ai/claude-code-linux-x64/claude").toString());
    command.addAll(List.of(words));
    command.addAll(
        List.of(
            "--permission-mode",
            "acceptEdits",
            "--allowedTools",
            "mcp__parley__inbox",
            "--mcp-config",
            ".mcp.json",
            "--strict-mcp-config"));
    return Launched.start(
        repo,
        Map.of(
            "HOME",
            temp.resolve("home").toString(),
            "ANTHROPIC_BASE_URL",
            model.address(),
            "ANTHROPIC_API_KEY",
            "not-a-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "1"),
        command);
  }

  private static String answer(Path repo, String... words)
      throws IOException, InterruptedException {
    try (Launched parley = Launched.parley(repo, words)) {
      return parley.answer().out();
    }
  }

  private static Reply readsMailWhenWoken(Turn turn) {
    boolean isWoken = turn.hasTools() && turn.body().contains("Parley: 1 unread from bob");
    return isWoken && turn.step() == 0
        ? new ToolCall("mcp__parley__inbox", Json.EMPTY_OBJECT)
        : new Reply.Text("done");
  }

  @Test
  void anIdleOneIsWokenByMailAndThatIsOnTheBus() throws IOException, InterruptedException {
    Path repo = repository();
    try (ModelStandIn model = new ModelStandIn(ClaudeCodeIT::readsMailWhenWoken);
        Launched claude =
            claude(
                repo,
                model,
                "-p",
                "--input-format",
                "stream-json",
                "--output-format",
                "stream-json",
                "--verbose")) {
      claude.type("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"go\"}}");
      claude.awaitOutput("\"type\":\"result\"");
      await().atMost(PATIENCE).until(() -> answer(repo, "wake").contains("by hook"));

      String id =
          Json.parse(
                  answer(repo, "send", "claude", "--as", "bob", "--body", "MARKED BODY", "--json"))
              .fields()
              .get("id")
              .text();

      await().atMost(PATIENCE).until(() -> model.received().contains("MARKED BODY"));
      assertThat(model.received()).contains("Parley: 1 unread from bob: call inbox.");
      await()
          .atMost(PATIENCE)
          .until(() -> answer(repo, "wake", "list", "claude").contains("wake woken"));
      assertThat(answer(repo, "show", id, "--as", "bob"))
          .containsSubsequence("wake requested by hook", "wake delivered", "wake woken");
      await().atMost(PATIENCE).until(() -> answer(repo, "who").contains("hook"));
    }
    await().atMost(PATIENCE).until(() -> answer(repo, "wake").contains("no: nobody waits"));
  }
}

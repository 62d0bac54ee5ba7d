package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.NodePackages;
import dev.parley.core.hosts.ModelStandIn;
import dev.parley.core.hosts.ModelStandIn.Reply.ToolCall;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real Claude Code, set up by parley setup, with a stand-in for its model. */
@Timeout(400)
class ClaudeCodeIT {
  @TempDir Path temp;

  private void parley(Path repo, String... words) throws IOException, InterruptedException {
    try (Launched parley = Launched.parley(repo, words)) {
      assertThat(parley.answer().exitCode()).isZero();
    }
  }

  private static Json write(Path file) {
    return Json.object().put("file_path", file.toString()).put("content", "mine").build();
  }

  @Test
  void itJoinsIsToldOfMailIsRefusedAHeldFileAndWritesAFreeOne()
      throws IOException, InterruptedException {
    NodePackages packages =
        NodePackages.of("claude-code", "@anthropic-ai/claude-code-linux-x64@2.1.327");
    Path repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    Path home = Files.createDirectory(temp.resolve("home"));
    try (Launched git = Launched.bash(repo, "git init -q")) {
      assertThat(git.answer().exitCode()).isZero();
    }
    parley(repo, "init");
    parley(repo, "setup", "claude", "--yes");
    parley(repo, "lock", "held.txt", "--as", "bob");
    parley(repo, "send", "claude", "--as", "bob", "--body", "MARKED BODY", "--anyway");
    Files.writeString(
        home.resolve(".claude.json"),
        "{\"hasCompletedOnboarding\":true,\"customApiKeyResponses\":{\"approved\":[\"not-a-key\"],"
            + "\"rejected\":[]},\"projects\":{\""
            + repo
            + "\":{\"hasTrustDialogAccepted\":true,\"hasCompletedProjectOnboarding\":true,"
            + "\"enabledMcpjsonServers\":[\"parley\"]}}}");
    try (ModelStandIn model =
            new ModelStandIn(
                ModelStandIn.calling(
                    new ToolCall("Write", write(repo.resolve("held.txt"))),
                    new ToolCall("Write", write(repo.resolve("free.txt"))),
                    new ToolCall("mcp__parley__inbox", Json.EMPTY_OBJECT)));
        Launched claude =
            Launched.start(
                repo,
                Map.of(
                    "HOME",
                    home.toString(),
                    "ANTHROPIC_BASE_URL",
                    model.address(),
                    "ANTHROPIC_API_KEY",
                    "not-a-key",
                    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
                    "1"),
                List.of(
                    packages.file("@anthropic-ai/claude-code-linux-x64/claude").toString(),
                    "-p",
                    "go",
                    "--permission-mode",
                    "acceptEdits",
                    "--allowedTools",
                    "mcp__parley__inbox",
                    "--mcp-config",
                    ".mcp.json",
                    "--strict-mcp-config"))) {
      assertThat(claude.answer(Duration.ofMinutes(5)).exitCode()).isZero();
      assertThat(model.received())
          .contains("You are claude on Parley. 1 unread from bob: call inbox.")
          .contains("bob holds held.txt")
          .contains("MARKED BODY");
    }
    assertThat(repo.resolve("held.txt")).doesNotExist();
    assertThat(repo.resolve("free.txt")).exists();
    try (Launched sent = Launched.parley(repo, "inbox", "sent", "--as", "bob", "--json")) {
      assertThat(sent.answer().out()).contains("\"state\":\"seen\"");
    }
  }
}

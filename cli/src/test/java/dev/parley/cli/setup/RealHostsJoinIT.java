package dev.parley.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.core.hosts.ModelStandIn;
import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.hosts.ModelStandIn.Reply.ToolCall;
import dev.parley.core.hosts.ModelStandIn.Script;
import dev.parley.core.hosts.ModelStandIn.Turn;
import dev.parley.core.hosts.RealHosts;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real Claude Code, Codex and Gemini CLI, set up by parley setup, with a stand-in for their
 * models: each joins, reads its mail, takes a task, is refused a held file, answers. Codex is woken
 * by its queue; {@code ClaudeCodeIT} has how Claude Code is woken.
 */
@Timeout(400)
class RealHostsJoinIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern MESSAGE_ID = Pattern.compile("id[\\\\\": ]+([a-z2-7]{16}-\\d+)");

  @TempDir Path temp;
  private Path repo;
  private Map<String, String> environment;

  @BeforeEach
  void begin() throws IOException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    environment = new TreeMap<>();
  }

  /** What a host calls the tools that the model uses. */
  private record Tools(Function<String, String> ofParley, Function<Path, ToolCall> write) {
    static final Tools CLAUDE =
        new Tools(
            tool -> "mcp__parley__" + tool,
            file -> new ToolCall("Write", object("file_path", file.toString(), "content", "mine")));
    static final Tools CODEX =
        new Tools(
            tool -> "mcp__parley/" + tool,
            file ->
                new ToolCall(
                    "apply_patch",
                    object(
                        "input",
                        "*** Begin Patch\n*** Add File: "
                            + file.getFileName()
                            + "\n+mine\n*** End Patch\n")));
    static final Tools GEMINI =
        new Tools(
            tool -> "mcp_parley_" + tool,
            file ->
                new ToolCall(
                    "write_file", object("file_path", file.toString(), "content", "mine")));

    ToolCall call(String tool, String... fields) {
      return new ToolCall(ofParley.apply(tool), object(fields));
    }
  }

  private static Json object(String... fields) {
    Json.ObjectBuilder object = Json.object();
    for (int i = 0; i < fields.length; i += 2) {
      object.put(fields[i], fields[i + 1]);
    }
    return object.build();
  }

  private Script worker(Tools tools) {
    return turn ->
        !turn.hasTools()
            ? new Reply.Text("done")
            : switch (turn.step()) {
              case 0 -> tools.call("inbox");
              case 1 -> tools.call("task", "action", "next");
              case 2 -> tools.write().apply(repo.resolve("held.txt"));
              case 3 -> tools.write().apply(repo.resolve("free.txt"));
              case 4 -> tools.call("send", "reply_to", id(turn), "body", "the answer");
              case 5 -> tools.call("task", "action", "done", "task", "t1");
              default -> new Reply.Text("done");
            };
  }

  private static String id(Turn turn) {
    Matcher id = MESSAGE_ID.matcher(turn.body());
    return id.find() ? id.group(1) : "no message was seen";
  }

  private Launched start(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(words));
    if (command.getFirst().equals("parley")) {
      command.set(0, Launched.parley().toString());
    }
    return Launched.start(repo, environment, command);
  }

  private String answer(String... words) throws IOException, InterruptedException {
    try (Launched launched = start(words)) {
      Trial.Answer answer = launched.answer(Duration.ofMinutes(3));
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      return answer.out();
    }
  }

  /** A bus with mail and a task for whoever comes, a file that Bob holds, and the host set up. */
  private void prepare(RealHosts hosts, String host) throws IOException, InterruptedException {
    environment.putAll(hosts.environment());
    answer("git", "init", "-q");
    answer("parley", "init");
    answer("parley", "setup", host, "--yes");
    answer("parley", "lock", "held.txt", "--as", "bob");
    answer("parley", "task", "add", "t1", "--title", "Write it", "--as", "bob");
    answer(
        "parley",
        "send",
        host,
        "--as",
        "bob",
        "--anyway",
        "--body",
        "MARKED BODY",
        "--type",
        "question");
  }

  private void assertThatItWorked(RealHosts hosts, String host)
      throws IOException, InterruptedException {
    assertThat(hosts.model().received())
        .contains("You are " + host + " on Parley.")
        .contains("MARKED BODY")
        .contains("bob holds held.txt");
    assertThat(repo.resolve("held.txt")).doesNotExist();
    assertThat(repo.resolve("free.txt")).exists();
    assertThat(answer("parley", "inbox", "--as", "bob", "--json"))
        .contains("\"from\":\"" + host + "\"", "the answer");
    assertThat(answer("parley", "task", "show", "t1", "--json")).contains("\"done\"");
  }

  @Test
  void claudeJoinsReadsTakesATaskIsRefusedAHeldFileAndAnswers()
      throws IOException, InterruptedException {
    try (RealHosts hosts = RealHosts.start(temp.resolve("home"), repo, worker(Tools.CLAUDE))) {
      prepare(hosts, "claude");

      answer(
          "sh",
          "-c",
          "claude -p go --permission-mode acceptEdits --allowedTools mcp__parley </dev/null");

      assertThatItWorked(hosts, "claude");
      assertThat(answer("parley", "locks", "--json")).doesNotContain("\"claude\"");
    }
  }

  @Test
  void claudeIsGuardedInAWorktreeThatItMakesItself() throws IOException, InterruptedException {
    Path tree = repo.toRealPath().resolve(".claude/worktrees/w1");
    ToolCall held = Tools.CLAUDE.write().apply(tree.resolve("held.txt"));
    ToolCall free = Tools.CLAUDE.write().apply(tree.resolve("free.txt"));
    try (RealHosts hosts =
        RealHosts.start(temp.resolve("home"), repo, ModelStandIn.calling(held, free))) {
      prepare(hosts, "claude");
      answer("sh", "-c", "git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m x");

      answer("sh", "-c", "claude -p go --worktree w1 --permission-mode acceptEdits </dev/null");

      assertThat(hosts.model().received())
          .contains("You are claude on Parley.")
          .contains("bob holds held.txt");
      assertThat(tree.resolve("held.txt")).doesNotExist();
      assertThat(tree.resolve("free.txt")).exists();
    }
  }

  @Test
  void codexJoinsReadsTakesATaskIsRefusedAHeldFileAndAnswers()
      throws IOException, InterruptedException {
    try (RealHosts hosts = RealHosts.start(temp.resolve("home"), repo, worker(Tools.CODEX))) {
      prepare(hosts, "codex");

      // What its user would confirm once: no installer writes that consent.
      answer("sh", "-c", "codex exec --dangerously-bypass-hook-trust go </dev/null");

      assertThatItWorked(hosts, "codex");
    }
  }

  @Test
  void geminiJoinsReadsTakesATaskIsRefusedAHeldFileAnswersAndCantBeWoken()
      throws IOException, InterruptedException {
    try (RealHosts hosts = RealHosts.start(temp.resolve("home"), repo, worker(Tools.GEMINI))) {
      prepare(hosts, "gemini");

      answer("sh", "-c", "gemini -p go --approval-mode yolo </dev/null");

      assertThatItWorked(hosts, "gemini");
      assertThat(answer("parley", "wake")).containsPattern("gemini +no: its host offers no way");
    }
  }

  private static Reply readsWhenWoken(Turn turn) {
    boolean isWoken = turn.body().contains("Parley: 1 unread from bob");
    return turn.hasTools() && (turn.step() == 0 || (isWoken && turn.step() == 1))
        ? Tools.CODEX.call("inbox")
        : new Reply.Text("done");
  }

  private static void ask(Launched codex, int id, String method, String params) throws IOException {
    codex.type("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}");
  }

  @Test
  void anIdleCodexIsWokenByItsQueueAndThatIsOnTheBus() throws IOException, InterruptedException {
    try (RealHosts hosts =
        RealHosts.start(temp.resolve("home"), repo, RealHostsJoinIT::readsWhenWoken)) {
      environment.putAll(hosts.environment());
      answer("git", "init", "-q");
      answer("parley", "init");
      answer("parley", "setup", "codex", "--yes");
      try (Launched codex = start(temp.resolve("home/bin/codex").toString(), "app-server")) {
        ask(
            codex,
            1,
            "initialize",
            "{\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
                + "\"capabilities\":{\"experimentalApi\":true}}");
        codex.type("{\"method\":\"initialized\"}");
        ask(codex, 2, "thread/start", "{\"cwd\":\"" + repo + "\",\"approvalPolicy\":\"never\"}");
        codex.awaitOutput("\"id\":2,");
        Matcher thread = Pattern.compile("\"thread\":\\{\"id\":\"([^\"]+)").matcher(codex.out());
        assertThat(thread.find()).isTrue();
        ask(
            codex,
            3,
            "turn/start",
            "{\"threadId\":\""
                + thread.group(1)
                + "\",\"input\":[{\"type\":\"text\",\"text\":\"go\"}]}");
        codex.awaitOutput("turn/completed");
        await().atMost(PATIENCE).until(() -> answer("parley", "wake").contains("by queue"));

        answer("parley", "send", "codex", "--as", "bob", "--body", "MARKED BODY");

        await()
            .atMost(PATIENCE)
            .until(() -> answer("parley", "wake", "list", "codex").contains("wake woken"));
        await().atMost(PATIENCE).until(() -> hosts.model().received().contains("MARKED BODY"));
      }
      await().atMost(PATIENCE).until(() -> answer("parley", "wake").contains("no: nobody waits"));
    }
  }
}

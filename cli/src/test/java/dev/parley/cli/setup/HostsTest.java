package dev.parley.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Setup, hooks and the git guard, as commands. */
class HostsTest {
  @TempDir Path temp;
  private Path repo;
  private Trial trial;

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    git("init", "-q");
    git("config", "user.email", "a@example.org");
    git("config", "user.name", "a");
    trial = new Trial(repo).with("CODEX_HOME", temp.resolve("codex").toString());
    assertThat(trial.run("init").exitCode()).isZero();
  }

  private int git(String... words) throws IOException, InterruptedException {
    String[] command = new String[words.length + 1];
    command[0] = "git";
    System.arraycopy(words, 0, command, 1, words.length);
    return new ProcessBuilder(command).directory(repo.toFile()).start().waitFor();
  }

  private String read(String file) throws IOException {
    return Files.readString(repo.resolve(file));
  }

  @Test
  void setupAddsToWhatIsThereTwiceIsOnceAndUndoLeavesItAsItWas() throws IOException {
    Path config = temp.resolve("codex/config.toml");
    Files.createDirectories(config.getParent());
    String toml =
        "# mine\nmodel = \"x\"\n\n[sandbox_workspace_write]\nwritable_roots = [\"/data\"]\n";
    Files.writeString(config, toml);
    Files.createDirectory(repo.resolve(".claude"));
    String settings =
        """
        {
          "model": "m",
          "hooks": {
            "Stop": [
              {
                "hooks": [
                  {
                    "type": "command",
                    "command": "mine.sh"
                  }
                ]
              }
            ]
          }
        }
        """;
    Files.writeString(repo.resolve(".claude/settings.json"), settings);

    assertThat(trial.run("setup", "claude", "codex").exitCode()).isEqualTo(3);
    assertThat(Files.exists(repo.resolve(".mcp.json"))).as("nobody was asked").isFalse();

    Trial.Answer written = trial.run("setup", "claude", "codex", "--yes");
    assertThat(written.exitCode()).isZero();
    assertThat(written.out()).contains("trust the hooks").contains("approve the project's server");
    Map<String, Json> server =
        Json.parse(read(".mcp.json")).fields().get("mcpServers").fields().get("parley").fields();
    assertThat(server.get("args").toString()).isEqualTo("[\"mcp\",\"--host\",\"claude\"]");
    assertThat(read(".claude/settings.json"))
        .contains("mine.sh")
        .contains("\"mcp_tool\"")
        .contains("asyncRewake");
    assertThat(Files.readString(config))
        .startsWith("# mine\n")
        .contains("\"/data\", \"" + repo.resolve(".parley"))
        .contains("[mcp_servers.parley]")
        .doesNotContain("trusted_hash");
    String once = Files.readString(config) + read(".claude/settings.json") + read(".mcp.json");

    assertThat(trial.run("setup", "claude", "codex", "--yes").out())
        .doesNotContain("written")
        .contains("unchanged");
    assertThat(Files.readString(config) + read(".claude/settings.json") + read(".mcp.json"))
        .isEqualTo(once);
    assertThat(read(".claude/settings.json.before-parley")).isEqualTo(settings);

    assertThat(trial.run("setup", "--undo", "--yes").exitCode()).isZero();
    assertThat(Files.readString(config)).isEqualTo(toml);
    assertThat(read(".claude/settings.json")).isEqualTo(settings);
    assertThat(Files.exists(repo.resolve(".mcp.json"))).isFalse();
    assertThat(Files.exists(repo.resolve(".codex/hooks.json"))).isFalse();
  }

  @Test
  void repositoriesShareTheSettingsOfCodexAndOneThatIsTakenAwayLeavesTheOthers()
      throws IOException {
    Path config = temp.resolve("codex/config.toml");
    Files.createDirectories(config.getParent());
    Path second = Files.createDirectory(temp.resolve("second")).toRealPath();
    Trial other = new Trial(second).with("CODEX_HOME", temp.resolve("codex").toString());
    assertThat(other.run("init").exitCode()).isZero();
    String first = "\"" + repo.resolve(".parley") + "\"";
    String theirs = "\"" + second.resolve(".parley") + "\"";
    for (String toml :
        new String[] {
          "",
          "model = \"x\"",
          "[sandbox_workspace_write]\nnetwork_access = true\n[projects.\"/a\"]\nt = 1\n",
          """
          [ sandbox_workspace_write ] # mine
          writable_roots = [
            "/data", # ] data
            # "/old",
            "/more"
          ]
          [a]
          writable_roots = []
          """
        }) {
      Files.writeString(config, toml);
      assertThat(trial.run("setup", "codex", "--yes").exitCode()).isZero();
      assertThat(other.run("setup", "codex", "--yes").exitCode()).isZero();
      String both = Files.readString(config);
      assertThat(both).contains(first, theirs);
      assertThat(both.lines())
          .containsAll(toml.lines().filter(line -> line.contains("#")).toList());
      assertThat(trial.run("setup", "codex", "--yes").out()).doesNotContain("written");
      assertThat(other.run("setup", "codex", "--yes").out()).doesNotContain("written");

      assertThat(trial.run("setup", "codex", "--undo", "--yes").exitCode()).isZero();
      assertThat(config)
          .content()
          .contains(theirs, "[mcp_servers.parley]", "state")
          .doesNotContain(first);
      assertThat(trial.run("setup", "codex", "--undo", "--yes").out()).doesNotContain("removed");

      assertThat(trial.run("setup", "codex", "--yes").exitCode()).isZero();
      assertThat(other.run("setup", "codex", "--undo", "--yes").exitCode()).isZero();
      assertThat(config).content().contains(first).doesNotContain(theirs);
      assertThat(trial.run("setup", "codex", "--undo", "--yes").exitCode()).isZero();
      if (toml.isEmpty()) {
        assertThat(config).doesNotExist();
      } else {
        assertThat(config).content().isEqualTo(toml);
      }
    }
  }

  @Test
  void aBlockThatAnEarlierVersionWroteIsUnderstood() throws IOException {
    Path config = temp.resolve("codex/config.toml");
    Files.createDirectories(config.getParent());
    String old =
        """
        # >>> parley setup (parley setup --undo takes it away)
        [mcp_servers.parley]
        command = "x"

        [sandbox_workspace_write]
        writable_roots = ["/a/.parley", "/b/state", "OWN"]
        # <<< parley setup
        """;
    Files.writeString(config, old.replace("OWN", repo.resolve(".parley").toString()));
    assertThat(trial.run("setup", "codex", "--undo", "--yes").exitCode()).isZero();
    assertThat(config).content().isEqualTo(old.replace(", \"OWN\"", ""));
    assertThat(trial.run("setup", "codex", "--yes").exitCode()).isZero();
    assertThat(config).content().contains("# buses = [\"/a/.parley\", \"" + repo);
  }

  @Test
  void aWorktreeIsSetUpWhereItsHostsLook() throws IOException, InterruptedException {
    assertThat(git("commit", "-q", "--allow-empty", "-m", "x")).isZero();
    Path tree = temp.toRealPath().resolve("tree");
    assertThat(git("worktree", "add", "-q", tree.toString())).isZero();
    Trial there = new Trial(tree).with("CODEX_HOME", temp.resolve("codex").toString());
    assertThat(there.run("setup", "claude", "codex", "--yes").exitCode()).isZero();
    assertThat(tree.resolve(".claude/settings.json")).exists();
    assertThat(tree.resolve(".mcp.json")).exists();
    assertThat(repo.resolve(".claude")).doesNotExist();
    assertThat(repo.resolve(".codex/hooks.json")).as("Codex reads the root checkout's").exists();
    assertThat(tree.resolve(".codex")).doesNotExist();
  }

  private Trial.Answer worktreeHook(String event, String field, String value) {
    String input =
        "{\"hook_event_name\":\"Worktree%s\",\"cwd\":\"%s\",\"%s\":\"%s\"}"
            .formatted(event, repo, field, value);
    return trial.input(input).run("hook", "claude");
  }

  @Test
  void aWorktreeThatClaudeWantsHasItsHooksAndGoesOnlyIfNothingIsLost()
      throws IOException, InterruptedException {
    assertThat(git("commit", "-q", "--allow-empty", "-m", "x")).isZero();
    assertThat(trial.run("setup", "claude", "--strict", "--yes").exitCode()).isZero();
    Path tree = repo.resolve(".claude/worktrees/w1");
    for (String time : new String[] {"made", "there already"}) {
      Trial.Answer made = worktreeHook("Create", "name", "w1");
      assertThat(made.out()).as(time + made.err()).isEqualTo(tree + "\n");
      assertThat(tree.resolve(".claude/settings.json"))
          .content()
          .isEqualTo(read(".claude/settings.json"))
          .contains("--strict");
      assertThat(tree.resolve(".mcp.json")).content().isEqualTo(read(".mcp.json"));
    }

    Files.writeString(tree.resolve("unsaved.txt"), "x");
    Trial.Answer kept = worktreeHook("Remove", "worktree_path", tree.toString());
    assertThat(kept.exitCode()).isZero();
    assertThat(kept.err()).contains("the worktree stays");
    assertThat(tree.resolve("unsaved.txt")).exists();
    assertThat(tree.resolve(".claude/settings.json")).exists();

    Files.delete(tree.resolve("unsaved.txt"));
    assertThat(worktreeHook("Remove", "worktree_path", tree.toString()).err()).isEmpty();
    assertThat(tree).doesNotExist();
    assertThat(git("rev-parse", "-q", "--verify", "worktree-w1")).as("its branch").isNotZero();

    for (String odd : new String[] {"", "../w", "-f", "a..b", "a b", "a/b"}) {
      Trial.Answer refused = worktreeHook("Create", "name", odd);
      assertThat(refused.exitCode()).as(odd).isNotZero();
      assertThat(refused.err()).contains("name").doesNotContain("Exception");
    }
    for (String other : new String[] {"", "/", repo.toString(), temp.toString(), "\\u0000"}) {
      assertThat(worktreeHook("Remove", "worktree_path", other).exitCode()).isZero();
    }
    assertThat(repo.resolve(".git")).exists();
  }

  @Test
  void anotherToolsHookForWorktreesIsLeftAlone() throws IOException {
    Files.createDirectory(repo.resolve(".claude"));
    String theirs =
        "{\"hooks\":{\"WorktreeCreate\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}";
    Files.writeString(repo.resolve(".claude/settings.json"), theirs);
    assertThat(trial.run("setup", "claude", "--yes").exitCode()).isZero();
    Map<String, Json> hooks =
        Json.parse(read(".claude/settings.json")).fields().get("hooks").fields();
    assertThat(hooks.get("WorktreeCreate").items()).hasSize(1);
    assertThat(hooks).doesNotContainKey("WorktreeRemove");
    assertThat(trial.run("setup", "claude", "--undo", "--yes").exitCode()).isZero();
    assertThat(read(".claude/settings.json")).isEqualTo(theirs);
  }

  @Test
  void settingsThatCannotBeReadAreLeftAlone() throws IOException {
    for (String odd : new String[] {"{ \"a\": ", "[]", "7", "{} {}"}) {
      Files.writeString(repo.resolve(".mcp.json"), odd);
      Trial.Answer answer = trial.run("setup", "claude", "--yes");
      assertThat(answer.exitCode()).isEqualTo(3);
      assertThat(answer.err()).contains(".mcp.json").contains("--print claude");
      assertThat(read(".mcp.json")).isEqualTo(odd);
    }
  }

  @Test
  void everyHostsSettingsKeepCommentsOrderAndFormAndComeBackByteForByte() throws IOException {
    Path home = Files.createDirectory(temp.resolve("home"));
    trial.with("HOME", home.toString());
    String settings =
        """
        // mine
        {
            "zebra": {"b": 1,   "a": [1,2]}, /* first */
            "mcpServers": {
                // a server
                "other": { "command": "x" } // its command
            },
            "mcp": { "other": {} },
            "hooks": {
                "Stop": [ {"hooks": []} ],
            },
            "apple": "// no comment, /* neither */",
        }
        """;
    Path codex = temp.resolve("codex/config.toml");
    Files.createDirectories(codex.getParent());
    String toml =
        "# mine\r\nmodel = 'x' # y\n# [sandbox_workspace_write]\n[projects.\"/a\"]\nt = 1\n";
    Map<Path, String> before = new HashMap<>();
    before.put(codex, toml);
    for (String file :
        new String[] {
          "repo/.mcp.json",
          "repo/.claude/settings.json",
          "repo/.codex/hooks.json",
          "home/.gemini/settings.json",
          "home/.gemini/config/mcp_config.json",
          "repo/.cursor/mcp.json",
          "repo/opencode.jsonc"
        }) {
      before.put(temp.resolve(file), settings);
    }
    before.put(repo.resolve(".cursor/hooks.json"), "{}");
    for (Map.Entry<Path, String> file : before.entrySet()) {
      Files.createDirectories(file.getKey().getParent());
      Files.writeString(file.getKey(), file.getValue());
    }
    String[] hosts = {"claude", "codex", "gemini", "antigravity", "cursor", "opencode"};

    for (String host : hosts) {
      Trial.Answer written = trial.run("setup", host, "--yes");
      assertThat(written.exitCode()).as(written.err()).isZero();
      assertThat(written.out()).contains("written").doesNotContain("  - \"zebra\"");
      assertThat(trial.run("setup", host, "--yes").out())
          .as("twice is once")
          .contains("unchanged")
          .doesNotContain("written");
    }
    for (Map.Entry<Path, String> file : before.entrySet()) {
      String now = Files.readString(file.getKey());
      assertThat(now).isNotEqualTo(file.getValue()).contains("parley");
      if (file.getValue().equals(settings)) {
        assertThat(now.replace(",", "").lines().toList())
            .containsSubsequence(
                settings
                    .replace(",", "")
                    .lines()
                    .filter(line -> line.contains("//") || line.contains("zebra"))
                    .toList());
      }
      assertThat(Path.of(file.getKey() + ".before-parley")).content().isEqualTo(file.getValue());
    }
    for (String host : hosts) {
      assertThat(trial.run("setup", host, "--undo", "--yes").exitCode()).isZero();
    }
    for (Map.Entry<Path, String> file : before.entrySet()) {
      assertThat(file.getKey()).content().isEqualTo(file.getValue());
      assertThat(Path.of(file.getKey() + ".before-parley")).doesNotExist();
    }
    assertThat(repo.resolve(".opencode/plugins/parley.js")).doesNotExist();
  }

  @Test
  void aServerOfTheNameThatSomebodyElseWroteForCodexIsNotDoubled() throws IOException {
    Path config = temp.resolve("codex/config.toml");
    Files.createDirectories(config.getParent());
    for (String odd :
        new String[] {
          "[mcp_servers.parley]\ncommand = \"x\"\n",
          "mcp_servers.parley.command = \"x\"\n",
          "sandbox_workspace_write = { writable_roots = [] }\n"
        }) {
      Files.writeString(config, odd);
      assertThat(trial.run("setup", "codex", "--yes").err()).contains("Take them out");
      assertThat(config).content().isEqualTo(odd);
    }
  }

  @Test
  void printShowsEveryHostAndChangesNothing() {
    for (String host :
        new String[] {"claude", "codex", "gemini", "antigravity", "cursor", "opencode"}) {
      Trial.Answer answer = trial.run("setup", "--print", host);
      assertThat(answer.exitCode()).as(answer.err()).isZero();
      assertThat(answer.out()).contains("parley");
    }
    assertThat(Files.exists(repo.resolve(".mcp.json"))).isFalse();
    assertThat(Files.exists(repo.resolve("opencode.json"))).isFalse();
  }

  @Test
  void printNeedsNoBus() throws IOException {
    Path bare = Files.createDirectory(temp.resolve("bare")).toRealPath();
    for (String host :
        new String[] {"claude", "codex", "gemini", "antigravity", "cursor", "opencode"}) {
      Trial.Answer answer = new Trial(bare).run("setup", "--print", host);
      assertThat(answer.exitCode()).as(answer.err()).isZero();
    }
    assertThat(new Trial(bare).run("setup", "--print", "codex").out())
        .contains(bare.resolve(".parley").toString());
    assertThat(new Trial(bare).run("setup", "claude", "--yes").err()).contains("parley init");
    assertThat(bare).isEmptyDirectory();
  }

  private String write(String path) {
    return "{\"hook_event_name\":\"PreToolUse\",\"cwd\":\""
        + repo
        + "\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\""
        + repo.resolve(path)
        + "\",\"content\":\"x\"}}";
  }

  @Test
  void aHookCommandRefusesAHeldPathAndOtherwiseLetsTheAgentWorkOn() {
    assertThat(trial.run("lock", "a.txt", "--as", "bob").exitCode()).isZero();
    Trial.Answer denied = trial.input(write("a.txt")).run("hook", "claude", "--as", "alice");
    assertThat(denied.exitCode()).isZero();
    assertThat(denied.out())
        .contains("\"permissionDecision\":\"deny\"")
        .contains("bob holds a.txt");
    assertThat(trial.input(write("b.txt")).run("hook", "claude", "--as", "alice").out())
        .isEqualTo("{}\n");
    for (String odd : new String[] {"", "not json", "[]", "{\"hook_event_name\":3}", "\ufeff{}"}) {
      Trial.Answer answer = trial.input(odd).run("hook", "codex", "--as", "alice");
      assertThat(answer.exitCode()).as(odd).isZero();
      assertThat(answer.out()).as(odd).isEqualTo("{}\n");
    }
  }

  @Test
  void aSubAgentIsTheSameForEveryHookCommandUntilItEnds() {
    String sub = ",\"agent_id\":\"a8c0ffee12\"}";
    for (String path : new String[] {"a.txt", "a.txt", "b.txt"}) {
      String input = write(path).replaceFirst("}$", sub);
      assertThat(trial.input(input).run("hook", "claude", "--strict", "--as", "alice").out())
          .isEqualTo("{}\n");
    }
    assertThat(trial.run("locks").out()).contains("alice.a8c0ffee", "a.txt", "b.txt");
    assertThat(trial.input(write("a.txt")).run("hook", "claude", "--as", "alice").out())
        .contains("alice.a8c0ffee holds a.txt");
    String end = "{\"hook_event_name\":\"SubagentStop\"" + sub;
    assertThat(trial.input(end).run("hook", "claude", "--as", "alice").out()).isEqualTo("{}\n");
    assertThat(trial.run("locks").out()).contains("Nothing is locked");
    assertThat(trial.input(write("a.txt")).run("hook", "claude", "--as", "alice").out())
        .isEqualTo("{}\n");
  }

  @Test
  void aHookThatFailsLetsTheEditGoOnUnlessItIsStrict() throws IOException {
    Files.writeString(repo.resolve(".parley/bus.json"), "broken");
    assertThat(trial.input(write("a.txt")).run("hook", "claude", "--as", "alice").out())
        .isEqualTo("{}\n");
    assertThat(trial.input(write("a.txt")).run("hook", "claude", "--strict", "--as", "alice").out())
        .contains("\"permissionDecision\":\"deny\"");
  }

  @Test
  void theGuardRefusesStagedPathsOfOthersAndOfATokenThatHasEnded() throws Exception {
    String token =
        trial.run("lock", "a.txt", "--as", "bob", "--json").json().get("token").toString();
    Files.writeString(repo.resolve("a.txt"), "x");
    Files.writeString(repo.resolve("b.txt"), "x");
    git("add", "b.txt");
    assertThat(trial.run("guard", "pre-commit").exitCode()).isZero();
    git("add", "a.txt");
    Trial.Answer refused = trial.run("guard", "pre-commit", "--as", "alice");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("bob holds a.txt until").contains("you are alice");
    assertThat(trial.run("guard", "pre-commit").exitCode()).as("human").isEqualTo(3);
    assertThat(trial.run("guard", "pre-commit", "--as", "bob").exitCode()).isZero();

    trial.with("PARLEY_TOKEN", token);
    assertThat(trial.run("guard", "pre-commit", "--as", "bob").exitCode()).isZero();
    assertThat(trial.run("unlock", "a.txt", "--as", "bob").exitCode()).isZero();
    Trial.Answer stale = trial.run("guard", "pre-commit", "--as", "bob");
    assertThat(stale.exitCode()).isEqualTo(3);
    assertThat(stale.err()).contains("has ended, so this commit may overwrite");
  }

  @Test
  void theGuardKeepsHooksThatWereThereAndPutsThemBack() throws IOException {
    Path hook = repo.resolve(".git/hooks/pre-commit");
    Files.createDirectories(hook.getParent());
    Files.writeString(hook, "#!/bin/sh\nexit 0\n");
    assertThat(trial.run("guard", "install").out()).contains("chained");
    assertThat(Files.readString(hook)).contains("guard pre-commit");
    assertThat(trial.run("guard", "install").out()).contains("unchanged").doesNotContain("chained");
    assertThat(trial.run("guard", "install", "--undo").out()).contains("restored");
    assertThat(Files.readString(hook)).isEqualTo("#!/bin/sh\nexit 0\n");
    assertThat(Files.exists(repo.resolve(".git/hooks/pre-push"))).isFalse();
  }
}

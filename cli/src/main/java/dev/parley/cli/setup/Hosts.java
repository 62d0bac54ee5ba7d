package dev.parley.cli.setup;

import dev.parley.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The known hosts, one method for each. To add a host, add a method and its name. */
final class Hosts {
  private static final String SERVER = "parley";
  private static final String MCP = "mcpServers";
  private static final String WORKTREE_CREATE = "WorktreeCreate";
  private static final int DAY_SECONDS = 86_400;

  private final Path home;
  private final Path repository;
  private final Path tree;
  private final Map<String, String> environment;
  private final String program;
  private final Path bus;
  private final Path state;
  private final boolean strict;

  /**
   * The hosts as they are to be set up for a repository.
   *
   * @param repository the main checkout
   * @param tree the worktree to set up, perhaps the main checkout
   * @param program what starts Parley
   * @param bus the folder of the bus
   * @param state where this user's files about all buses are
   * @param strict whether an edit is to be refused when the guard fails
   */
  Hosts(
      Path home,
      Path repository,
      Path tree,
      Map<String, String> environment,
      String program,
      Path bus,
      Path state,
      boolean strict) {
    this.home = home;
    this.repository = repository;
    this.tree = tree;
    this.environment = environment;
    this.program = program;
    this.bus = bus;
    this.state = state;
    this.strict = strict;
  }

  List<HostSettings> all() {
    return List.of(claude(), codex(), gemini(), antigravity(), cursor(), openCode());
  }

  private boolean isOnPath(String name) {
    for (String folder : environment.getOrDefault("PATH", "").split(":", -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }

  private Json server(String host) {
    return Json.object().put("command", program).put("args", Json.ofStrings(args(host))).build();
  }

  private static List<String> args(String host) {
    return List.of("mcp", "--host", host);
  }

  private String hookCommand(String host) {
    return "'" + program.replace("'", "'\\''") + "' hook " + host;
  }

  // Claude Code

  private HostSettings claude() {
    Edit mcp =
        new Edit(
            tree.resolve(".mcp.json"),
            text ->
                JsonSettings.parse(text)
                    .put(
                        MCP,
                        SERVER,
                        Json.object()
                            .put("type", "stdio")
                            .put("command", program)
                            .put("args", Json.ofStrings(args("claude")))
                            .build())
                    .text(),
            text -> rest(JsonSettings.parse(text).without(MCP, SERVER)));
    Edit hooks =
        new Edit(
            tree.resolve(".claude/settings.json"),
            text -> {
              JsonSettings settings = JsonSettings.parse(text).withoutHooks();
              boolean isOthers = settings.hasHook(WORKTREE_CREATE);
              return worktreeHooks(claudeHooks(settings), isOthers).text();
            },
            text -> rest(JsonSettings.parse(text).withoutHooks()));
    return new HostSettings(
        "claude",
        "Claude Code",
        isOnPath("claude") || Files.isDirectory(home.resolve(".claude")),
        List.of(mcp, hooks),
        List.of(
            "Start claude here and approve the project's server \"parley\" when it asks.",
            "A worktree reads its own .claude/settings.json. Claude Code's own worktrees get it; for"
                + " others commit it, or run parley setup there.",
            strict
                ? "An edit is refused too when the guard can't be asked."
                : "When the guard can't be asked, an edit goes on; --strict refuses it."));
  }

  private JsonSettings claudeHooks(JsonSettings settings) {
    return settings
        .hook("SessionStart", group(null, claudeCommand(10), claudeWait()))
        .hook("UserPromptSubmit", group(null, claudeTool("UserPromptSubmit", "", "")))
        .hook(
            "PreToolUse",
            group(
                "Edit|Write|MultiEdit",
                strict
                    ? claudeStrict()
                    : claudeTool("PreToolUse", "edit", "${tool_input.file_path}")))
        .hook(
            "PreToolUse",
            group(
                "NotebookEdit",
                strict
                    ? claudeStrict()
                    : claudeTool("PreToolUse", "edit", "${tool_input.notebook_path}")))
        .hook("PostToolUse", group(null, claudeTool("PostToolUse", "", "")))
        .hook("Stop", group(null, claudeTool("Stop", "", ""), claudeWait()))
        .hook("SubagentStop", group(null, claudeTool("SubagentStop", "", "")))
        .hook("SessionEnd", group(null, claudeCommand(10)));
  }

  /** Worktrees are made by one hook alone: another tool's is left alone. */
  private JsonSettings worktreeHooks(JsonSettings settings, boolean isOthers) {
    return isOthers
        ? settings
        : settings
            .hook(WORKTREE_CREATE, group(null, claudeCommand(60)))
            .hook("WorktreeRemove", group(null, claudeCommand(60)));
  }

  private static Json group(@Nullable String matcher, Json... handlers) {
    Json.ObjectBuilder group = Json.object();
    if (matcher != null) {
      group.put("matcher", matcher);
    }
    return group.put("hooks", Json.of(List.of(handlers))).build();
  }

  private Json.ObjectBuilder claudeProgram(String... words) {
    return Json.object()
        .put("type", "command")
        .put("command", program)
        .put("args", Json.ofStrings(List.of(words)));
  }

  private Json claudeCommand(int seconds) {
    return claudeProgram("hook", "claude").put("timeout", seconds).build();
  }

  private Json claudeStrict() {
    return claudeProgram("hook", "claude", "--strict")
        .put("timeout", 10)
        .put("onFailure", "block")
        .build();
  }

  /** A hook that wakes an idle session when mail arrives. */
  private Json claudeWait() {
    return claudeProgram("hook", "claude", "wait")
        .put("asyncRewake", true)
        .put("timeout", DAY_SECONDS)
        .build();
  }

  private static Json claudeTool(String event, String tool, String path) {
    return tool(
        Json.object()
            .put("host", "claude")
            .put("event", event)
            .put("tool", tool)
            .put("path", path)
            .put("session", "${session_id}")
            .put("agent", "${agent_id}")
            .put("active", "${stop_hook_active}")
            .build());
  }

  private static Json tool(Json input) {
    return Json.object()
        .put("type", "mcp_tool")
        .put("server", SERVER)
        .put("tool", "hook")
        .put("input", input)
        .build();
  }

  // Codex

  private HostSettings codex() {
    Path folder =
        environment.containsKey("CODEX_HOME")
            ? Path.of(environment.get("CODEX_HOME"))
            : home.resolve(".codex");
    String tables =
        "[mcp_servers.parley]\n"
            + "command = "
            + TomlArray.quoted(program)
            + "\nargs = [\"mcp\", \"--host\", \"codex\"]\n"
            + "env_vars = [\"PARLEY_AGENT\", \"CODEX_HOME\", \"PARLEY_BUS\", \"PARLEY_STATE\"]\n"
            + "default_tools_approval_mode = \"approve\"\n";
    Edit config =
        new Edit(
            folder.resolve("config.toml"),
            text -> TomlBlock.with(text, tables, bus.toString(), state.toString()),
            text -> TomlBlock.without(text, bus.toString(), state.toString()));
    Edit hooks =
        new Edit(
            repository.resolve(".codex/hooks.json"),
            text -> codexHooks(JsonSettings.parse(text).withoutHooks()).text(),
            text -> rest(JsonSettings.parse(text).withoutHooks()));
    return new HostSettings(
        "codex",
        "Codex",
        isOnPath("codex") || Files.isDirectory(folder),
        List.of(config, hooks),
        List.of(
            "Start codex here once and choose to trust the hooks when it says \"Hooks need"
                + " review\": until then Codex ignores them without a word, and codex exec never"
                + " asks.",
            "All worktrees use the hooks of this checkout.",
            "Codex can't refuse an edit when a hook fails: only the git guard is sure"
                + " (parley guard install)."));
  }

  private JsonSettings codexHooks(JsonSettings settings) {
    Json command =
        Json.object().put("type", "command").put("command", hookCommand("codex")).build();
    return settings
        .hook("SessionStart", group(null, codexTool("SessionStart")))
        .hook("UserPromptSubmit", group(null, codexTool("UserPromptSubmit")))
        .hook(
            "PreToolUse",
            group(
                "apply_patch|Bash",
                tool(
                    Json.object()
                        .put("host", "codex")
                        .put("event", "PreToolUse")
                        .put("tool", "${tool_name}")
                        .put("command", "${tool_input.command}")
                        .put("cwd", "${cwd}")
                        .put("session", "${session_id}")
                        .build())))
        .hook("PostToolUse", group(null, codexTool("PostToolUse")))
        .hook("Stop", group(null, command))
        .hook("SessionEnd", group(null, command));
  }

  private static Json codexTool(String event) {
    return tool(
        Json.object()
            .put("host", "codex")
            .put("event", event)
            .put("session", "${session_id}")
            .build());
  }

  // Gemini CLI

  private HostSettings gemini() {
    Edit settings =
        new Edit(
            home.resolve(".gemini/settings.json"),
            text -> {
              JsonSettings all =
                  JsonSettings.parse(text).withoutHooks().put(MCP, SERVER, server("gemini"));
              for (String event :
                  List.of("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd")) {
                all.hook(event, group(null, geminiCommand()));
              }
              return all.hook("BeforeTool", group("write_file|replace", geminiCommand())).text();
            },
            text -> rest(JsonSettings.parse(text).withoutHooks().without(MCP, SERVER)));
    return new HostSettings(
        "gemini",
        "Gemini CLI",
        isOnPath("gemini") || Files.isDirectory(home.resolve(".gemini")),
        List.of(settings),
        List.of(
            "Trust this folder when gemini asks. The hooks do nothing where there is no bus.",
            "An idle gemini can't be woken: its mail waits for the next prompt."));
  }

  private Json geminiCommand() {
    return Json.object()
        .put("type", "command")
        .put("name", SERVER)
        .put("command", hookCommand("gemini"))
        .put("timeout", 10_000)
        .build();
  }

  // Antigravity

  /**
   * The server alone: the form of hooks has changed between versions, and some refuse every tool
   * after an answer that others take for a permission.
   */
  private HostSettings antigravity() {
    Edit settings =
        new Edit(
            home.resolve(".gemini/config/mcp_config.json"),
            text -> JsonSettings.parse(text).put(MCP, SERVER, server("antigravity")).text(),
            text -> rest(JsonSettings.parse(text).without(MCP, SERVER)));
    return new HostSettings(
        "antigravity",
        "Antigravity",
        isOnPath("agy") || Files.isDirectory(home.resolve(".gemini/antigravity-cli")),
        List.of(settings),
        List.of(
            "It gets the MCP server and no hooks: mail waits until it looks, and only the git guard"
                + " refuses what others hold (parley guard install). This was not tried with"
                + " Antigravity."));
  }

  // Cursor

  private HostSettings cursor() {
    Edit mcp =
        new Edit(
            tree.resolve(".cursor/mcp.json"),
            text -> JsonSettings.parse(text).put(MCP, SERVER, server("cursor")).text(),
            text -> rest(JsonSettings.parse(text).without(MCP, SERVER)));
    Edit hooks =
        new Edit(
            tree.resolve(".cursor/hooks.json"),
            text -> {
              JsonSettings all =
                  JsonSettings.parse(text).withoutHooks().putIfAbsent("version", Json.of(1));
              for (String event :
                  List.of("sessionStart", "preToolUse", "postToolUse", "stop", "sessionEnd")) {
                all.hook(
                    event,
                    Json.object().put("command", hookCommand("cursor") + " " + event).build());
              }
              return all.text();
            },
            text -> rest(JsonSettings.parse(text).withoutHooks()));
    return new HostSettings(
        "cursor",
        "Cursor",
        isOnPath("cursor") || Files.isDirectory(home.resolve(".cursor")),
        List.of(mcp, hooks),
        List.of(
            "Enable the server \"parley\" in Cursor's settings. This was not tried with Cursor."));
  }

  // OpenCode

  private HostSettings openCode() {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(args("opencode"));
    Json server =
        Json.object()
            .put("type", "local")
            .put("command", Json.ofStrings(command))
            .put("enabled", true)
            .build();
    Edit settings =
        new Edit(
            Files.exists(tree.resolve("opencode.jsonc"))
                ? tree.resolve("opencode.jsonc")
                : tree.resolve("opencode.json"),
            text -> JsonSettings.parse(text).put("mcp", SERVER, server).text(),
            text -> rest(JsonSettings.parse(text).without("mcp", SERVER)));
    Edit plugin =
        new Edit(
            tree.resolve(".opencode/plugins/parley.js"),
            _ -> OpenCodePlugin.text(program),
            _ -> "");
    return new HostSettings(
        "opencode",
        "OpenCode",
        isOnPath("opencode"),
        List.of(settings, plugin),
        List.of("Start opencode anew: it reads its plugins when it starts."));
  }

  private static String rest(JsonSettings settings) {
    return settings.isEmpty() ? "" : settings.text();
  }
}

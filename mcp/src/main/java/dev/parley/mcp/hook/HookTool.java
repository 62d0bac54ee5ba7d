package dev.parley.mcp.hook;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Tool;

/**
 * Answers the hooks of hosts that can call an MCP tool, so that no process is started. Hosts read a
 * decision only as JSON in the answer's first text, so every answer is a JSON object there. If the
 * rules fail, the object is empty and the agent continues.
 */
public final class HookTool {
  /** The tool's name. */
  public static final String NAME = "hook";

  private final HookRules rules;

  public HookTool(HookRules rules) {
    this.rules = rules;
  }

  /** The entry in the list of tools. */
  public Tool tool() {
    Json text = Json.object().put("type", "string").build();
    Json.ObjectBuilder properties = Json.object();
    for (String name :
        new String[] {
          "host", "event", "tool", "path", "command", "cwd", "session", "agent", "active"
        }) {
      properties.put(name, text);
    }
    return new Tool(
        NAME,
        "For hooks of the host, not for you.",
        Json.object().put("type", "object").put("properties", properties.build()).build(),
        false,
        this::answer);
  }

  private Reply answer(Call call) {
    Fields arguments = call.arguments();
    Host host = Host.find(arguments.text("host", ""));
    if (host == null) {
      return Reply.text("{}");
    }
    HookEvent event = HookEvent.of(host, arguments.text("event"), input(arguments));
    try {
      return Reply.text(rules.answer(event).write(event).toString());
    } catch (ParleyException e) {
      // The agent continues. Users who want a refusal instead have the host run our command.
      return Reply.text("{}");
    }
  }

  /** The input as the host would give it to a command. */
  private static Fields input(Fields arguments) {
    Json toolInput =
        Json.object()
            .put("file_path", arguments.text("path", ""))
            .put("command", arguments.text("command", ""))
            .build();
    return Fields.of(
        Json.object()
            .put("session_id", arguments.text("session", ""))
            .put("agent_id", arguments.text("agent", ""))
            .put("cwd", arguments.text("cwd", ""))
            .put("tool_name", arguments.text("tool", ""))
            .put("tool_input", toolInput)
            .put("stop_hook_active", arguments.text("active", ""))
            .build());
  }
}

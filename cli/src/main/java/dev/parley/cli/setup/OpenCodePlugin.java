package dev.parley.cli.setup;

import dev.parley.core.json.Json;

/** The OpenCode plugin that asks before an edit, and wakes sessions by a prompt. */
final class OpenCodePlugin {
  private OpenCodePlugin() {}

  /**
   * The plugin's source.
   *
   * @param program the command that starts Parley
   */
  static String text(String program) {
    return """
    // Made by parley setup. parley setup opencode --undo takes it away.
    import { spawn, spawnSync } from "node:child_process"

    const PARLEY = PROGRAM

    export const Parley = async ({ client, directory }) => {
      const waiting = new Set()

      // A process waits for mail; its notice is given to the idle session as a prompt.
      const wait = session => {
        if (waiting.has(session)) return
        waiting.add(session)
        const waiter = spawn(PARLEY, ["hook", "opencode", "wait"], {
          cwd: directory,
          stdio: ["pipe", "ignore", "pipe"],
        })
        let notice = ""
        waiter.stderr.on("data", data => { notice += data })
        waiter.on("error", () => waiting.delete(session))
        waiter.on("close", code => {
          waiting.delete(session)
          const parts = [{ type: "text", text: notice.trim() }]
          if (code === 2) client.session.promptAsync({ path: { id: session }, body: { parts } })
        })
        waiter.stdin.end(JSON.stringify({ session_id: session, cwd: directory }))
        process.on("exit", () => waiter.kill())
      }

      return {
        event: async ({ event }) => {
          if (event.type === "session.idle") wait(String(event.properties.sessionID))
        },
        "tool.execute.before": async (input, output) => {
          if (!["write", "edit", "patch", "apply_patch", "multiedit"].includes(input.tool)) return
          const told = spawnSync(PARLEY, ["hook", "opencode"], {
            encoding: "utf8",
            timeout: 10000,
            input: JSON.stringify({
              hook_event_name: "PreToolUse",
              session_id: String(input.sessionID),
              cwd: directory,
              tool_name: input.tool,
              tool_input: output.args,
            }),
          })
          let answer = {}
          try { answer = JSON.parse(told.stdout) } catch { return }
          if (answer.refusal) throw new Error(answer.refusal)
        },
      }
    }
    """
        .replace("PROGRAM", Json.of(program).toString());
  }
}

package dev.parley.cli.setup;

import dev.parley.core.json.Json;

/**
 * The OpenCode plugin that calls our hooks, and wakes sessions by a prompt.
 *
 * <p>{@code opencode run} ends as soon as its session is idle: a prompt would come too late there,
 * so at that point nothing is asked and nobody waits.
 */
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
    const EDITS = ["write", "edit", "patch", "apply_patch", "multiedit"]
    const ENDS_WHEN_IDLE = process.argv.slice(1, 4).includes("run")

    export const Parley = async ({ client, directory }) => {
      const started = new Set() // sessions that were told who they are
      const subAgents = new Set() // sessions that another one has begun
      const reminded = new Set() // sessions that go on only because of a reminder
      let last = "" // the session that mail is for
      let waiter

      const input = (event, session, more) => JSON.stringify({
        hook_event_name: event,
        session_id: session,
        agent_id: subAgents.has(session) ? session.slice(-8) : "",
        cwd: directory,
        ...more,
      })

      // Whatever goes wrong, the agent's work goes on.
      const hook = (event, session, more) => new Promise(resolve => {
        const call = spawn(PARLEY, ["hook", "opencode"], {
          cwd: directory,
          stdio: ["pipe", "pipe", "ignore"],
          timeout: 10000,
        })
        let answer = ""
        call.stdout.on("data", data => { answer += data })
        call.stdin.on("error", () => {})
        call.on("error", () => resolve({}))
        call.on("close", () => {
          try { resolve(JSON.parse(answer)) } catch { resolve({}) }
        })
        call.stdin.end(input(event, session, more))
      })

      const prompt = async (session, text) => {
        const parts = [{ type: "text", text }]
        const answer = await client.session.promptAsync({ path: { id: session }, body: { parts } })
        if (answer.error) throw new Error("refused")
      }

      // A process waits for mail and prints notices. It is told whether the session took them.
      const wait = () => {
        if (waiter) return
        const process = waiter = spawn(PARLEY, ["hook", "opencode", "wait"], {
          cwd: directory,
          stdio: ["pipe", "pipe", "ignore"],
        })
        let text = ""
        process.stdout.on("data", data => {
          const lines = (text + data).split("\\n")
          text = lines.pop()
          for (const line of lines) {
            prompt(last, line).then(() => "ok", () => "prompt-refused")
              .then(answer => process.stdin.write(answer + "\\n"))
          }
        })
        process.stdin.on("error", () => {})
        process.on("error", () => { waiter = undefined })
        process.on("close", () => { waiter = undefined })
      }

      const idle = async session => {
        if (subAgents.has(session)) {
          await hook("SubagentStop", session)
          return
        }
        if (ENDS_WHEN_IDLE) return
        last = session
        const { goOn } = await hook("Stop", session, { stop_hook_active: reminded.delete(session) })
        if (goOn) {
          reminded.add(session)
          await prompt(session, goOn).catch(() => reminded.delete(session))
        }
        wait()
      }

      let ended = false
      const end = () => {
        if (ended) return
        ended = true
        waiter?.kill()
        spawnSync(PARLEY, ["hook", "opencode"], {
          cwd: directory,
          timeout: 5000,
          input: input("SessionEnd", last),
        })
      }
      process.on("exit", end)

      return {
        dispose: async () => {
          process.off("exit", end)
          end()
        },
        event: async ({ event }) => {
          const of = event.properties
          if (event.type === "session.created" && of.info.parentID) subAgents.add(of.info.id)
          if (event.type === "session.idle") await idle(of.sessionID)
        },
        "chat.message": async (input, output) => {
          const session = input.sessionID
          const first = output.parts.at(-1)
          if (subAgents.has(session) || !first) return
          const event = started.has(session) ? "UserPromptSubmit" : "SessionStart"
          started.add(session)
          last = session
          const { context } = await hook(event, session)
          if (context) {
            const { messageID } = first
            const id = first.id + "0" // after it
            output.parts.push(
              { id, sessionID: session, messageID, type: "text", text: context, synthetic: true })
          }
        },
        "tool.execute.before": async (input, output) => {
          if (!EDITS.includes(input.tool)) return
          const more = { tool_name: input.tool, tool_input: output.args }
          const { refusal } = await hook("PreToolUse", input.sessionID, more)
          if (refusal) throw new Error(refusal)
        },
        "tool.execute.after": async (input, output) => {
          const { context } = await hook("PostToolUse", input.sessionID, { tool_name: input.tool })
          if (!context) return
          if (Array.isArray(output.content)) output.content.push({ type: "text", text: context })
          else output.output += "\\n\\n" + context
        },
      }
    }
    """
        .replace("PROGRAM", Json.of(program).toString());
  }
}

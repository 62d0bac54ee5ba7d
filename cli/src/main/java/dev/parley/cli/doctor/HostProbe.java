package dev.parley.cli.doctor;

import dev.parley.cli.command.Invocation;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.mcp.hook.Host;
import dev.parley.session.Caller;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Calls Parley as a host does: through its MCP server and its hook command. */
final class HostProbe {
  private static final int PATIENCE_SECONDS = 30;

  private final Invocation invocation;
  private final String session;
  private final Host host;
  private final String program;

  /**
   * @param session the token of the session that the calls are made for
   */
  HostProbe(Invocation invocation, String session, Host host) {
    this.invocation = invocation;
    this.session = session;
    this.host = host;
    String home = System.getProperty("parley.home");
    this.program = home == null ? "parley" : Path.of(home, "parley").toString();
  }

  record Answer(boolean works, String message) {}

  /** The command that the host starts. */
  String command() {
    return program + " mcp --host " + host.word();
  }

  /** Calls a read-only tool. */
  Answer tool() throws IOException, InterruptedException {
    long began = System.nanoTime();
    String answer = call("who", Json.EMPTY_OBJECT);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    return answer.contains("\"you\"")
        ? new Answer(true, "the server answered after " + millis + " ms, its start included")
        : new Answer(false, answer.isEmpty() ? "the server does not answer" : answer);
  }

  /**
   * Asks whether a path leased by another agent may be edited.
   *
   * @param isStrict whether the host was set up to refuse what can't be checked
   */
  Answer edit(String path, String holder, boolean isStrict)
      throws IOException, InterruptedException {
    boolean isTool = host == Host.CODEX || (host == Host.CLAUDE && !isStrict);
    String answer = isTool ? byTool(path) : byCommand(path, isStrict);
    boolean isRefused = answer.contains(holder + " holds " + path);
    String way = isTool ? "through the MCP server" : "by a command";
    return isRefused
        ? new Answer(
            true,
            "an edit of what somebody else holds is refused, " + way + "; " + failing(isStrict))
        : new Answer(false, "an edit of what somebody else holds goes on, " + way);
  }

  /** What the host does if the hook fails. */
  private String failing(boolean isStrict) {
    if (isStrict) {
      return "if that fails, it is refused too";
    }
    return host == Host.CLAUDE
        ? "if that fails, it goes on (parley setup claude --strict refuses it)"
        : "if that fails, it goes on: "
            + host.word()
            + " has no way to refuse it then, only the git guard has";
  }

  private String byTool(String path) throws IOException, InterruptedException {
    return call(
        "hook",
        Json.object()
            .put("host", host.word())
            .put("event", "PreToolUse")
            .put("tool", host == Host.CODEX ? "apply_patch" : "edit")
            .put("path", file(path))
            .put("command", "*** Begin Patch\n*** Add File: " + path + "\n*** End Patch\n")
            .put("cwd", invocation.shell().folder().toString())
            .build());
  }

  private String byCommand(String path, boolean isStrict) throws IOException, InterruptedException {
    Json input =
        Json.object()
            .put("session_id", "doctor")
            .put("hook_event_name", host == Host.GEMINI ? "BeforeTool" : "PreToolUse")
            .put("cwd", invocation.shell().folder().toString())
            .put("tool_name", host == Host.GEMINI ? "write_file" : "write")
            .put("tool_input", Json.object().put("file_path", file(path)).build())
            .build();
    List<String> words = new ArrayList<>(List.of("hook", host.word()));
    if (isStrict) {
      words.add("--strict");
    }
    Process process = start(words);
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.toString().getBytes(StandardCharsets.UTF_8));
    }
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    end(process);
    return answer;
  }

  private String file(String path) {
    return invocation.shell().folder().resolve(path).toString();
  }

  private String call(String tool, Json arguments) throws IOException, InterruptedException {
    Process process =
        start(List.of("mcp")); // without a host name, so it reports nothing about waking
    try (OutputStream in = process.getOutputStream();
        BufferedReader out =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      Json begin =
          Json.object()
              .put("protocolVersion", "2025-06-18")
              .put("capabilities", Json.EMPTY_OBJECT)
              .put("clientInfo", Json.object().put("name", "doctor").put("version", "1").build())
              .build();
      send(in, 1, "initialize", begin);
      String _ = out.readLine();
      send(
          in, 2, "tools/call", Json.object().put("name", tool).put("arguments", arguments).build());
      String answer = out.readLine();
      return answer == null ? "" : text(answer);
    } finally {
      end(process);
    }
  }

  private static void send(OutputStream in, int id, String method, Json params) throws IOException {
    Json request =
        Json.object()
            .put("jsonrpc", "2.0")
            .put("id", id)
            .put("method", method)
            .put("params", params)
            .build();
    in.write((request + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** The first text of an answer; the whole answer if it has none. */
  private static String text(String answer) {
    try {
      Json result = Json.parse(answer).fields().get("result");
      Json content = result == null ? null : result.fields().get("content");
      Json first = content == null || content.items().isEmpty() ? null : content.items().getFirst();
      Json text = first == null ? null : first.fields().get("text");
      String said = text == null ? null : text.text();
      return said == null ? answer : said;
    } catch (JsonException e) {
      return answer;
    }
  }

  private Process start(List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(invocation.shell().folder().toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put(Caller.SESSION, session);
    builder.environment().remove(Caller.AGENT);
    Process process = builder.start();
    // A server that hangs is killed, and then counts as silent.
    Thread.ofVirtual()
        .start(() -> {
          try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
              process.destroyForcibly();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return process;
  }

  private static void end(Process process) throws InterruptedException {
    if (!process.waitFor(2, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}

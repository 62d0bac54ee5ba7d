package dev.parley.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.work.LockRequest;
import dev.parley.core.json.Json;
import dev.parley.mcp.hook.HookRoute;
import dev.parley.mcp.hook.HookRules;
import dev.parley.mcp.hook.JoinedSubAgents;
import dev.parley.mcp.protocol.Engine;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.tools.AgentOffer;
import dev.parley.mcp.tools.AgentSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LocalServerTest {
  private static final String WHO =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"who\","
          + "\"arguments\":{}}}";

  private static final AgentLimits LIMITS = new AgentLimits(20, 3, 100_000, 2);

  @TempDir Path folder;
  private final Access access = new Access("secret".getBytes(StandardCharsets.UTF_8));
  private final HttpClient client = HttpClient.newHttpClient();
  private Parley parley;
  private LocalServer server;

  @BeforeEach
  void begin() throws IOException {
    parley = Parley.create(folder.resolve(".parley"));
    Map<String, AgentContext> contexts = new ConcurrentHashMap<>();
    server =
        LocalServer.start(
            new LocalServer.Settings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new HostCheck(List.of()),
                access,
                LIMITS),
            Map.of(
                "/mcp",
                new McpEndpoint(
                    name ->
                        new Engine(
                            new AgentOffer(
                                contexts.computeIfAbsent(name, this::context), "1", List.of())),
                    LIMITS),
                "/hook",
                new HookRoute(name -> {
                  AgentContext context = contexts.computeIfAbsent(name, this::context);
                  return new HookRules(context, new JoinedSubAgents(context));
                })));
  }

  private AgentContext context(String name) {
    Path bus = folder.resolve(".parley");
    return new AgentContext(
        parley, new AgentSource(() -> parley.join(name)), WorkingTree.of(folder, bus), bus);
  }

  @AfterEach
  void end() {
    server.close();
    parley.close();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream");
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder as(String agent, HttpRequest.Builder request) {
    return request.header("Authorization", "Bearer " + access.token(agent));
  }

  private static HttpRequest.BodyPublisher body(String text) {
    return HttpRequest.BodyPublishers.ofString(text);
  }

  private static final String INITIALIZE =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
          + "\"2025-11-25\",\"capabilities\":{}}}";

  private String session(String agent) throws Exception {
    HttpResponse<String> response = send(as(agent, to("/mcp")).POST(body(INITIALIZE)));
    assertThat(response.statusCode()).isEqualTo(200);
    return response.headers().firstValue("Mcp-Session-Id").orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/mcp",
        "/mcp/x",
        "/hook/claude",
        "/hook/claude/Stop",
        "/nothing",
        "/mcp?token=x"
      })
  void everyRouteIsRefusedWithoutATokenWhateverTheMethod(String path) throws Exception {
    for (String method : List.of("GET", "POST", "DELETE", "PUT", "OPTIONS")) {
      HttpResponse<String> none = send(to(path).method(method, body("{}")));
      assertThat(none.statusCode()).as(method).isEqualTo(401);
      HttpResponse<String> wrong =
          send(to(path).header("Authorization", "Bearer alice:x").method(method, body("{}")));
      assertThat(wrong.statusCode()).as(method).isEqualTo(401);
    }
  }

  @Test
  void theSenderIsWhomTheTokenSaysWhateverTheCallSays() throws Exception {
    var _ = session("bob");
    String alice = session("alice");
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"who\","
            + "\"arguments\":{\"sender\":\"bob\",\"as\":\"bob\"}}}";
    HttpResponse<String> who =
        send(as("alice", to("/mcp")).header("Mcp-Session-Id", alice).POST(body(call)));
    assertThat(who.body()).contains("\\\"you\\\":\\\"alice\\\"");
    parley.join("carol");
    String message =
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"send\","
            + "\"arguments\":{\"to\":\"carol\",\"body\":\"hi\",\"from\":\"bob\"}}}";
    assertThat(
            send(as("alice", to("/mcp")).header("Mcp-Session-Id", alice).POST(body(message)))
                .body())
        .contains("stored");
    assertThat(parley.members()).anyMatch(member -> member.name().equals("alice"));
  }

  @Test
  void aSessionOfOneAgentIsNoneOfAnothers() throws Exception {
    String alice = session("alice");
    HttpResponse<String> stolen =
        send(as("bob", to("/mcp")).header("Mcp-Session-Id", alice).POST(body(WHO)));
    assertThat(stolen.statusCode()).isEqualTo(404);
    assertThat(send(as("bob", to("/mcp")).header("Mcp-Session-Id", alice).DELETE()).statusCode())
        .isEqualTo(404);
    assertThat(send(as("alice", to("/mcp")).header("Mcp-Session-Id", alice).DELETE()).statusCode())
        .isEqualTo(204);
    assertThat(
            send(as("alice", to("/mcp")).header("Mcp-Session-Id", alice).POST(body(WHO)))
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void aRequestOfTheStatelessEraNeedsNoSession() throws Exception {
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"who\","
            + "\"arguments\":{},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    HttpResponse<String> who =
        send(
            as("alice", to("/mcp"))
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", "who")
                .POST(body(call)));
    assertThat(who.statusCode()).isEqualTo(200);
    assertThat(who.body()).contains("\\\"you\\\":\\\"alice\\\"").contains("\"complete\"");
  }

  @Test
  void whatIsTooLongOrTooFrequentIsRefused() throws Exception {
    HttpResponse<String> tooLong =
        send(as("alice", to("/mcp")).POST(body("\"" + "x".repeat(100_001) + "\"")));
    assertThat(tooLong.statusCode()).isEqualTo(413);
    int refused = 0;
    for (int i = 0; i < 2_000 && refused == 0; i++) {
      refused += send(as("alice", to("/nothing")).GET()).statusCode() == 429 ? 1 : 0;
    }
    assertThat(refused).isEqualTo(1);
    assertThat(send(as("bob", to("/nothing")).GET()).statusCode()).isEqualTo(404);
  }

  @Test
  void anAgentWithTooManyUnansweredRequestsIsRefusedAndOthersAreNot() throws Exception {
    String alice = session("alice");
    List<HttpResponse<InputStream>> streams = new ArrayList<>();
    for (int i = 0; i < LIMITS.open(); i++) {
      HttpRequest listen = as("alice", to("/mcp")).header("Mcp-Session-Id", alice).GET().build();
      streams.add(client.send(listen, HttpResponse.BodyHandlers.ofInputStream()));
      assertThat(streams.getLast().statusCode()).isEqualTo(200);
    }
    HttpResponse<String> refused = send(as("alice", to("/nothing")).GET());
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("too-many-open", "--max-open");
    assertThat(send(as("bob", to("/nothing")).GET()).statusCode()).isEqualTo(404);
    for (HttpResponse<InputStream> stream : streams) {
      stream.body().close();
    }
  }

  @Test
  void aClientTooManyTakesThePlaceOfTheSameAgentsOldestOnly() throws Exception {
    String bob = session("bob");
    List<String> alices = new ArrayList<>();
    for (int i = 0; i <= LIMITS.clients(); i++) {
      alices.add(session("alice"));
    }
    for (String id : alices) {
      HttpResponse<String> who =
          send(as("alice", to("/mcp")).header("Mcp-Session-Id", id).POST(body(WHO)));
      assertThat(who.statusCode()).isEqualTo(id.equals(alices.getFirst()) ? 404 : 200);
    }
    assertThat(
            send(as("bob", to("/mcp")).header("Mcp-Session-Id", bob).POST(body(WHO))).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aHookThatIsPostedIsAnsweredForTheTokensAgent() throws Exception {
    var _ = parley.join("bob").lock(LockRequest.of("a.txt").in("", true));
    String input =
        Json.object()
            .put("hook_event_name", "PreToolUse")
            .put("cwd", folder.toRealPath().toString())
            .put("tool_name", "Write")
            .put("tool_input", Json.object().put("file_path", "a.txt").build())
            .build()
            .toString();
    HttpResponse<String> response = send(as("alice", to("/hook/claude")).POST(body(input)));
    Fields output = Fields.of(Json.parse(response.body())).object("hookSpecificOutput");
    assertThat(output.text("permissionDecision")).isEqualTo("deny");
    assertThat(output.text("permissionDecisionReason")).contains("bob holds a.txt");
    for (String odd : List.of("", "x", "[]", "{\"hook_event_name\":1}")) {
      HttpResponse<String> answer = send(as("alice", to("/hook/claude")).POST(body(odd)));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("{}");
    }
  }
}

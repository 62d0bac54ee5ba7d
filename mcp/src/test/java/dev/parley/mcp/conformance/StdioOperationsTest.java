package dev.parley.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.mcp.stdio.StdioTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The operations of the conformance suite, over the streams of a process. */
@Timeout(30)
class StdioOperationsTest {
  private static final String META =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          + "\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{},\"elicitation\":{}}}";

  private OutputStream toServer;
  private BufferedReader answers;
  private Thread server;

  @BeforeEach
  void start() throws IOException {
    Pipe requests = Pipe.open();
    Pipe responses = Pipe.open();
    toServer = Channels.newOutputStream(requests.sink());
    InputStream in = Channels.newInputStream(requests.source());
    OutputStream out = Channels.newOutputStream(responses.sink());
    answers =
        new BufferedReader(
            new InputStreamReader(
                Channels.newInputStream(responses.source()), StandardCharsets.UTF_8));
    server =
        Thread.ofPlatform()
            .start(() -> {
              try {
                new StdioTransport(Fixture.engine(), in, out).serve();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    toServer.close();
    server.join();
  }

  private void send(String message) throws IOException {
    toServer.write((message + "\n").getBytes(StandardCharsets.UTF_8));
    toServer.flush();
  }

  private Fields next() throws IOException {
    return Fields.of(Json.parse(answers.readLine()));
  }

  /** The answer to a request of the stateless era, and the notifications before it. */
  private List<Fields> ask(String method, String params) throws IOException {
    String fields = params.isEmpty() ? META : params + "," + META;
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":{" + fields + "}}");
    List<Fields> messages = new ArrayList<>();
    do {
      messages.add(next());
    } while (messages.getLast().json("id") == null);
    return messages;
  }

  static Stream<List<String>> operations() {
    return Stream.of(
        List.of("server/discover", "", "supportedVersions"),
        List.of("tools/list", "", "test_simple_text"),
        List.of("tools/call", "\"name\":\"test_simple_text\"", "simple text response"),
        List.of("tools/call", "\"name\":\"test_image_content\"", "image/png"),
        List.of("tools/call", "\"name\":\"test_audio_content\"", "audio/wav"),
        List.of("tools/call", "\"name\":\"test_embedded_resource\"", "embedded-resource"),
        List.of("tools/call", "\"name\":\"test_multiple_content_types\"", "mixed-content"),
        List.of("tools/call", "\"name\":\"test_error_handling\"", "\"isError\":true"),
        List.of("resources/list", "", "test://static-text"),
        List.of("resources/templates/list", "", "test://template/{id}/data"),
        List.of("resources/read", "\"uri\":\"test://static-text\"", "static text resource"),
        List.of("resources/read", "\"uri\":\"test://static-binary\"", "blob"),
        List.of("resources/read", "\"uri\":\"test://template/123/data\"", "Data for ID: 123"),
        List.of("resources/read", "\"uri\":\"test://none\"", "-32602"),
        List.of("prompts/list", "", "test_simple_prompt"),
        List.of("prompts/get", "\"name\":\"test_simple_prompt\"", "simple prompt for testing"),
        List.of(
            "prompts/get",
            "\"name\":\"test_prompt_with_arguments\",\"arguments\":{\"arg1\":\"a\",\"arg2\":\"b\"}",
            "arg1='a', arg2='b'"),
        List.of("prompts/get", "\"name\":\"test_prompt_with_image\"", "image/png"),
        List.of("completion/complete", "\"argument\":{\"name\":\"arg1\"}", "paris"),
        List.of(
            "tools/call", "\"name\":\"test_input_required_result_elicitation\"", "input_required"),
        List.of(
            "tools/call",
            "\"name\":\"test_input_required_result_elicitation\",\"inputResponses\":"
                + "{\"user_name\":{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}}",
            "Hello, Ann!"),
        List.of("unknown/method", "", "-32601"),
        List.of("ping", "", "-32601"));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyOperationIsAnswered(List<String> operation) throws IOException {
    Fields answer = ask(operation.get(0), operation.get(1)).getLast();
    assertThat(answer.values().toString()).contains(operation.get(2));
  }

  @Test
  void progressComesBeforeTheAnswer() throws IOException {
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":"
            + "\"test_tool_with_progress\","
            + META.replace("\"_meta\":{", "\"_meta\":{\"progressToken\":\"p\",")
            + "}}");
    for (long progress : new long[] {0, 50, 100}) {
      assertThat(next().object("params").number("progress", -1)).isEqualTo(progress);
    }
    assertThat(next().object("result").text("resultType")).isEqualTo("complete");
  }

  @Test
  void aClientOfTheHandshakeEraIsAskedWhileItsRequestWaits() throws IOException {
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
            + "\"2025-06-18\",\"capabilities\":{\"sampling\":{}}}}");
    assertThat(next().object("result").text("protocolVersion")).isEqualTo("2025-06-18");
    send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    assertThat(next().object("result").values()).isEmpty();
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":"
            + "\"test_sampling\",\"arguments\":{\"prompt\":\"hi\"}}}");
    Fields question = next();
    assertThat(question.text("method")).isEqualTo("sampling/createMessage");
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + question.json("id")
            + ",\"result\":{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"ho\"}}}");
    assertThat(next().values().toString()).contains("LLM response: ho");
  }

  @Test
  void aSubscriptionIsToldOfChangesAndEndsWhenItIsCancelled() throws IOException {
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"subscriptions/listen\",\"params\":"
            + "{\"notifications\":{\"toolsListChanged\":true},"
            + META
            + "}}");
    assertThat(next().text("method")).isEqualTo("notifications/subscriptions/acknowledged");
    List<Fields> messages = ask("tools/call", "\"name\":\"test_trigger_tool_change\"");
    assertThat(messages.getFirst().text("method")).isEqualTo("notifications/tools/list_changed");
    send(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}");
    messages = ask("tools/call", "\"name\":\"test_trigger_tool_change\"");
    assertThat(messages).allMatch(message -> !"9".equals(String.valueOf(message.json("id"))));
  }

  @Test
  void whatIsNoMessageIsAnsweredWithAnErrorAndHarmsNothing() throws IOException {
    send("not json");
    assertThat(next().object("error").number("code", 0)).isEqualTo(-32700);
    send("[1]");
    assertThat(next().object("error").number("code", 0)).isEqualTo(-32600);
    send("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}");
    assertThat(next().object("error").number("code", 0)).isEqualTo(-32600);
    send("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}");
    assertThat(next().object("error").number("code", 0)).isEqualTo(-32600);
    assertThat(ask("tools/list", "").getLast().object("result").text("resultType"))
        .isEqualTo("complete");
  }
}

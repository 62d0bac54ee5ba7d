package dev.parley.orchestration.ask;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.core.json.Json;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.ask.Answer.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Model APIs, played by a real HTTP server that behaves well and badly. */
class ApiCallTest {
  private static final String KEY = "marked-key-0815";
  private static final String HELLO =
      """
      {"content":[{"type":"text","text":"hello"}],"usage":{"input_tokens":3,"output_tokens":4}}\
      """;

  @TempDir private Path folder;
  private Workshop workshop;
  private HttpServer server;
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  /** What the server does with the n-th request, counted from 1. */
  private interface Script {
    void answer(int count, HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void open() {
    workshop = new Workshop(folder).with("A_KEY", KEY);
  }

  @AfterEach
  void close() {
    workshop.close();
    server.stop(0);
  }

  private Answer ask(CallMethod.Provider provider, Duration timeout, Script script)
      throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          requests.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().entrySet()
                  + " "
                  + body);
          script.answer(requests.size(), exchange);
          exchange.close();
        });
    server.start();
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    CallMethod way = new CallMethod.Api(provider, "some-model", base, 100);
    workshop.agent(new AgentDefinition("bob", way, List.of("A_KEY"), null, "", Map.of(), "test"));
    try (Run run = Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, RunLimits.DEFAULT)) {
      return run.ask(new Ask("bob", "x", "How are you?", folder, Map.of(), timeout));
    }
  }

  private Answer ask(Script script) throws Exception {
    return ask(CallMethod.Provider.ANTHROPIC, Duration.ofSeconds(20), script);
  }

  private static void send(HttpExchange exchange, int code, String body) throws IOException {
    exchange.sendResponseHeaders(code, 0); // in chunks, of a length that is not said
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body.getBytes(UTF_8));
    }
  }

  @Test
  void eachProtocolIsSpoken() throws Exception {
    Answer answer = ask((count, exchange) -> send(exchange, 200, HELLO));
    assertThat(answer.text()).isEqualTo("hello");
    assertThat(answer.usage()).isEqualTo(new Usage(3, 4, -1));
    assertThat(requests.getFirst())
        .startsWith("/v1/messages ")
        .containsIgnoringCase("x-api-key=[" + KEY)
        .contains("\"max_tokens\":100", "How are you?");
    server.stop(0);

    answer =
        ask(
            CallMethod.Provider.OPENAI,
            Duration.ofSeconds(20),
            (count, exchange) ->
                send(
                    exchange,
                    200,
                    "{\"choices\":[{\"message\":{\"content\":\"hi\"}}],\"usage\":{\"prompt_tokens\":1}}"));
    assertThat(answer.text()).isEqualTo("hi");
    assertThat(requests.get(1))
        .startsWith("/v1/chat/completions ")
        .contains("Bearer " + KEY, "\"max_tokens\":100");
    server.stop(0);

    answer =
        ask(
            CallMethod.Provider.GEMINI,
            Duration.ofSeconds(20),
            (count, exchange) ->
                send(
                    exchange,
                    200,
                    "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"},{\"text\":\"b\"}]}}]}"));
    assertThat(answer.text()).isEqualTo("ab");
    // The key is no part of the address, which proxies log.
    assertThat(requests.get(2)).startsWith("/v1beta/models/some-model:generateContent [");
  }

  @Test
  void whatMayPassIsTriedAgainAfterTheServersOwnDelayAndCounted() throws Exception {
    long start = System.nanoTime();
    Answer answer =
        ask((count, exchange) -> {
          switch (count) {
            case 1 -> {
              exchange.getResponseHeaders().set("retry-after", "1.2");
              send(exchange, 429, "{\"error\":{\"message\":\"slow down\"}}");
            }
            case 2 -> send(exchange, 500, "oops");
            case 3 -> {
              exchange.sendResponseHeaders(200, 1000); // cut: fewer bytes than were promised
              exchange.getResponseBody().write("{".getBytes(UTF_8));
              exchange.getResponseBody().flush();
              throw new IOException("cut");
            }
            default -> send(exchange, 200, HELLO);
          }
        });

    assertThat(answer.status()).isEqualTo(Status.ANSWERED);
    assertThat(answer.attempts()).isEqualTo(4);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1200));
  }

  @Test
  void whatWillNotPassIsTriedOnce() throws Exception {
    Answer refused =
        ask((count, exchange) ->
            send(exchange, 401, "{\"error\":{\"message\":\"bad key " + KEY + "\"}}"));
    assertThat(refused.status()).isEqualTo(Status.FAILED);
    assertThat(refused.error()).isEqualTo("HTTP 401: bad key [key removed]");
    assertThat(refused.attempts()).isEqualTo(1);
    server.stop(0);

    Answer garbage = ask((count, exchange) -> send(exchange, 200, "<html>"));
    assertThat(garbage.error()).contains("not JSON");
    server.stop(0);

    Answer redirected =
        ask((count, exchange) -> {
          exchange.getResponseHeaders().set("location", "http://127.0.0.1:1/");
          send(exchange, 302, "");
        });
    assertThat(redirected.error()).isEqualTo("HTTP 302");
  }

  @Test
  void aServerThatNeverBeginsToAnswerIsATimeOutToo() throws Exception {
    Answer answer =
        ask(
            CallMethod.Provider.OPENAI,
            Duration.ofMillis(700),
            (count, exchange) -> {
              try {
                Thread.sleep(5_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });

    assertThat(answer.status()).isEqualTo(Status.TIMED_OUT);
    assertThat(answer.attempts()).isEqualTo(1);
  }

  /** The client's own message for such a header repeats the header. */
  @Test
  void aKeyThatCanNotBeSentIsNotPrinted() throws Exception {
    workshop.with("A_KEY", KEY + "\r\n");
    assertThat(ask((count, exchange) -> send(exchange, 200, HELLO)).text()).isEqualTo("hello");
    assertThat(requests.getFirst()).containsIgnoringCase("x-api-key=[" + KEY + "]");
    server.stop(0);

    workshop.with("A_KEY", KEY + "\nx");
    Answer answer = ask((count, exchange) -> send(exchange, 200, HELLO));

    assertThat(answer.status()).isEqualTo(Status.FAILED);
    assertThat(answer.error()).startsWith("the key has characters").doesNotContain(KEY);
  }

  @Test
  void anAnswerThatRanOutOfTokensIsMarked() throws Exception {
    Answer answer =
        ask((count, exchange) ->
            send(
                exchange,
                200,
                "{\"content\":[{\"type\":\"text\",\"text\":\"ha\"}],\"stop_reason\":\"max_tokens\"}"));

    assertThat(answer.text()).isEqualTo("ha");
    assertThat(answer.cut()).isTrue();
  }

  @Test
  void aServerThatDoesNotAnswerIsATimeOutAndTheKeyStandsNowhere() throws Exception {
    Answer answer =
        ask(
            CallMethod.Provider.ANTHROPIC,
            Duration.ofMillis(700),
            (count, exchange) -> {
              exchange.sendResponseHeaders(200, 0);
              exchange.getResponseBody().write("{\"content\":".getBytes(UTF_8));
              exchange.getResponseBody().flush();
              try {
                Thread.sleep(5_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });

    assertThat(answer.status()).isEqualTo(Status.TIMED_OUT);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, ISO_8859_1)).as("%s", file).doesNotContain(KEY);
      }
    }
  }
}

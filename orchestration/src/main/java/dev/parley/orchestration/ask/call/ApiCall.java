package dev.parley.orchestration.ask.call;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.agent.Presets;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model behind an API. Only failures that may pass are retried: no connection, a truncated
 * response, 429 (after the server's own delay) and 5xx.
 *
 * <p>The key goes into a header and nowhere else. Redirects are not followed, because they would
 * send it to another host.
 */
final class ApiCall {
  private static final int MOST_ATTEMPTS = 4;
  private static final int LOOK_MILLIS = 50;
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final int SHOWN_ERROR = 300;

  private final PreparedAsk call;
  private final CallMethod.Api api;
  private final long start = System.nanoTime();
  private int attempts;

  private ApiCall(PreparedAsk call, CallMethod.Api api) {
    this.call = call;
    this.api = api;
  }

  static Answer make(PreparedAsk call, CallMethod.Api api) throws InterruptedException {
    return new ApiCall(call, api).run();
  }

  /**
   * The result of one attempt.
   *
   * @param again whether the failure may pass; then the pause before the next attempt
   */
  private record Attempt(
      Answer.Status status,
      String text,
      String error,
      Usage usage,
      boolean cut,
      @Nullable Duration again) {
    static Attempt failed(String error) {
      return new Attempt(Answer.Status.FAILED, "", error, Usage.UNKNOWN, false, null);
    }

    Attempt again(Duration pause) {
      return new Attempt(status, text, error, usage, cut, pause);
    }
  }

  private Answer run() throws InterruptedException {
    if (!call.agent().keys().isEmpty() && call.keys().isEmpty()) {
      return call.failed(
          "there is no key: " + String.join(" or ", call.agent().keys()) + " is not set");
    }
    if (!key().chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      // Checked here, because the client's own message would repeat the key.
      return call.failed("the key has characters that no key has, such as a blank or a line break");
    }
    Attempt attempt = Attempt.failed("nothing was tried");
    try (HttpClient http =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build()) {
      Duration pause = FIRST_PAUSE;
      boolean over = false;
      while (!over) {
        attempts++;
        attempt = attempt(http, pause);
        Duration again = attempt.again;
        over = again == null || attempts == MOST_ATTEMPTS || !rested(again);
        pause = pause.multipliedBy(2);
      }
      http.shutdownNow();
    }
    return answer(attempt);
  }

  private Answer answer(Attempt attempt) {
    String text = call.secrets().removedFrom(attempt.text);
    String error = call.secrets().removedFrom(attempt.error);
    call.transcript().printed(text, error);
    return new Answer(
        call.agent().name(),
        call.stopped().getAsBoolean() ? Answer.Status.STOPPED : attempt.status,
        text,
        error,
        0,
        Duration.ofNanos(System.nanoTime() - start),
        attempt.usage,
        attempts,
        attempt.cut);
  }

  private Duration left() {
    return call.timeout().minusNanos(System.nanoTime() - start);
  }

  /** Waits before the next attempt; false if no time is left for one. */
  private boolean rested(Duration pause) throws InterruptedException {
    if (pause.compareTo(left()) >= 0) {
      return false;
    }
    long until = System.nanoTime() + pause.toNanos();
    while (System.nanoTime() - until < 0) {
      if (call.stopped().getAsBoolean()) {
        return false;
      }
      Thread.sleep(Math.min(LOOK_MILLIS, Math.max(1, pause.toMillis())));
    }
    return true;
  }

  private Attempt attempt(HttpClient http, Duration pause) throws InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> future =
        http.sendAsync(request(), info -> new Limited(call.maxOutput() * 2L + (1 << 16)));
    try {
      while (true) {
        if (call.stopped().getAsBoolean()) {
          return Attempt.failed("the run was stopped");
        }
        if (left().isNegative() || left().isZero()) {
          return new Attempt(
              Answer.Status.TIMED_OUT,
              "",
              "no answer within " + call.timeout().toMillis() / 1000.0 + " s",
              Usage.UNKNOWN,
              false,
              null);
        }
        try {
          return read(future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS), pause);
        } catch (TimeoutException e) {
          // Not stopped: keep waiting.
        }
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return cause instanceof IOException
          ? Attempt.failed("the connection failed: " + reason(cause)).again(pause)
          : Attempt.failed("the call failed: " + reason(cause));
    } finally {
      future.cancel(true);
    }
  }

  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private String key() {
    return call.keys().isEmpty() ? "" : call.keys().values().iterator().next();
  }

  private HttpRequest request() {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address())
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body().toString()));
    if (key().isEmpty()) {
      return request.build();
    }
    switch (api.provider()) {
      case ANTHROPIC ->
          request.header("x-api-key", key()).header("anthropic-version", "2023-06-01");
      case OPENAI -> request.header("authorization", "Bearer " + key());
      case GEMINI -> request.header("x-goog-api-key", key());
    }
    return request.build();
  }

  private URI address() {
    String base = api.base().toString().replaceFirst("/+$", "");
    return URI.create(
        switch (api.provider()) {
          case ANTHROPIC -> versioned(base, "/v1") + "/messages";
          case OPENAI ->
              versioned(base, "/v1") + (isResponses() ? "/responses" : "/chat/completions");
          case GEMINI ->
              versioned(base, "/v1beta")
                  + "/models/"
                  + URLEncoder.encode(api.model(), StandardCharsets.UTF_8)
                  + ":generateContent";
        });
  }

  private static String versioned(String base, String version) {
    return base.endsWith(version) ? base : base + version;
  }

  /** Some OpenAI models support only the Responses API. */
  private boolean isResponses() {
    return api.model().startsWith("gpt-5") && api.model().endsWith("-codex");
  }

  private Json body() {
    String prompt = call.ask().prompt();
    Json message = Json.object().put("role", "user").put("content", prompt).build();
    return switch (api.provider()) {
      case ANTHROPIC ->
          Json.object()
              .put("model", api.model())
              .put("max_tokens", api.maxTokens())
              .put("messages", Json.of(List.of(message)))
              .build();
      case OPENAI ->
          isResponses()
              ? limited(
                  "max_output_tokens", Json.object().put("model", api.model()).put("input", prompt))
              : limited(
                  api.base().toString().startsWith(Presets.base(api.provider()).toString())
                      ? "max_completion_tokens"
                      : "max_tokens", // the older name, which compatible servers know
                  Json.object()
                      .put("model", api.model())
                      .put("messages", Json.of(List.of(message))));
      case GEMINI -> {
        Json part = Json.object().put("text", prompt).build();
        Json content =
            Json.object().put("role", "user").put("parts", Json.of(List.of(part))).build();
        yield Json.object()
            .put("contents", Json.of(List.of(content)))
            .put("generationConfig", Json.object().put("maxOutputTokens", api.maxTokens()).build())
            .build();
      }
    };
  }

  private Json limited(String name, Json.ObjectBuilder body) {
    return api.maxTokens() > 0 ? body.put(name, api.maxTokens()).build() : body.build();
  }

  private Attempt read(HttpResponse<byte[]> response, Duration pause) {
    int code = response.statusCode();
    Fields fields;
    try {
      fields = Fields.of(Json.parse(response.body(), 100));
    } catch (JsonException e) {
      fields = Fields.of(null);
    }
    if (code == 200) {
      return fields.values().isEmpty()
          ? Attempt.failed("the server answered something that is not JSON")
          : answered(fields);
    }
    String said = fields.object("error").text("message", "");
    Attempt failed =
        Attempt.failed("HTTP " + code + (said.isEmpty() ? "" : ": " + shortened(said)));
    return code == 429 || code >= 500
        ? failed.again(RetryDelay.of(response.headers(), fields, pause))
        : failed;
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN_ERROR ? text : text.substring(0, SHOWN_ERROR) + "…";
  }

  private Attempt answered(Fields fields) {
    Fields error = fields.object("error");
    if (error.text("message") != null) {
      return Attempt.failed("API error: " + shortened(error.text("message", "")));
    }
    String text = text(fields);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean cut = bytes.length > call.maxOutput();
    if (cut) {
      text = new String(bytes, 0, call.maxOutput(), StandardCharsets.UTF_8);
    }
    cut |= ranOutOfTokens(fields);
    return new Attempt(
        text.isBlank() ? Answer.Status.EMPTY : Answer.Status.ANSWERED,
        text.strip(),
        text.isBlank() ? "it said nothing" : "",
        usage(fields),
        cut,
        null);
  }

  private String text(Fields fields) {
    StringBuilder text = new StringBuilder();
    switch (api.provider()) {
      case ANTHROPIC ->
          fields.objects("content").forEach(part -> text.append(part.text("text", "")));
      case OPENAI -> {
        for (Fields choice : fields.objects("choices").stream().limit(1).toList()) {
          text.append(choice.object("message").text("content", ""));
        }
        for (Fields item : fields.objects("output")) {
          item.objects("content").forEach(part -> text.append(part.text("text", "")));
        }
      }
      case GEMINI -> {
        for (Fields candidate : fields.objects("candidates").stream().limit(1).toList()) {
          candidate
              .object("content")
              .objects("parts")
              .forEach(part -> text.append(part.text("text", "")));
        }
      }
    }
    return text.toString();
  }

  /** Whether the model stopped because of the limit of tokens. */
  private static boolean ranOutOfTokens(Fields fields) {
    return fields.text("stop_reason", "").equals("max_tokens")
        || fields.text("status", "").equals("incomplete")
        || fields.objects("choices").stream()
            .anyMatch(each -> each.text("finish_reason", "").equals("length"))
        || fields.objects("candidates").stream()
            .anyMatch(each -> each.text("finishReason", "").equals("MAX_TOKENS"));
  }

  private static Usage usage(Fields fields) {
    Fields used = fields.object("usage");
    Fields meta = fields.object("usageMetadata");
    return new Usage(
        used.number(
            "input_tokens", used.number("prompt_tokens", meta.number("promptTokenCount", -1))),
        used.number(
            "output_tokens",
            used.number("completion_tokens", meta.number("candidatesTokenCount", -1))),
        -1);
  }

  /** Collects a body up to a limit. A longer body is an error and is not read to its end. */
  private static final class Limited implements HttpResponse.BodySubscriber<byte[]> {
    private final long most;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> done = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    Limited(long most) {
      this.most = most;
    }

    @Override
    public CompletableFuture<byte[]> getBody() {
      return done;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] piece = new byte[buffer.remaining()];
        buffer.get(piece);
        body.writeBytes(piece);
      }
      if (body.size() > most && subscription != null) {
        subscription.cancel();
        done.completeExceptionally(
            new IllegalStateException("the answer is longer than " + most + " bytes"));
      }
    }

    @Override
    public void onError(Throwable error) {
      done.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      done.complete(body.toByteArray());
    }
  }
}

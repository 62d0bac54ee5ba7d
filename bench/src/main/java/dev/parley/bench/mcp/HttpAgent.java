package dev.parley.bench.mcp;

import dev.parley.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** The host of one agent, which speaks with the server over HTTP. Used by one thread. */
final class HttpAgent implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI mcp;
  private final URI hook;
  private final String token;
  private String session = "";
  private long count = 1;

  HttpAgent(String address, String token) throws IOException, InterruptedException {
    this.mcp = URI.create(address);
    this.hook = mcp.resolve("/hook/claude");
    this.token = token;
    HttpResponse<String> begun = post(mcp, Requests.initialize());
    this.session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
    var _ = post(mcp, Requests.INITIALIZED);
  }

  /** Calls a tool, which must not refuse; answers what it says. */
  Json call(String tool, Json arguments) throws IOException, InterruptedException {
    String body = post(mcp, Requests.call(++count, tool, arguments)).body();
    Json result = Json.parse(body).fields().get("result");
    if (result == null || result.fields().getOrDefault("isError", Json.NULL).isTrue()) {
      throw new IOException(tool + ": " + body);
    }
    List<Json> content = result.fields().getOrDefault("content", Json.NULL).items();
    return Json.parse(
        String.valueOf(content.getFirst().fields().getOrDefault("text", Json.NULL).text()));
  }

  /** Tells of an event at the host; answers what is to be done. */
  String tell(Json event) throws IOException, InterruptedException {
    return post(hook, event).body();
  }

  private HttpResponse<String> post(URI where, Json body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(where)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    if (!session.isEmpty()) {
      request.header("Mcp-Session-Id", session).header("MCP-Protocol-Version", Requests.REVISION);
    }
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    return response;
  }

  @Override
  public void close() {
    client.close();
  }
}

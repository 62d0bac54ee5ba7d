package dev.parley.mcp.tools;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.ClientOutput;
import dev.parley.mcp.protocol.Connection;
import dev.parley.mcp.protocol.Engine;
import dev.parley.mcp.protocol.Response;
import java.util.List;

/** A client of the handshake era that calls tools in this process. */
final class Client {
  private final Engine engine;
  private final Connection connection;

  Client(Engine engine) {
    this(engine, ClientOutput.NONE);
  }

  /**
   * @param outlet receives what belongs to no request
   */
  Client(Engine engine, ClientOutput outlet) {
    this.engine = engine;
    this.connection = new Connection(outlet);
    var _ = ask("initialize", Json.EMPTY_OBJECT);
  }

  /** The whole answer; it counts as sent. */
  Json ask(String method, Json params) {
    Json request =
        Json.object()
            .put("jsonrpc", "2.0")
            .put("id", 1)
            .put("method", method)
            .put("params", params)
            .build();
    Response answer = engine.answer(request, connection, ClientOutput.NONE, null);
    answer.sent().run();
    return answer.message();
  }

  Fields result(String method, Json params) {
    return Fields.of(ask(method, params)).object("result");
  }

  /** The texts that a tool answers with. */
  List<String> call(String tool, String arguments) {
    Json params = Json.object().put("name", tool).put("arguments", Json.parse(arguments)).build();
    return result("tools/call", params).objects("content").stream()
        .map(content -> content.text("text", ""))
        .toList();
  }

  /** The first of them, which is JSON. */
  Fields json(String tool, String arguments) {
    return Fields.of(Json.parse(call(tool, arguments).getFirst()));
  }
}

package dev.parley.bench.mcp;

import dev.parley.core.json.Json;

/** The messages that a client writes. */
final class Requests {
  static final String REVISION = "2025-11-25";

  static final Json INITIALIZED =
      Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized").build();

  private Requests() {}

  static Json initialize() {
    return request(
        1,
        "initialize",
        Json.object()
            .put("protocolVersion", REVISION)
            .put("capabilities", Json.EMPTY_OBJECT)
            .put("clientInfo", Json.object().put("name", "bench").put("version", "1").build())
            .build());
  }

  static Json call(long id, String tool, Json arguments) {
    return request(
        id, "tools/call", Json.object().put("name", tool).put("arguments", arguments).build());
  }

  static Json request(long id, String method, Json params) {
    return Json.object()
        .put("jsonrpc", "2.0")
        .put("id", id)
        .put("method", method)
        .put("params", params)
        .build();
  }
}

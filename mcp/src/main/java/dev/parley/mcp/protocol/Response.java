package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a message.
 *
 * @param status of an HTTP response; other transports ignore it
 * @param message null if nothing is sent, because the message was not a request
 * @param sent must be called once the client has the answer; its effect depends on the handler
 */
public record Response(int status, @Nullable Json message, Runnable sent) {
  static final Response NONE = new Response(202, null, () -> {});

  static Response result(Json id, Json result, Runnable sent) {
    Json message = Json.object().put("jsonrpc", "2.0").put("id", id).put("result", result).build();
    return new Response(200, message, sent);
  }

  /**
   * An error answer.
   *
   * @param id of the request; {@link Json#NULL} if unknown
   */
  public static Response error(Json id, RpcException error) {
    Json message =
        Json.object().put("jsonrpc", "2.0").put("id", id).put("error", error.toJson()).build();
    return new Response(error.status(), message, () -> {});
  }
}

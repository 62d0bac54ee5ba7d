package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tool, a prompt or a resource comes to.
 *
 * @param result the fields of the result; empty if more input is needed
 * @param inputs requests that the client is to answer first, by name; only in the stateless era
 * @param state what the client is to send back with its answers; it can't change it unnoticed
 */
public record Reply(Json.ObjectBuilder result, Map<String, Json> inputs, @Nullable String state) {
  public static Reply of(Json.ObjectBuilder result) {
    return new Reply(result, Map.of(), null);
  }

  /** The result of a tool. */
  public static Reply content(List<Json> content) {
    return of(Json.object().put("content", Json.of(content)));
  }

  /** The result of a tool that says one thing. */
  public static Reply text(String text) {
    return content(List.of(Content.text(text)));
  }

  /** The result of a tool that could not do what was asked. */
  public static Reply failure(String text) {
    return of(
        Json.object().put("content", Json.of(List.of(Content.text(text)))).put("isError", true));
  }

  /** Asks the client for more, and to call again with the answers. */
  public static Reply needs(Map<String, Json> inputs, @Nullable String state) {
    return new Reply(Json.object(), inputs, state);
  }
}

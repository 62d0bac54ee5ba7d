package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reply of a tool, a prompt or a resource.
 *
 * @param result the fields of the result; empty if more input is needed
 * @param inputs requests that the client is to answer first, by name; only in the stateless era
 * @param state returned by the client with its answers; sealed, so a change is noticed
 */
public record Reply(Json.ObjectBuilder result, Map<String, Json> inputs, @Nullable String state) {
  public static Reply of(Json.ObjectBuilder result) {
    return new Reply(result, Map.of(), null);
  }

  /** The result of a tool. */
  public static Reply content(List<Json> content) {
    return of(Json.object().put("content", Json.of(content)));
  }

  /** A tool's result of one text. */
  public static Reply text(String text) {
    return content(List.of(Content.text(text)));
  }

  /** The result of a tool that failed. */
  public static Reply failure(String text) {
    return failure(List.of(Content.text(text)));
  }

  /** The same with several parts. */
  public static Reply failure(List<Json> content) {
    return of(Json.object().put("content", Json.of(content)).put("isError", true));
  }

  /** Asks the client for input, and to call again with it. */
  public static Reply needs(Map<String, Json> inputs, @Nullable String state) {
    return new Reply(Json.object(), inputs, state);
  }
}

package dev.parley.core.hosts;

import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.json.Json;
import java.util.List;

/** Answers as the API of Anthropic gives them. */
final class AnthropicWire {
  private static final Json USAGE =
      Json.object().put("input_tokens", 10).put("output_tokens", 5).build();

  private AnthropicWire() {}

  static String whole(Reply reply) {
    return Json.object()
        .put("id", "msg")
        .put("type", "message")
        .put("role", "assistant")
        .put("model", "m")
        .put("content", Json.of(List.of(block(reply, true))))
        .put("stop_reason", stop(reply))
        .put("usage", USAGE)
        .build()
        .toString();
  }

  private static String stop(Reply reply) {
    return reply instanceof Reply.ToolCall ? "tool_use" : "end_turn";
  }

  private static Json block(Reply reply, boolean whole) {
    return switch (reply) {
      case Reply.Text text ->
          Json.object().put("type", "text").put("text", whole ? text.text() : "").build();
      case Reply.ToolCall call ->
          Json.object()
              .put("type", "tool_use")
              .put("id", "toolu_" + System.nanoTime())
              .put("name", call.tool())
              .put("input", whole ? call.input() : Json.EMPTY_OBJECT)
              .build();
    };
  }

  private static Json delta(Reply reply) {
    return switch (reply) {
      case Reply.Text text ->
          Json.object().put("type", "text_delta").put("text", text.text()).build();
      case Reply.ToolCall call ->
          Json.object()
              .put("type", "input_json_delta")
              .put("partial_json", call.input().toString())
              .build();
    };
  }

  static String stream(Reply reply, int number) {
    Json message =
        Json.object()
            .put("id", "msg_" + number)
            .put("type", "message")
            .put("role", "assistant")
            .put("model", "m")
            .put("content", Json.of(List.of()))
            .put("stop_reason", Json.NULL)
            .put("stop_sequence", Json.NULL)
            .put("usage", USAGE)
            .build();
    Json stop =
        Json.object().put("stop_reason", stop(reply)).put("stop_sequence", Json.NULL).build();
    return event("message_start", "message", message)
        + event("content_block_start", "content_block", block(reply, false))
        + event("content_block_delta", "delta", delta(reply))
        + event("content_block_stop", "unused", Json.NULL)
        + event("message_delta", "delta", stop)
        + event("message_stop", "unused", Json.NULL);
  }

  private static String event(String type, String key, Json value) {
    Json data =
        Json.object().put("type", type).put("index", 0).put(key, value).put("usage", USAGE).build();
    return "event: " + type + "\ndata: " + data + "\n\n";
  }
}

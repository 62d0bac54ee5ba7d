package dev.parley.core.hosts;

import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.json.Json;
import java.util.List;

/** Answers as the API of OpenAI gives them: responses, and chat completions. */
final class OpenAiWire {
  private OpenAiWire() {}

  static String chat(Reply reply) {
    Json message = Json.object().put("role", "assistant").put("content", text(reply)).build();
    Json choice = Json.object().put("index", 0).put("message", message).build();
    Json usage = Json.object().put("prompt_tokens", 10).put("completion_tokens", 5).build();
    return Json.object()
        .put("choices", Json.of(List.of(choice)))
        .put("usage", usage)
        .build()
        .toString();
  }

  private static String text(Reply reply) {
    return reply instanceof Reply.Text(String text) ? text : "";
  }

  static String whole(Reply reply) {
    return response(reply, 0).toString();
  }

  static String stream(Reply reply, int number) {
    Json item = item(reply, number);
    Json begun = Json.object().put("id", "resp_" + number).build();
    return event("response.created", "response", begun)
        + event("response.output_item.done", "item", item)
        + event("response.completed", "response", response(reply, number));
  }

  private static Json response(Reply reply, int number) {
    Json usage =
        Json.object()
            .put("input_tokens", 10)
            .put("input_tokens_details", Json.object().put("cached_tokens", 0).build())
            .put("output_tokens", 5)
            .put("output_tokens_details", Json.object().put("reasoning_tokens", 0).build())
            .put("total_tokens", 15)
            .build();
    return Json.object()
        .put("id", "resp_" + number)
        .put("output", Json.of(List.of(item(reply, number))))
        .put("usage", usage)
        .build();
  }

  private static Json item(Reply reply, int number) {
    return switch (reply) {
      case Reply.Text text ->
          Json.object()
              .put("type", "message")
              .put("role", "assistant")
              .put("id", "item_" + number)
              .put(
                  "content",
                  Json.of(
                      List.of(
                          Json.object()
                              .put("type", "output_text")
                              .put("text", text.text())
                              .build())))
              .build();
      case Reply.ToolCall call ->
          call(call, Json.object().put("call_id", "call_" + number)).build();
    };
  }

  /**
   * Codex keeps the tools of an MCP server in a namespace of their own: a tool is named {@code
   * namespace/tool} here. A patch is plain text there, not JSON.
   */
  private static Json.ObjectBuilder call(Reply.ToolCall call, Json.ObjectBuilder item) {
    int slash = call.tool().indexOf('/');
    if (slash >= 0) {
      item.put("namespace", call.tool().substring(0, slash));
    }
    item.put("name", call.tool().substring(slash + 1));
    return call.tool().equals("apply_patch")
        ? item.put("type", "custom_tool_call").put("input", call.input().fields().get("input"))
        : item.put("type", "function_call").put("arguments", call.input().toString());
  }

  private static String event(String type, String key, Json value) {
    return "event: "
        + type
        + "\ndata: "
        + Json.object().put("type", type).put("output_index", 0).put(key, value).build()
        + "\n\n";
  }
}

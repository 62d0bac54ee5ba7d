package dev.parley.core.hosts;

import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.json.Json;
import java.util.List;

/** Answers as the API of Gemini gives them. */
final class GeminiWire {
  private GeminiWire() {}

  static String whole(Reply reply) {
    Json part =
        switch (reply) {
          case Reply.Text text -> Json.object().put("text", text.text()).build();
          case Reply.ToolCall call ->
              Json.object()
                  .put(
                      "functionCall",
                      Json.object().put("name", call.tool()).put("args", call.input()).build())
                  .build();
        };
    Json content = Json.object().put("role", "model").put("parts", Json.of(List.of(part))).build();
    Json candidate =
        Json.object().put("index", 0).put("content", content).put("finishReason", "STOP").build();
    Json usage =
        Json.object()
            .put("promptTokenCount", 10)
            .put("candidatesTokenCount", 5)
            .put("totalTokenCount", 15)
            .build();
    return Json.object()
        .put("candidates", Json.of(List.of(candidate)))
        .put("usageMetadata", usage)
        .put("modelVersion", "m")
        .build()
        .toString();
  }
}

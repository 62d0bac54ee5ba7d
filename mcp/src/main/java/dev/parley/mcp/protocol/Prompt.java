package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;
import java.util.List;

/** A text that a person can give to the model. */
public record Prompt(
    String name, String description, List<Argument> arguments, CallHandler handler) {
  /** A placeholder of the text. */
  public record Argument(String name, String description, boolean required) {
    Json toJson() {
      return Json.object()
          .put("name", name)
          .put("description", description)
          .put("required", required)
          .build();
    }
  }

  Json toJson() {
    Json.ObjectBuilder json = Json.object().put("name", name).put("description", description);
    if (!arguments.isEmpty()) {
      json.put("arguments", Json.of(arguments.stream().map(Argument::toJson).toList()));
    }
    return json.build();
  }
}

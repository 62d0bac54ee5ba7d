package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;

/**
 * A tool that a model can call.
 *
 * @param schema of its arguments
 * @param readOnly whether it changes nothing
 */
public record Tool(
    String name, String description, Json schema, boolean readOnly, CallHandler handler) {
  Json toJson() {
    Json.ObjectBuilder json =
        Json.object().put("name", name).put("description", description).put("inputSchema", schema);
    if (readOnly) {
      json.put("annotations", Json.object().put("readOnlyHint", true).build());
    }
    return json.build();
  }
}

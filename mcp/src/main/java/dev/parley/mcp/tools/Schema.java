package dev.parley.mcp.tools;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Builds the JSON schema of a tool's arguments. */
final class Schema {
  private final Json.ObjectBuilder properties = Json.object();
  private final List<String> required = new ArrayList<>();

  private Schema() {}

  static Schema of() {
    return new Schema();
  }

  private Schema put(String name, Json.ObjectBuilder type, String help) {
    properties.put(name, (help.isEmpty() ? type : type.put("description", help)).build());
    return this;
  }

  private static Json.ObjectBuilder type(String name) {
    return Json.object().put("type", name);
  }

  Schema text(String name, String help) {
    return put(name, type("string"), help);
  }

  Schema choice(String name, String help, String... words) {
    return put(name, Json.object().put("enum", Json.ofStrings(List.of(words))), help);
  }

  Schema number(String name, String help) {
    return put(name, type("integer"), help);
  }

  Schema flag(String name, String help) {
    return put(name, type("boolean"), help);
  }

  Schema texts(String name, String help) {
    return put(name, type("array").put("items", type("string").build()), help);
  }

  /** Marks arguments as required. */
  Schema needs(String... names) {
    required.addAll(List.of(names));
    return this;
  }

  Json build() {
    Json.ObjectBuilder schema = type("object").put("properties", properties.build());
    return required.isEmpty()
        ? schema.build()
        : schema.put("required", Json.ofStrings(required)).build();
  }
}

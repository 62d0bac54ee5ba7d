package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;

/** Builds the content of tools' and prompts' answers. */
public final class Content {
  private Content() {}

  public static Json text(String text) {
    return Json.object().put("type", "text").put("text", text).build();
  }

  /**
   * An image or audio.
   *
   * @param kind image or audio
   */
  public static Json media(String kind, String mimeType, String base64) {
    return Json.object().put("type", kind).put("data", base64).put("mimeType", mimeType).build();
  }

  public static Json embedded(Json resource) {
    return Json.object().put("type", "resource").put("resource", resource).build();
  }

  /** A text resource. */
  public static Json resource(String uri, String mimeType, String text) {
    return Json.object().put("uri", uri).put("mimeType", mimeType).put("text", text).build();
  }

  /** A message of a prompt. */
  public static Json message(String role, Json content) {
    return Json.object().put("role", role).put("content", content).build();
  }
}

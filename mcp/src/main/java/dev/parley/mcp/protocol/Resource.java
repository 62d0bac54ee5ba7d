package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A resource that clients can read.
 *
 * @param uri its address; a template has {@code {name}} as its placeholder
 */
public record Resource(
    String uri, String name, String description, String mimeType, CallHandler handler) {
  private static final String OPEN = "{";

  boolean isTemplate() {
    return uri.contains(OPEN);
  }

  Json toJson() {
    return Json.object()
        .put(isTemplate() ? "uriTemplate" : "uri", uri)
        .put("name", name)
        .put("description", description)
        .put("mimeType", mimeType)
        .build();
  }

  /**
   * The part that fills the placeholder; empty without a placeholder; null if the URI does not
   * match.
   */
  @Nullable String match(String wanted) {
    if (!isTemplate()) {
      return wanted.equals(uri) ? "" : null;
    }
    String before = uri.substring(0, uri.indexOf(OPEN));
    String after = uri.substring(uri.indexOf('}') + 1);
    boolean fits =
        wanted.length() > before.length() + after.length()
            && wanted.startsWith(before)
            && wanted.endsWith(after);
    return fits ? wanted.substring(before.length(), wanted.length() - after.length()) : null;
  }
}

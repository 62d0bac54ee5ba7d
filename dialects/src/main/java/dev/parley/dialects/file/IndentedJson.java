package dev.parley.dialects.file;

import dev.parley.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;

/** JSON indented by two spaces a level, as people and most tools write it to files. */
public final class IndentedJson {
  private final StringBuilder out = new StringBuilder(1024);

  private IndentedJson() {}

  public static byte[] bytes(Json value) {
    return text(value, 0).getBytes(StandardCharsets.UTF_8);
  }

  /** The text of a value that is nested this deep in others. */
  public static String text(Json value, int level) {
    IndentedJson text = new IndentedJson();
    text.value(value, "\n" + "  ".repeat(level));
    return text.out.toString();
  }

  private void value(Json value, String newline) {
    String deeper = newline + "  ";
    if (value.isArray() && value.length() > 2) {
      out.append('[');
      for (Iterator<Json> items = value.items().iterator(); items.hasNext(); ) {
        out.append(deeper);
        value(items.next(), deeper);
        out.append(items.hasNext() ? "," : "");
      }
      out.append(newline).append(']');
    } else if (value.isObject() && value.length() > 2) {
      out.append('{');
      for (Iterator<Map.Entry<String, Json>> fields = value.fields().entrySet().iterator();
          fields.hasNext(); ) {
        Map.Entry<String, Json> field = fields.next();
        out.append(deeper).append(Json.of(field.getKey())).append(": ");
        value(field.getValue(), deeper);
        out.append(fields.hasNext() ? "," : "");
      }
      out.append(newline).append('}');
    } else {
      out.append(value);
    }
  }
}

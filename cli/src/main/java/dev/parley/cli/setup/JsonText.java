package dev.parley.cli.setup;

import dev.parley.core.json.Json;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** JSON for settings files: indented by two spaces, with the order of keys kept. */
final class JsonText {
  /** How far what is inside of something is moved to the right. */
  static final String STEP = "  ";

  private JsonText() {}

  static String of(Json value) {
    return of(value, "", STEP) + "\n";
  }

  /** One that begins in a line with this indentation, each level with a step more. */
  static String of(Json value, String indent, String step) {
    StringBuilder text = new StringBuilder();
    write(value, indent, step, text);
    return text.toString();
  }

  private static void write(Json value, String indent, String step, StringBuilder text) {
    Map<String, Json> fields = value.fields();
    List<Json> items = value.items();
    String inner = indent + step;
    if (!fields.isEmpty()) {
      text.append("{\n");
      for (Iterator<Map.Entry<String, Json>> all = fields.entrySet().iterator(); all.hasNext(); ) {
        Map.Entry<String, Json> field = all.next();
        text.append(inner).append(Json.of(field.getKey())).append(": ");
        write(field.getValue(), inner, step, text);
        text.append(all.hasNext() ? ",\n" : "\n");
      }
      text.append(indent).append('}');
    } else if (items.stream().anyMatch(item -> item.isObject() || item.isArray())) {
      text.append("[\n");
      for (Iterator<Json> all = items.iterator(); all.hasNext(); ) {
        text.append(inner);
        write(all.next(), inner, step, text);
        text.append(all.hasNext() ? ",\n" : "\n");
      }
      text.append(indent).append(']');
    } else {
      text.append(value);
    }
  }
}

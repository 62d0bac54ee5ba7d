package dev.parley.cli.setup;

import dev.parley.core.json.Json;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** JSON as people keep it in settings: two blanks a level, and the order of the keys as it was. */
final class JsonText {
  private static final String STEP = "  ";

  private JsonText() {}

  static String of(Json value) {
    StringBuilder text = new StringBuilder();
    write(value, "", text);
    return text.append('\n').toString();
  }

  private static void write(Json value, String indent, StringBuilder text) {
    Map<String, Json> fields = value.fields();
    List<Json> items = value.items();
    String inner = indent + STEP;
    if (!fields.isEmpty()) {
      text.append("{\n");
      for (Iterator<Map.Entry<String, Json>> all = fields.entrySet().iterator(); all.hasNext(); ) {
        Map.Entry<String, Json> field = all.next();
        text.append(inner).append(Json.of(field.getKey())).append(": ");
        write(field.getValue(), inner, text);
        text.append(all.hasNext() ? ",\n" : "\n");
      }
      text.append(indent).append('}');
    } else if (items.stream().anyMatch(item -> item.isObject() || item.isArray())) {
      text.append("[\n");
      for (Iterator<Json> all = items.iterator(); all.hasNext(); ) {
        text.append(inner);
        write(all.next(), inner, text);
        text.append(all.hasNext() ? ",\n" : "\n");
      }
      text.append(indent).append(']');
    } else {
      text.append(value);
    }
  }
}

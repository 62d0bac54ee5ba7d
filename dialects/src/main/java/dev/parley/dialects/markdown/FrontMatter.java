package dev.parley.dialects.markdown;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields above a message: {@code name: value}, one a line. Lists are separated by commas.
 *
 * <p>A value that would not read back unchanged, such as a file name with a comma or a line break,
 * is written in quotes with JSON's escapes. The reader also accepts lists in brackets, and lists
 * with one item a line under their name.
 */
final class FrontMatter {
  /** The format's own fields, in order. */
  private static final List<String> NAMES =
      List.of(
          "messageId",
          "type",
          "agent",
          "timestamp",
          "runId",
          "taskId",
          "relatesTo",
          "files",
          "artifacts");

  /** The names that a related tool uses. */
  private static final Map<String, String> ALIASES =
      Map.of(
          "msg_id", "messageId",
          "ts", "timestamp",
          "run_id", "runId",
          "task_id", "taskId",
          "agent_id", "agent",
          "parents", "relatesTo");

  private FrontMatter() {}

  /** The format's name for a field. */
  static String name(String written) {
    return ALIASES.getOrDefault(written, written);
  }

  /** The offset of the colon after a field's name; -1 if the line is not a field. */
  static int colon(String line) {
    int colon = line.indexOf(':');
    if (colon <= 0 || !Character.isLetter(line.charAt(0))) {
      return -1;
    }
    for (int i = 1; i < colon; i++) {
      char c = line.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '_' && c != '-') {
        return -1;
      }
    }
    boolean spaced = colon + 1 == line.length() || Character.isWhitespace(line.charAt(colon + 1));
    return spaced ? colon : -1;
  }

  /** The item of a list with one item a line; null if the line is not an item. */
  static @Nullable String item(String line) {
    String text = line.strip();
    return text.startsWith("- ") ? text.substring(2).strip() : null;
  }

  static String write(JournalMessage message) {
    StringBuilder text = new StringBuilder(256);
    line(text, "messageId", message.messageId());
    line(text, "type", message.type());
    line(text, "agent", message.agent());
    line(text, "timestamp", message.timestamp());
    line(text, "runId", message.runId());
    line(text, "taskId", message.taskId());
    line(text, "relatesTo", message.relatesTo());
    list(text, "files", message.files());
    list(text, "artifacts", message.artifacts());
    message.more().forEach((name, value) -> line(text, name, value));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, @Nullable String value) {
    if (value != null) {
      text.append(name).append(": ").append(quoted(value, "")).append('\n');
    }
  }

  private static void list(StringBuilder text, String name, List<String> items) {
    if (!items.isEmpty()) {
      String joined = String.join(", ", items.stream().map(item -> quoted(item, ",[]")).toList());
      text.append(name).append(": ").append(joined).append('\n');
    }
  }

  private static String quoted(String value, String separators) {
    boolean plain = !value.isEmpty() && value.equals(value.strip()) && value.charAt(0) != '"';
    for (int i = 0; plain && i < value.length(); i++) {
      char c = value.charAt(i);
      plain = c >= 0x20 && !(c >= 0x7f && c < 0xa0) && !Character.isSurrogate(c);
      plain = plain && c != 0x2028 && c != 0x2029 && separators.indexOf(c) < 0;
    }
    return plain ? value : Json.of(value).toString();
  }

  /** The value before {@link #write} quoted it. */
  static String value(String written) {
    String text = written.strip();
    if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
      try {
        String value = Json.parse(text).text();
        return value == null ? text : value;
      } catch (JsonException e) {
        return text; // quotes with another meaning
      }
    }
    return text;
  }

  static List<String> list(String written) {
    String text = written.strip();
    if (text.startsWith("[") && text.endsWith("]")) {
      text = text.substring(1, text.length() - 1);
    }
    List<String> items = new ArrayList<>();
    int from = 0;
    boolean quotes = false;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if (quotes && c == '\\') {
        i++;
      } else if (c == '"' && (quotes || text.substring(from, i).isBlank())) {
        quotes = !quotes;
      } else if (i >= text.length() || (c == ',' && !quotes)) {
        String item = text.substring(from, Math.min(i, text.length()));
        if (!item.isBlank()) {
          items.add(value(item));
        }
        from = i + 1;
      }
    }
    return items;
  }

  /** Builds a message from its fields and body. */
  static JournalMessage message(Map<String, String> fields, String body) {
    Map<String, String> more = new LinkedHashMap<>();
    fields.forEach((name, value) -> {
      if (!NAMES.contains(name)) {
        more.put(name, value(value));
      }
    });
    return new JournalMessage(
        value(fields.getOrDefault("messageId", "")),
        value(fields.getOrDefault("type", "")),
        value(fields.getOrDefault("agent", "")),
        value(fields.getOrDefault("timestamp", "")),
        optional(fields.get("runId")),
        optional(fields.get("taskId")),
        optional(fields.get("relatesTo")),
        list(fields.getOrDefault("files", "")),
        list(fields.getOrDefault("artifacts", "")),
        more,
        body);
  }

  private static @Nullable String optional(@Nullable String written) {
    String value = written == null ? "" : value(written);
    return value.isEmpty() ? null : value;
  }
}

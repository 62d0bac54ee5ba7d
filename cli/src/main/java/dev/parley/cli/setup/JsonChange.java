package dev.parley.cli.setup;

import dev.parley.cli.setup.JsonLayout.Value;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes a JSON text so that it means something else, and leaves everything that needs no change
 * as its author wrote it: comments, order, indentation.
 */
final class JsonChange {
  private static final Pattern INDENT = Pattern.compile("\\n([ \\t]+)\\S");

  private final String text;
  private final JsonLayout layout;
  private final String step;
  private final List<Edit> edits = new ArrayList<>();

  private JsonChange(String text, JsonLayout layout) {
    this.text = text;
    this.layout = layout;
    Matcher first = INDENT.matcher(text);
    this.step = first.find() ? first.group(1) : JsonText.STEP;
  }

  /** What stands from a place to another, and what is to stand there. */
  private record Edit(int from, int to, String now) {}

  /** The text, changed so that it means this. */
  static String to(Json wanted, String text) {
    JsonLayout layout = JsonLayout.of(text);
    JsonChange change = new JsonChange(text, layout);
    change.change(layout.root(), wanted, "");
    return change.applied();
  }

  private String applied() {
    edits.sort(Comparator.comparingInt(Edit::from).thenComparingInt(Edit::to));
    StringBuilder changed = new StringBuilder();
    int at = 0;
    for (Edit edit : edits) {
      changed.append(text, at, edit.from()).append(newlines(edit.now()));
      at = edit.to();
    }
    return changed.append(text, at, text.length()).toString();
  }

  private String newlines(String made) {
    return text.contains("\r\n") ? made.replace("\n", "\r\n") : made;
  }

  private void change(Value old, Json wanted, String indent) {
    Json meant = layout.json(old);
    if (meant.toString().equals(wanted.toString())) {
      return;
    }
    if (meant.isObject() && wanted.isObject()) {
      changeObject(old, wanted.fields(), indent);
    } else if (meant.isArray() && wanted.isArray()) {
      changeArray(old, wanted.items(), indent);
    } else {
      edits.add(new Edit(old.valueStart(), old.end(), JsonText.of(wanted, indent, step)));
    }
  }

  private void changeObject(Value old, Map<String, Json> wanted, String indent) {
    String inner = indent + step;
    List<Value> kept = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Value part : old.parts()) {
      String name = String.valueOf(part.name());
      Json value = wanted.get(name);
      if (value != null) {
        kept.add(part);
        names.add(name);
        change(part, value, inner);
      }
    }
    List<String> added = new ArrayList<>();
    wanted.forEach((name, value) -> {
      if (!names.contains(name)) {
        added.add(Json.of(name) + ": " + JsonText.of(value, inner, step));
      }
    });
    replaceParts(old, kept, added, indent);
  }

  private void changeArray(Value old, List<Json> wanted, String indent) {
    List<Value> kept = new ArrayList<>();
    for (Value part : old.parts()) {
      boolean stays =
          kept.size() < wanted.size()
              && layout.json(part).toString().equals(wanted.get(kept.size()).toString());
      if (stays) {
        kept.add(part);
      }
    }
    List<String> added =
        wanted.subList(kept.size(), wanted.size()).stream()
            .map(value -> JsonText.of(value, indent + step, step))
            .toList();
    replaceParts(old, kept, added, indent);
  }

  private void replaceParts(Value old, List<Value> kept, List<String> added, String indent) {
    List<Value> parts = old.parts();
    boolean isAfterRemoved = false;
    for (Value part : parts) {
      boolean isRemoved = !kept.contains(part);
      if (isRemoved) {
        int comma = layout.comma(part.end());
        edits.add(new Edit(startWithBlanks(part, comma, isAfterRemoved), part.end(), ""));
        removeComma(comma);
      }
      isAfterRemoved = isRemoved;
    }
    boolean endsInComma = !parts.isEmpty() && layout.comma(parts.getLast().end()) >= 0;
    if (!kept.isEmpty() && !kept.getLast().equals(parts.getLast()) && !endsInComma) {
      removeComma(layout.comma(kept.getLast().end()));
    }
    if (!added.isEmpty()) {
      String inner = "\n" + indent + step;
      String all = inner + String.join("," + inner, added);
      if (kept.isEmpty()) {
        fill(old, all + "\n" + indent);
      } else {
        append(kept.getLast(), all, endsInComma);
      }
    }
  }

  private void removeComma(int comma) {
    if (comma >= 0) {
      edits.add(new Edit(comma, comma + 1, ""));
    }
  }

  private void fill(Value old, String all) {
    int end = old.end() - 1;
    int from = end;
    while (Character.isWhitespace(text.charAt(from - 1))) {
      from--;
    }
    int least = old.valueStart() + 1;
    for (Value part : old.parts()) {
      least = Math.max(part.end(), layout.comma(part.end()) + 1);
    }
    edits.add(new Edit(Math.max(from, least), end, all));
  }

  private void append(Value last, String all, boolean endsInComma) {
    int comma = layout.comma(last.end());
    int place = layout.endOfLine(last.end(), comma);
    if (endsInComma) {
      edits.add(new Edit(Math.max(place, comma + 1), Math.max(place, comma + 1), all + ","));
    } else {
      edits.add(new Edit(last.end(), last.end(), ","));
      edits.add(new Edit(place, place, all));
    }
  }

  /**
   * Where the blanks before a part begin. The end of the line before is one, unless what follows
   * the part would then be in a comment.
   */
  private int startWithBlanks(Value part, int comma, boolean isAfterRemoved) {
    int from = part.start();
    while (from > 0 && (text.charAt(from - 1) == ' ' || text.charAt(from - 1) == '\t')) {
      from--;
    }
    if (from == 0 || text.charAt(from - 1) != '\n') {
      return from;
    }
    int lineBefore = text.lastIndexOf('\n', from - 2) + 1;
    int end = text.indexOf('\n', part.end());
    int rest = Math.max(part.end(), comma + 1);
    boolean isAlone =
        end >= rest
            && text.substring(rest, end).isBlank()
            && text.substring(part.end(), Math.max(part.end(), comma)).isBlank();
    if (!isAlone && (isAfterRemoved || text.substring(lineBefore, from).contains("//"))) {
      return from;
    }
    from--;
    return from > 0 && text.charAt(from - 1) == '\r' ? from - 1 : from;
  }
}

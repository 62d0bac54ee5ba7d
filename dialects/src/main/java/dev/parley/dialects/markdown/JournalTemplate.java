package dev.parley.dialects.markdown;

import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The templates for the bodies of reviews and errors. */
@SuppressWarnings("ImmutableEnumChecker") // the lists never change
public enum JournalTemplate {
  REVIEW(
      """
      Scope: <files/modules>
      Severity: <blocker/major/minor/nit>
      Findings: <bulleted list with file refs>
      Tests: <missing or recommended>
      Recommendation: <action>
      """,
      "Scope:",
      "Severity:",
      "Findings:",
      "Tests:",
      "Recommendation:"),
  ERROR(
      """
      ## Error Report

      **Task:** <task description>
      **Attempts:**
      1. Claude: <error summary>
      2. Codex: <error summary>
      3. Gemini: <error summary>

      **Error Details:**
      ```
      <last error output>
      ```

      **Impact:** <what is blocked>
      **Suggested Action:** <recommendation>
      """,
      "**Task:**",
      "**Attempts:**",
      "**Error Details:**",
      "**Impact:**",
      "**Suggested Action:**");

  private static final List<String> SEVERITIES = List.of("blocker", "major", "minor", "nit");

  private final String text;
  private final List<String> labels;

  JournalTemplate(String text, String... labels) {
    this.text = text;
    this.labels = List.of(labels);
  }

  /** The template for a type's body; null if there is none. */
  public static @Nullable JournalTemplate of(JournalType kind) {
    return switch (kind) {
      case REVIEW -> REVIEW;
      case ERROR -> ERROR;
      default -> null;
    };
  }

  /** The names of the fields for {@link #fill}. */
  public List<String> fields() {
    return labels.stream().map(JournalTemplate::name).toList();
  }

  private static String name(String label) {
    return label.replace("*", "").replace(":", "").toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  /**
   * The template with values filled in. A field without a value keeps its placeholder.
   *
   * @throws ParleyException INVALID if a field is unknown
   */
  public String fill(Map<String, String> values) {
    for (String name : values.keySet()) {
      if (!fields().contains(name)) {
        throw ParleyException.invalid(
            "no-such-field",
            "The " + name() + " template has no field " + name + ".",
            "It has " + String.join(", ", fields()) + ".");
      }
    }
    String filled = text.stripTrailing();
    for (String label : labels) {
      String value = values.get(name(label));
      if (value != null) {
        filled = filled(filled, label, value);
      }
    }
    return filled;
  }

  /** Replaces the text between a label and the next label. */
  private String filled(String body, String label, String value) {
    int from = at(body, label, 0) + label.length();
    int next = labels.indexOf(label) + 1;
    int to = next < labels.size() ? at(body, labels.get(next), from) - 1 : body.length();
    String gap = body.substring(from, to).endsWith("\n") ? "\n" : "";
    String shown =
        switch (label) {
          case "**Attempts:**" -> "\n" + value;
          case "**Error Details:**" -> "\n```\n" + value + "\n```";
          default -> value.contains("\n") ? "\n" + value : " " + value;
        };
    return body.substring(0, from) + shown + gap + body.substring(to);
  }

  /** The fields that a body lacks. */
  public List<String> missing(String body) {
    Map<String, String> given = given(body);
    List<String> missing = new ArrayList<>();
    for (String label : labels) {
      String value = given.get(label);
      if (value == null) {
        missing.add(label + " is not there");
      } else if (value.isEmpty() || isPlaceholder(value)) {
        missing.add(label + " says nothing");
      }
    }
    String severity = given.get("Severity:");
    if (severity != null && !SEVERITIES.contains(severity.toLowerCase(Locale.ROOT))) {
      missing.add("Severity: must be one of " + String.join(", ", SEVERITIES));
    }
    return missing;
  }

  /**
   * Checks a body.
   *
   * @throws ParleyException INVALID with the missing fields
   */
  public void check(String body) {
    List<String> missing = missing(body);
    if (!missing.isEmpty()) {
      throw ParleyException.invalid(
          "template-not-filled",
          "The body is not a complete " + name() + ": " + String.join("; ", missing) + ".",
          "parley journal template " + name() + " prints the form.");
    }
  }

  /** The text after each label, in the order of the labels. */
  private Map<String, String> given(String body) {
    Map<String, Integer> places = new LinkedHashMap<>();
    int from = 0;
    for (String label : labels) {
      int at = at(body, label, from);
      if (at >= 0) {
        places.put(label, at);
        from = at + label.length();
      }
    }
    Map<String, String> given = new LinkedHashMap<>();
    List<String> found = List.copyOf(places.keySet());
    for (int i = 0; i < found.size(); i++) {
      String label = found.get(i);
      int begin = places.getOrDefault(label, 0) + label.length();
      int end = i + 1 < found.size() ? places.getOrDefault(found.get(i + 1), begin) : body.length();
      given.put(label, body.substring(begin, end).replace("```", "").strip());
    }
    return given;
  }

  /** The offset of a label at the beginning of a line. */
  private static int at(String body, String label, int from) {
    int at = body.indexOf(label, from);
    while (at > 0 && body.charAt(at - 1) != '\n') {
      at = body.indexOf(label, at + 1);
    }
    return at;
  }

  /** Whether a value is the template's own placeholder. */
  private boolean isPlaceholder(String value) {
    return value.contains("<") && value.lines().allMatch(line -> text.contains(line.strip()));
  }
}

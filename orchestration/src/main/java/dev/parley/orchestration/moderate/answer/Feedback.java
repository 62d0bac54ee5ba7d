package dev.parley.orchestration.moderate.answer;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/**
 * One finding of a review.
 *
 * @param blocking whether it prevents the approval
 * @param category testing, security, documentation or code_quality
 * @param file a path inside the repository, as the reviewer named it: data, never opened; may be
 *     empty
 * @param line 0 if none was named
 */
public record Feedback(
    boolean blocking, String category, String file, long line, String issue, String suggestion) {
  public static final String TESTING = "testing";
  private static final List<String> CATEGORIES =
      List.of(TESTING, "security", "documentation", "code_quality");
  private static final List<String> BLOCKING = List.of("blocking", "blocker", "critical", "high");

  public static Feedback read(Fields each) {
    String severity = each.text("severity", "").strip().toLowerCase(Locale.ROOT);
    String category =
        each.text("category", "").strip().toLowerCase(Locale.ROOT).replaceAll("[ -]", "_");
    BigDecimal line = Answers.number(each.json("line"));
    return new Feedback(
        BLOCKING.contains(severity),
        CATEGORIES.contains(category) ? category : "code_quality",
        Answers.path(each.text("file", "")),
        line == null ? 0 : line.longValue(),
        Answers.text(each, "issue"),
        Answers.text(each, "suggestion"));
  }

  public static Feedback blocking(String category, String issue, String suggestion) {
    return new Feedback(true, category, "", 0, issue, suggestion);
  }

  public Json json() {
    return Json.object()
        .put("severity", blocking ? "blocking" : "suggestion")
        .put("category", category)
        .put("file", file)
        .put("line", line)
        .put("issue", issue)
        .put("suggestion", suggestion)
        .build();
  }

  /** The text for the agent that does the work. */
  public String text() {
    String place = file.isEmpty() ? "" : "\n   at " + file + (line == 0 ? "" : ":" + line);
    String advice = suggestion.isEmpty() ? "" : "\n   suggestion: " + suggestion;
    return (blocking ? "[blocking] " : "[suggestion] ") + issue + place + advice;
  }
}

package dev.parley.orchestration.moderate.answer;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.orchestration.prompt.UnreadableAnswerException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A possible improvement after all tasks are done.
 *
 * @param category performance, code_quality, testing, documentation, ux or architecture
 * @param priority high, medium or low
 * @param impact high, medium or low
 * @param files as the agent named them: data, never opened
 */
public record Improvement(
    String description,
    String category,
    String priority,
    String impact,
    BigDecimal hours,
    String rationale,
    List<String> files,
    List<String> criteria) {
  private static final List<String> CATEGORIES =
      List.of("performance", "code_quality", "testing", "documentation", "ux", "architecture");
  private static final List<String> LEVELS = List.of("high", "medium", "low");
  private static final BigDecimal HOUR = new BigDecimal("0.5");

  public Improvement {
    files = List.copyOf(files);
    criteria = List.copyOf(criteria);
  }

  /**
   * Ten points for high impact, five for medium, two for low, minus half a point for each hour of
   * effort.
   */
  public BigDecimal score() {
    int weight =
        switch (impact) {
          case "high" -> 10;
          case "medium" -> 5;
          default -> 2;
        };
    return BigDecimal.valueOf(weight).subtract(HOUR.multiply(hours));
  }

  /** Parses an agent's improvements, best first; equal ones in the agent's order. */
  public static List<Improvement> read(String text) throws UnreadableAnswerException {
    Fields answer = Answers.object(text, "improvements");
    List<Improvement> found = new ArrayList<>();
    for (Fields each : answer.objects("improvements")) {
      Improvement improvement = one(each);
      if (found.size() < Answers.MOST_ITEMS) {
        found.add(improvement);
      }
    }
    found.sort(Comparator.comparing(Improvement::score).reversed());
    return Answers.bounded(found, Improvement::json);
  }

  private static Improvement one(Fields each) throws UnreadableAnswerException {
    String description = Answers.text(each, "description");
    String impact = word(each, "impact", LEVELS);
    BigDecimal hours = Answers.number(each.json("effort_hours"));
    List<String> criteria = Answers.texts(each, "acceptance_criteria");
    if (description.isEmpty() || impact.isEmpty() || hours == null || criteria.isEmpty()) {
      throw new UnreadableAnswerException(
          "an improvement needs a description, an impact (high, medium, low), effort_hours and"
              + " acceptance_criteria");
    }
    String category = word(each, "category", CATEGORIES);
    String priority = word(each, "priority", LEVELS);
    return new Improvement(
        description,
        category.isEmpty() ? "code_quality" : category,
        priority.isEmpty() ? impact : priority,
        impact,
        hours,
        Answers.text(each, "rationale"),
        Answers.texts(each, "affected_files").stream()
            .map(Answers::path)
            .filter(path -> !path.isEmpty())
            .toList(),
        criteria);
  }

  private static String word(Fields each, String name, List<String> known) {
    String word = each.text(name, "").strip().toLowerCase(Locale.ROOT).replaceAll("[ -]", "_");
    return known.contains(word) ? word : "";
  }

  public Json json() {
    return Json.object()
        .put("description", description)
        .put("category", category)
        .put("priority", priority)
        .put("impact", impact)
        .put("effort_hours", Answers.json(hours))
        .put("priority_score", Answers.json(score()))
        .put("rationale", rationale)
        .put("affected_files", Json.ofStrings(files))
        .put("acceptance_criteria", Json.ofStrings(criteria))
        .build();
  }

  public static Improvement load(Fields saved) {
    BigDecimal hours = Answers.number(saved.json("effort_hours"));
    return new Improvement(
        saved.text("description", ""),
        saved.text("category", ""),
        saved.text("priority", ""),
        saved.text("impact", ""),
        hours == null ? BigDecimal.ZERO : hours,
        saved.text("rationale", ""),
        saved.texts("affected_files"),
        saved.texts("acceptance_criteria"));
  }
}

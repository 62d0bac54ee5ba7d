package dev.parley.orchestration.moderate.answer;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.prompt.UnreadableAnswerException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a review. The reviewer gives points and findings. The sum, the blocking reasons and
 * the approval are computed here.
 *
 * <pre>
 * no tests                     blocks; test_coverage is 0
 * a gate fails                 blocks; test_coverage is 0
 * a criterion is not met       blocks; acceptance_criteria is 0
 * a finding that is blocking   blocks
 * </pre>
 *
 * @param scores points for each criterion
 * @param blocking why it can't be approved
 */
public record Review(
    Map<Criterion, Integer> scores,
    List<String> blocking,
    List<String> suggestions,
    List<Feedback> feedback) {
  /** The points needed for an approval. */
  public static final int ENOUGH = 80;

  private static final String NO_TESTS = "Missing unit tests";
  private static final String NOT_MET = "Acceptance criteria not fully met";

  public Review {
    scores = Map.copyOf(scores);
    blocking = List.copyOf(blocking);
    suggestions = List.copyOf(suggestions);
    feedback = List.copyOf(feedback);
  }

  public int total() {
    return scores.values().stream().mapToInt(Integer::intValue).sum();
  }

  public boolean approved() {
    return total() >= ENOUGH && blocking.isEmpty();
  }

  /**
   * Parses a reviewer's answer.
   *
   * @param task the reviewed task
   * @param gates the evidence of our own programs; empty without tests
   */
  public static Review read(String text, ProjectTask task, List<Evidence> gates)
      throws UnreadableAnswerException {
    Fields answer = Answers.object(text, "criteria_scores");
    Map<Criterion, Integer> scores = scores(answer.object("criteria_scores"));
    List<Feedback> feedback = new ArrayList<>();
    List<String> blocking = new ArrayList<>();
    tests(gates, feedback);
    List<String> unmet = unmet(answer, task);
    for (Fields each : answer.objects("feedback")) {
      Feedback one = Feedback.read(each);
      if (!one.issue().isEmpty() && feedback.size() < Answers.MOST_ITEMS) {
        feedback.add(one);
      }
    }
    if (!gates.stream().allMatch(Evidence::passed) || hasNoTests(gates)) {
      scores.put(Criterion.TEST_COVERAGE, 0);
    }
    feedback.stream().filter(Feedback::blocking).map(Feedback::issue).forEach(blocking::add);
    if (!unmet.isEmpty()) {
      scores.put(Criterion.ACCEPTANCE_CRITERIA, 0);
      blocking.add(NOT_MET + ": " + String.join("; ", unmet));
    }
    for (String issue : Answers.texts(answer, "blocking_issues")) {
      if (!blocking.contains(issue)) {
        blocking.add(issue);
      }
    }
    return new Review(scores, blocking, Answers.texts(answer, "suggestions"), feedback);
  }

  /** Whether there are no tests, or none of them ran. */
  private static boolean hasNoTests(List<Evidence> gates) {
    return gates.stream()
        .allMatch(gate -> {
          var counts = gate.counts();
          return counts != null && counts.run() == 0;
        });
  }

  private static void tests(List<Evidence> gates, List<Feedback> feedback) {
    if (hasNoTests(gates)) {
      feedback.add(
          Feedback.blocking(
              Feedback.TESTING, NO_TESTS, "Add tests that the project's test command runs."));
    }
    for (Evidence gate : gates) {
      if (!gate.passed()) {
        feedback.add(
            Feedback.blocking(
                Feedback.TESTING,
                "In a clean checkout " + gate.summary(),
                "Make `" + gate.command() + "` succeed in a clean checkout."));
      }
    }
  }

  private static Map<Criterion, Integer> scores(Fields given) throws UnreadableAnswerException {
    Map<Criterion, Integer> scores = new EnumMap<>(Criterion.class);
    for (Criterion criterion : Criterion.values()) {
      BigDecimal points = Answers.number(given.json(criterion.word()));
      if (points == null
          || points.stripTrailingZeros().scale() > 0
          || points.compareTo(BigDecimal.valueOf(criterion.most())) > 0) {
        throw new UnreadableAnswerException(
            criterion.word() + " is not a whole number from 0 to " + criterion.most());
      }
      scores.put(criterion, points.intValue());
    }
    return scores;
  }

  /** The criteria that the reviewer does not call met. */
  private static List<String> unmet(Fields answer, ProjectTask task) {
    List<String> unmet = new ArrayList<>();
    for (int i = 0; i < task.criteria().size(); i++) {
      if (!isMet(answer, i + 1)) {
        unmet.add(task.criteria().get(i));
      }
    }
    return unmet;
  }

  private static boolean isMet(Fields answer, int number) {
    boolean met = false;
    for (Fields each : answer.objects("acceptance")) {
      BigDecimal which = Answers.number(each.json("criterion"));
      if (which != null && which.compareTo(BigDecimal.valueOf(number)) == 0) {
        met = each.flag("met");
      }
    }
    return met;
  }

  public Json scoresJson() {
    Json.ObjectBuilder json = Json.object();
    for (Criterion criterion : Criterion.values()) {
      json.put(criterion.word(), scores.getOrDefault(criterion, 0));
    }
    return json.build();
  }
}

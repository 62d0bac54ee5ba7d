package dev.parley.orchestration.moderate.answer;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.orchestration.prompt.UnreadableAnswerException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One of the tasks, or the improvement at the end.
 *
 * @param id {@code task_001_3fa2c1} or {@code imp_3fa2c1}; unique on a bus
 * @param criteria what must be true afterwards
 * @param dependencies ids of earlier tasks
 * @param improvement the improvement; null for a task
 */
public record ProjectTask(
    String id,
    String description,
    List<String> criteria,
    List<String> dependencies,
    BigDecimal hours,
    @Nullable Improvement improvement) {
  private static final int DIGITS = 6;
  private static final int LONGEST_SLUG = 30;

  public ProjectTask {
    criteria = List.copyOf(criteria);
    dependencies = List.copyOf(dependencies);
  }

  public static ProjectTask of(String project, Improvement improvement) {
    return new ProjectTask(
        "imp_" + Fingerprint.hex(project, DIGITS),
        improvement.description(),
        improvement.criteria(),
        List.of(),
        improvement.hours(),
        improvement);
  }

  private static String id(String project, int number) {
    return String.format(Locale.ROOT, "task_%03d_%s", number, Fingerprint.hex(project, DIGITS));
  }

  /** The first line of the description. */
  public String title() {
    return description.lines().findFirst().orElse("").strip();
  }

  /** The correlation id of its messages. */
  public String correlation() {
    return "corr_" + id;
  }

  /** Its name in branches and folders. */
  public String path() {
    String slug =
        title().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String cut = slug.length() <= LONGEST_SLUG ? slug : slug.substring(0, LONGEST_SLUG);
    return (id + "-" + cut).replaceAll("-$", "");
  }

  /** Parses the tasks in an agent's answer. */
  public static List<ProjectTask> read(String text, String project, int most)
      throws UnreadableAnswerException {
    List<Fields> given = Answers.object(text, "tasks").objects("tasks");
    if (given.isEmpty() || given.size() > most) {
      throw new UnreadableAnswerException(
          "there must be 1 to " + most + " tasks, and there are " + given.size());
    }
    List<ProjectTask> tasks = new ArrayList<>();
    for (Fields each : given) {
      int number = tasks.size() + 1;
      String description = Answers.text(each, "description");
      List<String> criteria = Answers.texts(each, "acceptance_criteria");
      if (description.isEmpty() || criteria.isEmpty()) {
        throw new UnreadableAnswerException(
            "task " + number + " needs a description and acceptance_criteria");
      }
      BigDecimal hours = Answers.number(each.json("estimated_hours"));
      tasks.add(
          new ProjectTask(
              id(project, number),
              description,
              criteria,
              dependencies(each, project, number),
              hours == null ? BigDecimal.ZERO : hours,
              null));
    }
    return Answers.bounded(tasks, ProjectTask::json);
  }

  private static List<String> dependencies(Fields each, String project, int number)
      throws UnreadableAnswerException {
    List<String> found = new ArrayList<>();
    for (Json item : each.items("dependencies")) {
      BigDecimal other = Answers.number(item);
      if (other == null
          || other.stripTrailingZeros().scale() > 0
          || other.signum() == 0
          || other.compareTo(BigDecimal.valueOf(number)) >= 0) {
        throw new UnreadableAnswerException(
            "task " + number + " can depend only on numbers of earlier tasks, not on " + item);
      }
      found.add(id(project, other.intValue()));
    }
    return found.stream().distinct().toList();
  }

  public Json json() {
    Improvement found = improvement;
    Json.ObjectBuilder json =
        Json.object()
            .put("id", id)
            .put("description", description)
            .put("acceptance_criteria", Json.ofStrings(criteria))
            .put("dependencies", Json.ofStrings(dependencies))
            .put("estimated_hours", Answers.json(hours));
    return (found == null ? json : json.put("improvement", found.json())).build();
  }

  public static ProjectTask load(Fields saved) {
    BigDecimal hours = Answers.number(saved.json("estimated_hours"));
    return new ProjectTask(
        saved.text("id", ""),
        saved.text("description", ""),
        saved.texts("acceptance_criteria"),
        saved.texts("dependencies"),
        hours == null ? BigDecimal.ZERO : hours,
        saved.json("improvement") == null ? null : Improvement.load(saved.object("improvement")));
  }
}

package dev.parley.orchestration.moderate;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.MessageType;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import dev.parley.orchestration.moderate.answer.Feedback;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.orchestration.prompt.PromptTemplate;
import dev.parley.orchestration.prompt.QuotedWords;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The prompts of a project. Their texts are resources beside this class. A prompt depends only on
 * the record and on git, so that a resumed run makes the same prompts.
 */
public final class ModeratePrompts {
  private static final PromptTemplate DECOMPOSE = template("decompose.txt");
  private static final PromptTemplate TASK = template("task.txt");
  private static final PromptTemplate FEEDBACK = template("feedback.txt");
  private static final PromptTemplate REVIEW = template("review.txt");
  private static final PromptTemplate IMPROVEMENTS = template("improvements.txt");

  /** How many characters of a change a reviewer is shown; the rest is in the checkout. */
  private static final int MOST_DIFF = 200_000;

  /** How many characters from the end of a failed gate's output a reviewer is shown. */
  private static final int MOST_OUTPUT = 4_000;

  private ModeratePrompts() {}

  private static PromptTemplate template(String name) {
    return PromptTemplate.resource(ModeratePrompts.class, name);
  }

  /** Also used for previews, before the project begins. */
  public static String decompose(String requirements, int most, int round) {
    return DECOMPOSE.fill(
        Map.of(
            "requirements",
            QuotedWords.quote("the requirements", requirements),
            "most",
            Integer.toString(most),
            "round",
            round(round)));
  }

  /** A failed prompt is asked again after a resume, so the round makes it different. */
  private static String round(int round) {
    return round == 1 ? "" : "\nThis was asked before, and came to nothing: attempt " + round + ".";
  }

  static String task(ProjectRecord record, TaskProgress task, boolean interrupted) {
    ProjectTask work = task.task();
    String rest = work.description().lines().skip(1).reduce("", (a, b) -> a + b + "\n").strip();
    String again = interrupted || task.attempt() > 1 ? again(task) : "";
    return TASK.fill(
        Map.of(
            "title",
            work.title(),
            "description",
            rest.isEmpty() ? work.title() : rest,
            "criteria",
            numbered(work.criteria()),
            "requirements",
            QuotedWords.quote("the requirements", record.requirements()),
            "feedback",
            task.state() == TaskProgress.State.RETURNED ? feedback(record, task) : "",
            "again",
            again));
  }

  private static String again(TaskProgress task) {
    return "\nThis is attempt " + task.attempt() + "; an earlier one was given up.\n";
  }

  private static String feedback(ProjectRecord record, TaskProgress task) {
    PullRequest request = Objects.requireNonNull(task.request());
    return FEEDBACK.fill(
        Map.of(
            "number", Long.toString(request.number()),
            "iteration", Integer.toString(task.iteration()),
            "next", Integer.toString(task.iteration() + 1),
            "most", Integer.toString(record.settings().reviews()),
            "score", Integer.toString(task.score()),
            "items", QuotedWords.quote("the reviewer", items(lastFeedback(record, task)))));
  }

  /** The payload of the last feedback on a task; null if there is none. */
  private static @Nullable Json lastFeedback(ProjectRecord record, TaskProgress task) {
    return record.messages().reversed().stream()
        .filter(message -> message.is(MessageType.PR_FEEDBACK))
        .filter(message -> task.task().id().equals(message.text("task_id")))
        .map(AgentMessage::payload)
        .findFirst()
        .orElse(null);
  }

  private static String items(@Nullable Json payload) {
    Fields fields = Fields.of(payload);
    List<String> items = new ArrayList<>();
    List<String> told = new ArrayList<>();
    for (Fields each : fields.objects("feedback")) {
      Feedback one = Feedback.read(each);
      items.add(one.text());
      told.add(one.issue());
    }
    for (String issue : fields.texts("blocking_issues")) {
      if (!told.contains(issue)) {
        items.addFirst("[blocking] " + issue);
      }
    }
    fields.texts("suggestions").forEach(text -> items.add("[suggestion] " + text));
    return numbered(items);
  }

  private static String numbered(List<String> items) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < items.size(); i++) {
      text.append(i + 1).append(". ").append(items.get(i)).append('\n');
    }
    return text.toString().stripTrailing();
  }

  static String review(ProjectRecord record, TaskProgress task, String diff, List<Evidence> gates) {
    PullRequest request = Objects.requireNonNull(task.request());
    String words =
        task.task().description() + "\n\nAcceptance criteria:\n" + numbered(task.task().criteria());
    String change =
        diff.length() <= MOST_DIFF
            ? diff
            : diff.substring(0, MOST_DIFF)
                + "\n(cut: "
                + (diff.length() - MOST_DIFF)
                + " characters left out)";
    Json earlier = task.iteration() > 1 ? lastFeedback(record, task) : null;
    return REVIEW.fill(
        Map.of(
            "number", Long.toString(request.number()),
            "iteration", Integer.toString(task.iteration()),
            "commit", request.head(),
            "task", QuotedWords.quote("the task", words),
            "evidence", evidence(gates),
            "earlier",
                earlier == null
                    ? ""
                    : "\nWhat the review before this one asked for:\n\n"
                        + QuotedWords.quote("the last review", items(earlier))
                        + "\n",
            "change", QuotedWords.quote("the change", change),
            "round", round(record.round())));
  }

  private static String evidence(List<Evidence> gates) {
    if (gates.isEmpty()) {
      return "- there are no tests, and no other commands that check it";
    }
    StringBuilder text = new StringBuilder();
    for (Evidence gate : gates) {
      text.append("- `").append(gate.command()).append("`: ").append(gate.summary()).append('\n');
      if (!gate.passed()) {
        String output = gate.output();
        String end = output.substring(Math.max(0, output.length() - MOST_OUTPUT));
        text.append(QuotedWords.quote("the command", end)).append('\n');
      }
    }
    return text.toString().stripTrailing();
  }

  static String improvements(ProjectRecord record) {
    List<String> done = record.tasks().stream().map(task -> task.task().title()).toList();
    return IMPROVEMENTS.fill(
        Map.of(
            "requirements", QuotedWords.quote("the requirements", record.requirements()),
            "tasks", QuotedWords.quote("the tasks", numbered(done))));
  }

  /** The prompt of each stage, with examples for unknown parts. */
  public static Map<String, String> forms(String requirements, ModerateSettings settings) {
    ProjectTask example =
        new ProjectTask(
            "task_001_000000",
            "(a task)",
            List.of("(its criteria)"),
            List.of(),
            BigDecimal.ZERO,
            null);
    ProjectRecord record =
        ProjectRecord.begin("(project)", ProjectRecord.parameters(requirements, "", "", settings));
    PullRequest request = new PullRequest(1, "", "", "", "(commit)");
    TaskProgress assigned = TaskProgress.pending(example).assigned("", "");
    TaskProgress submitted = assigned.submitted("", request, List.of());
    Map<String, String> forms = new LinkedHashMap<>();
    forms.put("decompose: " + settings.reviewer(), decompose(requirements, settings.tasks(), 1));
    forms.put("implement: " + settings.agent(), task(record, assigned, false));
    forms.put(
        "review: " + settings.reviewer(), review(record, submitted, "(the change)", List.of()));
    if (settings.improve()) {
      forms.put("improve: " + settings.reviewer(), improvements(record));
    }
    return forms;
  }
}

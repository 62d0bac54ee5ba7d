package dev.parley.orchestration.ask;

import dev.parley.core.ParleyException;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.markdown.JournalMessage;
import dev.parley.dialects.markdown.JournalTemplate;
import dev.parley.dialects.markdown.JournalType;
import dev.parley.text.Explanation;
import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Posts the events of a run to the Markdown journal that is mounted on its bus.
 *
 * <pre>
 * PROGRESS   the run begins or goes on, and whatever people are told meanwhile
 * REVIEW     what a review or a meeting found, in the form of the design
 * ERROR      the run failed or reached a limit: what each agent came to, in the form of the design
 * COMPLETE   the run is over, with the files of its artifacts
 * </pre>
 *
 * A resumed run reads the journal first, so it posts nothing twice. If the journal can't be
 * written, the run continues and {@code run.log} says so.
 */
final class RunJournal {
  /** The variable with the task that a run belongs to. */
  static final String TASK = "TASK_ID";

  private static final String NO_TASK = "N/A";
  private static final int MOST_DETAILS = 2_000;

  private final RunFolder folder;
  private final String what;
  private final String sender;
  private final String task;
  private final @Nullable JournalFile file;
  private final Set<String> posted = new HashSet<>();
  private final Map<String, String> attempts = new TreeMap<>();
  private String lastError = "";

  /**
   * @param what the run in a few words, for people
   */
  RunJournal(RunContext context, RunFolder folder, String what) {
    this.folder = folder;
    this.what = what;
    this.sender = context.sender();
    this.task = context.environment().getOrDefault(TASK, NO_TASK);
    Path journal = context.journal();
    this.file = journal == null ? null : new JournalFile(journal);
  }

  /** Reads what earlier processes of the run have posted. */
  void resume() {
    if (file == null || !file.exists()) {
      return;
    }
    attempt(() ->
        file.read().messages().stream()
            .map(placed -> placed.message())
            .filter(message -> folder.id().equals(message.runId()))
            .map(RunJournal::key)
            .forEach(posted::add));
  }

  private static String key(JournalMessage message) {
    return message.type() + "\n" + message.body().strip();
  }

  /** Remembers an agent's result for the report of an error. */
  synchronized void heard(String agent, boolean ok, String error) {
    attempts.put(agent, ok ? "answered" : RunFolder.oneLine(error));
    lastError = ok ? lastError : error;
  }

  void progress(String text) {
    post(JournalType.PROGRESS, text, List.of(), List.of());
  }

  /**
   * Posts a review.
   *
   * @param fields scope, severity, findings, tests and recommendation; line breaks in foreign text
   *     are removed, so that it can't forge a field
   */
  void review(Map<String, String> fields, List<String> files) {
    attempt(() ->
        post(JournalType.REVIEW, JournalTemplate.REVIEW.fill(fields), files, List.of(packet())));
  }

  private String packet() {
    return folder.path().resolve(RunFolder.REVIEW_PACKET).toString();
  }

  /** Posts an error; of several reasons, the one that ended the run. */
  synchronized void error(String reason) {
    List<String> lines = new ArrayList<>();
    attempts.forEach((agent, came) -> lines.add((lines.size() + 1) + ". " + agent + ": " + came));
    String details = (reason + "\n" + lastError).strip();
    details = details.substring(0, Math.min(details.length(), MOST_DETAILS));
    Map<String, String> fields =
        Map.of(
            "task",
            what,
            "attempts",
            lines.isEmpty() ? "1. " + sender + ": no agent was asked" : String.join("\n", lines),
            "error-details",
            "  " + details.replace("```", "` ` `").replace("\n", "\n  "),
            "impact",
            "The run " + folder.id() + " has no result.",
            "suggested-action",
            "Look at it with parley runs show "
                + folder.id()
                + ", then parley runs resume "
                + folder.id()
                + ".");
    attempt(
        () -> post(JournalType.ERROR, JournalTemplate.ERROR.fill(fields), List.of(), List.of()));
  }

  void complete(String summary) {
    post(JournalType.COMPLETE, what + ": " + summary, List.of(), artifacts());
  }

  private List<String> artifacts() {
    File[] files = folder.artifacts().toFile().listFiles(File::isFile);
    return files == null ? List.of() : List.of(files).stream().map(File::getPath).sorted().toList();
  }

  private synchronized void post(
      JournalType kind, String body, List<String> files, List<String> artifacts) {
    if (file == null || !posted.add(kind.name() + "\n" + body.strip())) {
      return;
    }
    attempt(() -> {
      var _ =
          file.post(
              new JournalFile.Draft(kind, sender, folder.id(), task, null, files, artifacts, body),
              Instant.now());
    });
  }

  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (ParleyException e) {
      folder.log("the journal got no message: " + Explanation.messageOf(e));
    }
  }
}

package dev.parley.text;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.LedgerLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One sentence for each code. An unknown code is shown as it is, with its details. */
final class Messages {
  private final Fields details;
  private final Function<Instant, String> times;

  private Messages(Fields details, Function<Instant, String> times) {
    this.details = details;
    this.times = times;
  }

  static String of(String code, Fields details, Function<Instant, String> times) {
    return new Messages(details, times).message(code);
  }

  private String message(String code) {
    return switch (code) {
      // the ledger and its sessions
      case "bad-join" -> "A join needs a session and a valid name.";
      case "bad-stale-after" -> number("seconds") + " s is not a valid time limit for silence.";
      case "bad-status" -> "Unknown status \"" + text("status") + "\".";
      case "clock-is-right" -> "The ledger's clock is not ahead of yours.";
      case "earlier-boot" -> "This line was written before the machine was restarted.";
      case "end-of-time" ->
          "The ledger's clock has reached its end, so every lock and claim would expire at once.";
      case "line-not-met" -> "Line " + text("line") + " no longer exists: the topic was replaced.";
      case "name-taken" ->
          "The name "
              + text("name")
              + " is in use by another session, last active at "
              + time("heard")
              + ".";
      case "nothing-to-undo" ->
          "The effect of this line has already ended, or it cannot be undone.";
      case "reserved-name" -> "The name " + text("name") + " is reserved.";
      case "session-ended" -> "This session no longer owns the name " + text("name") + ".";
      case "too-complex" ->
          "These patterns would take too long to compare. The limit is "
              + number("most")
              + bound()
              + ".";
      case "too-many" -> "The limit of " + number("most") + bound() + " is reached.";
      case "unknown-rules" ->
          "This bus uses rules "
              + number("rules")
              + "; this program supports rules up to "
              + number("known")
              + ".";

      // leases and waits
      case "bad-duration" -> number("seconds") + " s is out of range for " + text("what") + ".";
      case "bad-path" ->
          "\"" + text("path") + "\" is not a path or pattern: " + text("problem") + ".";
      case "bad-paths" -> badPaths();
      case "held" ->
          details.flag("waiting")
              ? text("holder") + " is ahead of you in the queue for it."
              : text("holder")
                  + " holds "
                  + list("paths")
                  + " (since "
                  + time("since")
                  + ", until "
                  + time("until")
                  + ").";
      case "no-reason" ->
          switch (text("what")) {
            case "lease" -> "Breaking a lock needs a reason.";
            case "task" -> "Cancelling a task needs a reason.";
            default -> "Undoing a line needs a reason.";
          };
      case "not-held" ->
          details.text("id") == null
              ? "You do not hold this lock: it has ended, or it was never yours."
              : "The message " + text("id") + " is not held.";
      case "not-offered" -> "There is no open offer for this request.";
      case "not-waiting" -> "This wait has already ended.";
      case "timed-out" -> "Timed out. Still holding it, or ahead of you: " + list("inTheWay") + ".";
      case "unknown-target" -> "Unknown: " + text("target") + ".";
      case "would-deadlock" ->
          (text("by").equals("claim")
                  ? "This claim would create a deadlock: "
                  : "Waiting would create a deadlock: ")
              + circle()
              + ".";

      // tasks
      case "bad-state" -> "Unknown task state \"" + text("state") + "\".";
      case "bad-task" ->
          details.text("task") == null
              ? "The task has no valid id, or one of its lists is too long."
              : "\"" + text("task") + "\" is not a valid task id.";
      case "claimed" ->
          text("owner") + " has owned " + text("task") + " since " + time("since") + ".";
      case "no-cause" -> "The task does not say what it is blocked on.";
      case "no-retry" -> noRetry();
      case "not-ready" -> text("task") + " is not ready: it depends on " + list("waitsFor") + ".";
      case "not-yours" -> notYours();
      case "all-done" -> "All tasks are finished.";
      case "no-tasks" -> "There are no tasks yet.";
      case "nothing-ready" -> nothingReady();
      case "over" -> text("task") + " is already " + text("state") + by("owner", ", by ");
      case "task-cycle" -> "The task would depend on itself: " + circle() + ".";
      case "task-exists" ->
          "Task " + text("task") + " already exists and is " + text("state") + ".";
      case "unknown-task" ->
          details.json("missing") == null
              ? "There is no task \"" + text("task") + "\"."
              : "The task depends on tasks that do not exist: " + list("missing") + ".";

      // boards and bulletins
      case "bad-agenda" -> badAgenda();
      case "bad-assessment" -> "An assessment needs a verdict and a score.";
      case "bad-ballot" -> "A ballot needs a verdict and a confidence.";
      case "bad-confidence" -> "\"" + text("confidence") + "\" is not a valid confidence.";
      case "bad-name" -> "This is not a valid name for a board session.";
      case "bad-notice" ->
          "A bulletin message may have 1 to "
              + number("most")
              + " characters; this one has "
              + number("characters")
              + ".";
      case "bad-policy" -> "Unknown policy \"" + text("policy") + "\".";
      case "bad-remark" -> "A remark needs a kind and a recipient: another elector, or ALL.";
      case "bad-score" -> number("score") + " is not a valid score.";
      case "decided" -> text("board") + " is already decided.";
      case "no-elector" -> text("name") + " is not an elector of " + text("board") + ".";
      case "no-such-condition" -> text("board") + " has no such open condition.";
      case "no-such-session" ->
          details.text("board") == null
              ? "There is no such board session."
              : "There is no board session \"" + text("board") + "\".";
      case "not-decided", "not-now" ->
          text("board")
              + " is in phase "
              + text("phase")
              + " and waits for "
              + list("missing")
              + ".";
      case "same-wave" -> "The two waves are the same.";
      case "session-exists" ->
          "Board session " + text("board") + " already exists, in phase " + text("phase") + ".";
      case "too-many-remarks" ->
          text("board") + " has reached its limit of " + number("most") + " remarks.";
      case "too-much" ->
          details.json("most") == null
              ? "The " + text("what") + " is too long."
              : "There are too many " + text("what") + ", or one of them is empty or too long.";

      // mail
      case "already-ended" ->
          "Message " + text("id") + " is already " + text("state") + " (" + text("note") + ").";
      case "bad-limit" -> number("value") + " is out of range for the limit " + text("limit") + ".";
      case "bad-priority" -> "Unknown priority \"" + text("priority") + "\".";
      case "content-not-text" -> "The content " + text("digest") + " is not text.";
      case "inbox-full" ->
          "The inbox of " + text("agent") + " is full: it holds " + number("count") + " messages.";
      case "no-recipient" -> "The message has no recipient.";
      case "no-reply" ->
          "The message " + text("id") + " is a notice from Parley; nobody would read a reply.";
      case "no-such-dead-letter" -> text("id") + " is not a dead letter that you sent.";
      case "no-such-message" ->
          "There is no message " + text("id") + " in the inbox of " + text("agent") + ".";
      case "nobody-here" ->
          "There is nobody to send it to: " + text("agent") + " is the only agent on this bus.";
      case "reserved-type" ->
          "Types that begin with " + text("reserved") + " are reserved for Parley.";
      case "unknown-elector" -> "Unknown agent " + text("name") + ". The board was not opened.";
      case "unknown-recipient" -> "Unknown agent " + text("name") + ". Nothing was sent.";

      // names, topics and limits
      case "bad-agent-name" -> "The agent name " + quoted("name") + " is not valid.";
      case "bad-cursor-name" -> "The cursor name " + quoted("name") + " is not valid.";
      case "bad-digest" -> quoted("digest") + " is not the digest of a content.";
      case "bad-key" ->
          "An envelope has its own " + text("key") + "; it can't be given as an extra key.";
      case "bad-limits" -> badLimits();
      case "bad-topic" -> "The topic " + quoted("name") + " is not valid: " + badTopic() + ".";
      case "bad-type" ->
          "A type has 1 to "
              + number("most")
              + " characters; this one has "
              + number("characters")
              + ".";
      case "closed" -> "The " + text("what") + " is closed.";
      case "content-missing" -> "The content " + text("digest") + " is not there any more.";
      case "content-too-long" ->
          "The body is longer than "
              + number("most")
              + " bytes, the most this bus keeps (maxContent).";
      case "line-too-long" ->
          "The message would be a line of "
              + number("bytes")
              + " bytes; this bus takes at most "
              + number("most")
              + " (maxLine).";
      case "lost-place" -> text("place") + " is not a place in this topic: " + lostPlace() + ".";
      case "too-deep" ->
          "The payload is nested too deep; this bus takes "
              + number("most")
              + " levels (maxDepth).";
      default -> code + (details.values().isEmpty() ? "" : " " + details.values()) + ".";
    };
  }

  private String badLimits() {
    return details.json("maxLine") == null
        ? "The limit rememberedWriters " + number("rememberedWriters") + " is out of range."
        : "The limits maxLine "
            + number("maxLine")
            + " and maxDepth "
            + number("maxDepth")
            + " are out of range.";
  }

  private String badTopic() {
    return switch (text("problem")) {
      case "long-name" -> number("characters") + " characters are more than " + number("most");
      case "long-part" ->
          "a part of " + number("characters") + " characters is longer than " + number("most");
      case "empty-part" -> "it has an empty part";
      case "character" -> "a part has a character it may not have there";
      default -> text("problem");
    };
  }

  private String lostPlace() {
    return switch (text("problem")) {
      case "other-log" -> "it was read from another log";
      case "no-topic" -> "there is no such topic";
      case "past-end" ->
          details.json("end") == null
              ? "the topic ends before it"
              : "the topic ends at " + number("end");
      case "within-line" -> "no line ends there";
      case "replaced" -> "the topic was replaced since it was read";
      default -> text("problem");
    };
  }

  private String badPaths() {
    if (details.json("given") == null) {
      return "The request has no paths, too many, or an invalid one.";
    }
    return number("given") == 0
        ? "A request needs at least one path."
        : "The request has too many paths, or they are too long.";
  }

  private String noRetry() {
    if (!text("state").equals("failed")) {
      return text("task") + " is " + text("state") + ", not failed.";
    }
    return details.flag("recoverable")
        ? text("task") + " has used all of its " + number("tried") + " attempts."
        : text("task") + " failed for good: its owner said that no attempt can succeed.";
  }

  private String nothingReady() {
    if (number("ready") == 0) {
      long open = number("open");
      return "No task is ready; " + open + (open == 1 ? " is" : " are") + " still open.";
    }
    long ready = number("ready");
    String tasks = ready == 1 ? "1 task is ready" : ready + " tasks are ready";
    List<Fields> held = details.objects("held");
    if (held.isEmpty()) {
      return tasks + ", but none that you are able to do.";
    }
    List<String> files = new ArrayList<>();
    for (Fields one : held) {
      files.add(one.text("task", "") + " (" + one.text("holder", "") + ")");
    }
    return tasks
        + ", but none that you can claim now: others hold files of "
        + String.join(", ", files)
        + ".";
  }

  private String notYours() {
    if (details.text("board") != null) {
      return text("board") + " was opened by " + text("by") + ".";
    }
    String owner = details.text("owner");
    boolean held =
        owner != null && (text("state").equals("claimed") || text("state").equals("blocked"));
    return held
        ? owner + " owns " + text("task") + "."
        : "You do not own "
            + text("task")
            + ": it is "
            + text("state")
            + by("owner", ", last owned by ");
  }

  private String badAgenda() {
    String problem =
        switch (text("problem")) {
          case "checkpoint" -> "the checkpoint may have 1 to " + number("most") + " characters";
          case "electors" -> "a board needs 1 to " + number("most") + " electors";
          case "elector-name" -> "one of the electors is not a valid agent name";
          case "elector-twice" -> "an elector is named twice";
          case "policy" ->
              "the policy " + text("policy") + " does not fit " + number("count") + " electors";
          case "rounds" -> "a discussion may have 0 to " + number("most") + " rounds";
          case "deadline" -> "a phase may last from 1 second to " + number("mostDays") + " days";
          default -> "";
        };
    return problem.isEmpty()
        ? "The agenda is not valid."
        : "The board cannot be opened: " + problem + ".";
  }

  /** The meaning of the ledger's limit, with a space before it. */
  private String bound() {
    for (LedgerLimit bound : LedgerLimit.values()) {
      if (bound.field().equals(details.text("limit"))) {
        return " " + bound.meaning();
      }
    }
    return "";
  }

  private String by(String field, String before) {
    return details.text(field) == null ? "." : before + text(field) + ".";
  }

  private String text(String field) {
    return details.text(field, "");
  }

  private String quoted(String field) {
    return "\"" + text(field) + "\"";
  }

  private long number(String field) {
    return details.number(field, 0);
  }

  private String list(String field) {
    return String.join(", ", details.texts(field));
  }

  private String circle() {
    List<String> way = details.texts("cycle");
    return String.join(" → ", way);
  }

  private String time(String field) {
    Instant time = details.time(field);
    return time == null ? text(field) : times.apply(time);
  }
}

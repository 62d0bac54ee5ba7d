package dev.parley.text;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.LedgerLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One sentence for each code. A code without one is shown as it is, with its details. */
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
      case "bad-join" -> "A join names a session and a valid name.";
      case "bad-stale-after" ->
          "A session can't be called stale after " + number("seconds") + " s.";
      case "bad-status" -> "There is no status \"" + text("status") + "\".";
      case "clock-is-right" -> "The ledger's time is not ahead of yours.";
      case "earlier-boot" -> "The clock of this line is of an earlier boot of the machine.";
      case "end-of-time" ->
          "The ledger's time is the last there is: nothing that is granted now would last.";
      case "line-not-met" ->
          "The line " + text("line") + " is not there any more: the topic was replaced.";
      case "name-taken" ->
          text("name")
              + " is here already: another session has this name, last heard of at "
              + time("heard")
              + ".";
      case "nothing-to-undo" -> "What the line did is over already, or can't be undone.";
      case "reserved-name" ->
          "Nobody can be called " + text("name") + ": the name has a meaning of its own.";
      case "session-ended" -> "This session does not have the name " + text("name") + " any more.";
      case "too-complex" ->
          "These patterns take too long to compare: at most " + number("most") + bound() + ".";
      case "too-many" ->
          "There are as many" + bound() + " as there may be: " + number("most") + ".";
      case "unknown-rules" ->
          "This bus follows rules "
              + number("rules")
              + "; this program knows "
              + number("known")
              + " and older.";

      // leases and waits
      case "bad-duration" -> text("what") + " can't be " + number("seconds") + " s.";
      case "bad-path" ->
          "\"" + text("path") + "\" is not a path or pattern: " + text("problem") + ".";
      case "bad-paths" -> badPaths();
      case "held" ->
          details.flag("waiting")
              ? text("holder") + " is before you in the line for it."
              : text("holder")
                  + " holds "
                  + list("paths")
                  + " since "
                  + time("since")
                  + " until "
                  + time("until")
                  + ".";
      case "no-reason" ->
          switch (text("what")) {
            case "lease" -> "A lease is not broken without a reason.";
            case "task" -> "A task is not cancelled without a reason.";
            default -> "Nothing is undone without a reason.";
          };
      case "not-held" ->
          details.text("id") == null
              ? "This token stands for nothing (any more): the lease has ended, or was never yours."
              : "The message " + text("id") + " is not held.";
      case "not-offered" -> "Nothing is offered to this request (any more).";
      case "not-waiting" -> "This wait is over already.";
      case "timed-out" ->
          "The time is over, and it is not free yet: " + list("inTheWay") + " came first.";
      case "unknown-target" -> "Nobody knows of " + text("target") + ".";
      case "would-deadlock" ->
          (text("by").equals("claim")
                  ? "With this claim a circle of waits would close: "
                  : "Waiting would close a circle: ")
              + circle()
              + ".";

      // tasks
      case "bad-state" -> "There is no task state \"" + text("state") + "\".";
      case "bad-task" ->
          details.text("task") == null
              ? "The task has no proper name, or too much of something."
              : "\"" + text("task") + "\" can't be the name of a task.";
      case "claimed" ->
          text("owner") + " works on " + text("task") + " since " + time("since") + ".";
      case "no-cause" -> "It is not said what it waits for.";
      case "no-retry" -> noRetry();
      case "not-ready" -> text("task") + " waits for " + list("waitsFor") + ".";
      case "not-yours" -> notYours();
      case "nothing-ready" -> nothingReady();
      case "over" -> text("task") + " is " + text("state") + " already" + by("owner", ", by ");
      case "task-cycle" -> "It would depend on itself: " + circle() + ".";
      case "task-exists" -> "There is a task " + text("task") + " already, " + text("state") + ".";
      case "unknown-task" ->
          details.json("missing") == null
              ? "There is no task \"" + text("task") + "\"."
              : "It depends on what nobody has added: " + list("missing") + ".";

      // boards and bulletins
      case "bad-agenda" -> badAgenda();
      case "bad-assessment" -> "An assessment has a verdict and a score.";
      case "bad-ballot" -> "A ballot has a verdict and a confidence.";
      case "bad-confidence" -> "\"" + text("confidence") + "\" is no confidence.";
      case "bad-name" -> "A session can't be called so.";
      case "bad-notice" ->
          "A notice has 1 to "
              + number("most")
              + " characters; this one has "
              + number("characters")
              + ".";
      case "bad-policy" -> "There is no policy \"" + text("policy") + "\".";
      case "bad-remark" -> "A remark is of a kind, and to another elector or to ALL.";
      case "bad-score" -> "A score can't be " + number("score") + ".";
      case "decided" -> text("board") + " is decided, and nothing changes that.";
      case "no-elector" -> text("name") + " has no say in " + text("board") + ".";
      case "no-such-condition" ->
          "No such condition was carried over to " + text("board") + ", or it is met already.";
      case "no-such-session" ->
          details.text("board") == null
              ? "There is no such session of a board."
              : "There is no session \"" + text("board") + "\" of a board.";
      case "not-decided", "not-now" ->
          text("board")
              + " is in phase "
              + text("phase")
              + ": "
              + list("missing")
              + " did not say anything yet.";
      case "same-wave" -> "Nothing is carried from a wave to itself.";
      case "session-exists" ->
          "There is a session " + text("board") + " already, in phase " + text("phase") + ".";
      case "too-many-remarks" ->
          "In "
              + text("board")
              + " "
              + number("most")
              + " things were said, which is all there can be.";
      case "too-much" ->
          details.json("most") == null
              ? "The " + text("what") + " is too long."
              : "There are too many " + text("what") + ", or one is empty or too long.";

      // mail
      case "already-ended" ->
          "The message " + text("id") + " is " + text("state") + " already (" + text("note") + ").";
      case "bad-limit" -> "The limit " + text("limit") + " can't be " + number("value") + ".";
      case "bad-priority" -> "There is no priority \"" + text("priority") + "\".";
      case "content-not-text" -> "The content " + text("digest") + " is not text.";
      case "inbox-full" ->
          "The inbox of "
              + text("agent")
              + " is full: "
              + number("count")
              + " messages wait (limit messages).";
      case "no-recipient" -> "The message names nobody.";
      case "no-such-dead-letter" -> text("id") + " is not a dead letter that you sent.";
      case "no-such-message" ->
          "There is no message " + text("id") + " in the inbox of " + text("agent") + ".";
      case "nobody-here" ->
          "There is nobody to send it to: " + text("agent") + " is alone on the roster.";
      case "reserved-type" -> "Types that begin with " + text("reserved") + " are Parley's own.";
      case "unknown-elector" ->
          "Nobody here is called " + text("name") + ". The board was not opened.";
      case "unknown-recipient" -> "Nobody here is called " + text("name") + ". Nothing was sent.";
      default -> code + (details.values().isEmpty() ? "" : " " + details.values()) + ".";
    };
  }

  private String badPaths() {
    if (details.json("given") == null) {
      return "The request names no paths, too many, or something that is no path.";
    }
    return number("given") == 0
        ? "A request names at least one path."
        : "These are too many paths for one request, or too long ones.";
  }

  private String noRetry() {
    if (!text("state").equals("failed")) {
      return text("task") + " is " + text("state") + ", not failed.";
    }
    return details.flag("recoverable")
        ? text("task") + " was tried " + number("tried") + " times, which is all it may be."
        : "What happened to " + text("task") + " is not recoverable.";
  }

  private String nothingReady() {
    if (number("ready") == 0) {
      return "No task is ready; " + number("open") + " are not over yet.";
    }
    String none = "None of the " + number("ready") + " ready tasks is one that you can do";
    List<Fields> held = details.objects("held");
    if (held.isEmpty()) {
      return none + ".";
    }
    List<String> files = new ArrayList<>();
    for (Fields one : held) {
      files.add(one.text("task", "") + " are held by " + one.text("holder", ""));
    }
    return none + " now: the files of " + String.join(", of ", files) + ".";
  }

  private String notYours() {
    if (details.text("board") != null) {
      return text("board") + " was opened by " + text("by") + ".";
    }
    return text("task")
        + " is not yours (any more): it is "
        + text("state")
        + by("owner", ", last claimed by ");
  }

  private String badAgenda() {
    String problem =
        switch (text("problem")) {
          case "checkpoint" -> "a checkpoint has 1 to " + number("most") + " characters";
          case "electors" -> "a board has 1 to " + number("most") + " electors";
          case "elector-name" -> "an elector is an agent, and one of these is no agent's name";
          case "elector-twice" -> "an elector is named twice";
          case "policy" ->
              "the policy " + text("policy") + " does not fit " + number("count") + " electors";
          case "rounds" -> "a discussion has 0 to " + number("most") + " rounds";
          case "deadline" -> "a phase lasts 1 second to " + number("mostDays") + " days";
          default -> "";
        };
    return problem.isEmpty()
        ? "The agenda is not one that a board can follow."
        : "This board can't meet: " + problem + ".";
  }

  /** What the ledger's bound is about, with a space before it. */
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

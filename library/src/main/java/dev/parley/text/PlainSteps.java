package dev.parley.text;

import dev.parley.coordination.fold.Fields;

/** The next step for each code, without the name of a command or tool. */
final class PlainSteps {
  private PlainSteps() {}

  static String after(String code, Fields details) {
    return switch (code) {
      case "already-ended" -> "To continue the conversation, send a new message in its thread.";
      case "bad-agenda" -> "Change the agenda.";
      case "bad-assessment" ->
          "Give a verdict (APPROVE, CONCERNS or REJECT) and a score from 1 to 10.";
      case "bad-ballot" ->
          "Give a verdict (APPROVE, REJECT or ABSTAIN) and a confidence from 0 to 1.";
      case "bad-confidence" -> "Use a number from 0 to 1, such as 0.8.";
      case "bad-duration" ->
          "Use " + details.number("least", 0) + " s to " + details.number("most", 0) + " s.";
      case "bad-join", "session-ended" -> "Join again.";
      case "bad-limit" -> "Use 1 to " + details.number("most", 0) + ".";
      case "bad-name" -> "Use letters, digits, _ and -.";
      case "bad-notice" -> "Shorten it, or name a file that holds the rest.";
      case "bad-path" ->
          "Use a path relative to the root of the working tree, such as src/a.ts, src/ or"
              + " src/**/*.java.";
      case "bad-paths" -> badPaths(details);
      case "bad-policy" -> "Use five, majority, unanimous or at-least-<n>, such as at-least-3.";
      case "bad-priority" -> "Use low, normal, high or critical.";
      case "bad-remark" ->
          "Name the kind (CHALLENGE, AGREE, QUESTION or CLARIFY), and an elector: "
              + list(details, "electors")
              + ".";
      case "bad-score" -> "Use 1 to " + details.number("best", 0) + ".";
      case "bad-stale-after" -> "Use 1 second to 365 days.";
      case "bad-state" -> "Use one of " + list(details, "states") + ".";
      case "bad-status" -> "Use one of " + list(details, "statuses") + ".";
      case "bad-task" ->
          details.text("task") == null
              ? "Change it."
              : "Use letters, digits, dots, _ and -, such as 1.2 or write-tests; at most "
                  + details.number("characters", 0)
                  + " characters.";
      case "claimed", "over" -> "Claim another task.";
      case "clock-is-right" -> "There is nothing to reset.";
      case "content-not-text" -> "Ask the sender for the text.";
      case "decided" -> "Look at its resolution.";
      case "earlier-boot" -> "Try again.";
      case "end-of-time" -> "Find the line with this time and undo it.";
      case "held" ->
          details.flag("waiting")
              ? "Wait for it."
              : "Wait for it, or ask " + details.text("holder", "") + ".";
      case "inbox-full" ->
          "Nothing was sent. "
              + details.text("agent", "")
              + " must process some messages first, or raise the limit.";
      case "line-not-met" -> "Read the topic again, then retry.";
      case "name-taken" ->
          "Use another name, or end that session; after "
              + details.number("staleAfter", 0)
              + " s of silence the name is free.";
      case "no-cause" -> "Name what it is blocked on.";
      case "no-elector" -> "Its electors are " + list(details, "electors") + ".";
      case "no-reason" -> "Give a reason.";
      case "no-recipient" -> "Name one or several agents, or all.";
      case "no-retry" -> "Add a new task for the work.";
      case "no-reply" ->
          details.text("from") == null
              ? "Mark it as done."
              : "Send a message to " + details.text("from") + ".";
      case "no-such-condition" -> "List the conditions of the session.";
      case "no-such-dead-letter" -> "List the dead letters.";
      case "no-such-message" -> "List the inbox.";
      case "no-such-session" -> nearest(details) + "List the board sessions.";
      case "nobody-here" -> "Name a recipient, or announce the agents you expect.";
      case "not-decided" -> "Wait for them, or end the phase.";
      case "not-held" ->
          details.text("id") == null
              ? "Stop writing to these paths and request the lock again."
              : "List the messages that are held.";
      case "not-now" -> "Look at the session to see what it needs.";
      case "not-offered" -> "Ask again.";
      case "not-ready" -> "Claim another task, or wait.";
      case "not-waiting" -> "Continue.";
      case "not-yours" ->
          details.text("board") == null
              ? "Claim a task that is ready."
              : "A phase ends when all electors have answered; before that, only the agent that"
                  + " opened the session can end it.";
      case "all-done" -> "There is nothing more to do.";
      case "no-tasks" -> "Add a task.";
      case "nothing-ready" ->
          details.number("open", 0) == 0 ? "There is nothing more to do." : "Wait for one.";
      case "nothing-to-undo" -> "List the lines that can be undone.";
      case "reserved-name", "session-exists", "task-exists" -> "Use another name.";
      case "reserved-type" -> "Choose another type, such as task, question or result.";
      case "same-wave" -> "Name the next wave.";
      case "task-cycle" -> "Leave out one of these dependencies.";
      case "timed-out" -> "Do something else first, or try again: you are no longer in the queue.";
      case "too-complex" -> "Use fewer patterns, or paths without wildcards.";
      case "too-many" -> "Wait until some have ended.";
      case "too-many-remarks" -> "End the discussion.";
      case "too-much" ->
          details.json("most") == null
              ? "At most " + details.number("characters", 0) + " characters."
              : "At most "
                  + details.number("most", 0)
                  + ", each of 1 to "
                  + details.number("characters", 0)
                  + " characters.";
      case "unknown-elector" ->
          nearest(details) + "Use a known name, or announce that you expect this one.";
      case "unknown-recipient" -> nearest(details) + "Use the name of an agent on this bus.";
      case "unknown-rules" -> "Install a newer version of Parley. Reading still works.";
      case "unknown-target" -> "Name an agent, task, path or board that exists.";
      case "unknown-task" ->
          details.json("missing") == null
              ? "List the tasks."
              : "Add them first, or state that they will be added later.";
      case NextSteps.UNREADABLE -> "Remove the message if you cannot use it.";
      case "would-deadlock" ->
          details.text("by", "").equals("claim")
              ? "End your wait first, or claim another task."
              : "Release what the others wait for, or do something else first.";

      // names, topics and limits
      case "bad-agent-name" ->
          "Use at most "
              + details.number("most", 0)
              + " letters, digits, _ and -, with single dots between, such as worker-1.2.";
      case "bad-cursor-name" -> "Use letters, digits, _ and -, with single dots between.";
      case "bad-digest" -> "A digest is sha256: and 64 digits.";
      case "bad-key" -> "Use another key.";
      case "bad-limits" -> badLimits(details);
      case "bad-topic" ->
          "Use letters, digits, _ and -, in parts joined by single dots, such as notes.build.";
      case "bad-type" -> "Choose a short type such as note or task.result.";
      case "closed" -> "Open it again.";
      case "content-missing" -> "Ask the sender to send it again.";
      case "content-too-long" ->
          "Put it into a file and send its path, or raise maxContent in bus.json.";
      case "line-too-long" ->
          "Put the content into a file and send its path, or raise maxLine in bus.json.";
      case "lost-place" -> "Read the topic again from the start.";
      case "too-deep" -> "Send a flatter value, or the content as text.";

      // the bus, its folder and its keys
      case "bad-bus-json" -> "Check the bus.";
      case "io-error" -> "Check the bus.";
      case "ephemeral" -> "Make a bus that stays.";
      case "mounted" -> "Unmount them first.";
      case "no-bus" -> "Make one, or name one.";
      case "no-keys" -> "Require signatures first.";
      case "not-registered" -> "Accept it on this machine first, or make one that stays.";
      case "not-trusted" -> "Accept it on this machine first.";
      case "not-your-key" -> "Use another name, or have a person bind a new key.";
      case "owners-key" -> "Lift and require signatures to begin anew.";
      case "unknown-outcome" -> "Check whether it is there before you send it again.";
      case "unusable-key" -> "Restore it from a copy, or have a person bind a new key.";
      default -> "";
    };
  }

  private static String badLimits(Fields details) {
    return details.json("maxLine") == null
        ? "Use 1 to " + details.number("most", 0) + "."
        : "Use "
            + details.number("leastLine", 0)
            + " to "
            + details.number("mostLine", 0)
            + " bytes and "
            + details.number("leastDepth", 0)
            + " to "
            + details.number("mostDepth", 0)
            + " levels.";
  }

  private static String badPaths(Fields details) {
    long most = details.number("most", 0);
    return details.json("given") == null
        ? "Name 1 to " + most + " paths relative to the root of the working tree."
        : "Name 1 to "
            + most
            + ", with "
            + details.number("characters", 0)
            + " characters together; or a folder or pattern.";
  }

  /** A question with the most similar known name; empty if none is similar. */
  static String nearest(Fields details) {
    String nearest = details.text("nearest");
    return nearest == null ? "" : "Did you mean " + nearest + "? ";
  }

  static String list(Fields details, String field) {
    return String.join(", ", details.texts(field));
  }
}

package dev.parley.text;

import dev.parley.coordination.fold.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next step for each code, where a command says it best. */
final class ShellSteps {
  private ShellSteps() {}

  static @Nullable String after(String code, Fields details) {
    String board = details.text("board", "");
    String task = details.text("task", "");
    return switch (code) {
      case "already-ended" ->
          "To continue the thread: parley send "
              + details.text("from", "")
              + " --thread "
              + details.text("thread", "");
      case "bad-agenda" -> "parley board --help";
      case "bad-assessment" -> "Give --verdict APPROVE, CONCERNS or REJECT, and --score 1 to 10.";
      case "bad-ballot" -> "Give --verdict APPROVE, REJECT or ABSTAIN, and --confidence 0 to 1.";
      case "bad-remark" ->
          "Give --kind CHALLENGE, AGREE, QUESTION or CLARIFY, and --to one of: "
              + PlainSteps.list(details, "electors");
      case "claimed", "over" -> "Pick another: parley task next";
      case "decided" -> "See the result: parley board show " + board;
      case "end-of-time" -> "Find the line: parley doctor";
      case "held" ->
          details.flag("waiting")
              ? "Wait for it: add --wait 5m"
              : "Wait for it (--wait 5m), or ask the holder: parley send "
                  + details.text("holder", "")
                  + " --type question <text>";
      case "inbox-full" ->
          "Nothing was sent. "
              + details.text("agent", "")
              + " must process some messages first, or raise the limit: parley inbox limits"
              + " --messages <n>";
      case "name-taken" ->
          "Use another name, or end that session (parley leave, or parley join --take-over); after "
              + details.number("staleAfter", 0)
              + " s of silence the name is free.";
      case "no-cause" -> "Name it, for example --on bob";
      case "no-retry" -> "Add a new task for the work: parley task add";
      case "no-reply" -> ofParley(details);
      case "no-such-condition" -> "List its conditions: parley board show " + board;
      case "no-such-dead-letter" -> "List the dead letters: parley inbox dead";
      case "no-such-message" -> "List your messages: parley inbox";
      case "no-such-session" ->
          PlainSteps.nearest(details) + "List the sessions: parley board list";
      case "nobody-here" ->
          "Name a recipient, or announce the agents you expect: parley who --expect <names>";
      case "not-decided" ->
          "Wait for them (--wait 5m), or end the phase: parley board advance " + board;
      case "not-held" ->
          details.text("id") == null
              ? "Stop writing to these paths and lock them again: parley lock"
              : "List the held messages: parley inbox held";
      case "not-now" -> "See what it needs: parley board show " + board;
      case "not-ready" -> notReady(details.texts("waitsFor"));
      case "not-yours" -> board.isEmpty() ? notOwner(details, task) : null;
      case "nothing-ready" ->
          details.number("open", 0) == 0 ? null : "Wait for one: parley task next --wait 5m";
      case "no-tasks" -> "Add one: parley task add --title <text>";
      case "nothing-to-undo" -> "List the lines that can be undone: parley doctor";
      case "same-wave" -> "Name the next wave: --to";
      case "session-ended" -> "Join again: parley join --as " + details.text("name", "");
      case "session-exists" -> "Use another name, or look at it: parley board show " + board;
      case "task-exists" -> "Use another id, or look at it: parley task show " + task;
      case "too-many" ->
          "Wait until some have ended, or raise the limit: parley config list. parley doctor names"
              + " what should not be there.";
      case "too-many-remarks" -> "End the discussion: parley board advance " + board;
      case "unknown-elector" ->
          PlainSteps.nearest(details)
              + "List the agents: parley who. If this one joins later: parley who --expect "
              + details.text("name", "");
      case "unknown-recipient" ->
          PlainSteps.nearest(details)
              + "List the agents: parley who. If "
              + details.text("name", "")
              + " joins later, add --anyway.";
      case "unknown-rules" ->
          "Install a newer version of Parley. Reading still works: parley tail. If nobody uses a"
              + " newer version, parley doctor names the line and how to undo it.";
      case "unknown-target" -> "List agents and tasks: parley who, parley task list";
      case "unknown-task" ->
          details.json("missing") == null
              ? "List the tasks: parley task list"
              : "Add them first, or add --later if they will be added later.";
      case NextSteps.UNREADABLE ->
          "To remove the message: parley inbox rm " + details.text("id", "");

      // the bus, its folder and its keys
      case "bad-bus-json" -> "Run parley doctor.";
      case "io-error" -> "Run parley doctor.";
      case "ephemeral" -> "Make one that stays: parley init";
      case "mounted" -> "Unmount them first: parley mount list";
      case "no-bus" -> "Make one with parley init, or name one with --bus.";
      case "no-keys" -> "Require them first: parley keys require";
      case "not-registered" ->
          "Accept it on this machine first: parley trust. Or make one that stays: parley init";
      case "not-trusted" ->
          "parley trust shows what it would make Parley do, and accepts it; parley tail and parley"
              + " doctor show what is in it.";
      case "not-your-key" ->
          "Use another name, or have a person bind a new key: parley keys change <agent>";
      case "owners-key" -> "Lift and require signatures to begin anew: parley keys lift";
      case "unknown-outcome" -> "Check with parley tail before you send it again.";
      case "unusable-key" ->
          "Restore it from a copy, or have a person bind a new key: parley keys change <agent>";
      default -> null;
    };
  }

  /** One wait is for one task, so several have no such command. */
  private static String notReady(List<String> waitsFor) {
    return waitsFor.size() == 1
        ? "Pick another (parley task next), or wait: parley wait task:" + waitsFor.getFirst()
        : "Pick another, or wait until one is ready: parley task next --wait 5m";
  }

  private static String notOwner(Fields details, String task) {
    String owner = details.text("owner", "");
    return details.text("state", "").equals("ready")
        ? "Claim it first: parley task claim " + task
        : owner.isEmpty()
            ? "Pick another: parley task next"
            : "If you are " + owner + ", add --as " + owner + ". To pick another: parley task next";
  }

  private static String ofParley(Fields details) {
    String from = details.text("from", "");
    return from.isEmpty()
        ? "To mark it as done: parley inbox ack " + details.text("id", "")
        : "To answer "
            + from
            + ": parley send "
            + from
            + " --thread "
            + details.text("thread", "")
            + " <text>";
  }
}

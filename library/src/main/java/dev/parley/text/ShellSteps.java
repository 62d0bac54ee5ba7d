package dev.parley.text;

import dev.parley.coordination.fold.Fields;
import org.jspecify.annotations.Nullable;

/** The next step for each code where a command says it best. */
final class ShellSteps {
  private ShellSteps() {}

  static @Nullable String after(String code, Fields details) {
    String board = details.text("board", "");
    String task = details.text("task", "");
    return switch (code) {
      case "already-ended" ->
          "To say more in its thread: parley send "
              + details.text("from", "")
              + " --thread "
              + details.text("thread", "");
      case "bad-agenda" -> "parley board --help";
      case "bad-assessment" -> "Say --verdict APPROVE, CONCERNS or REJECT, and --score 1 to 10.";
      case "bad-ballot" -> "Say --verdict APPROVE, REJECT or ABSTAIN, and --confidence 0 to 1.";
      case "bad-remark" ->
          "Say --kind CHALLENGE, AGREE, QUESTION or CLARIFY, and --to one of: "
              + PlainSteps.list(details, "electors");
      case "claimed", "over" -> "Take another: parley task next";
      case "decided" -> "See what it came to: parley board show " + board;
      case "end-of-time" -> "parley doctor tells which line says so.";
      case "held" ->
          details.flag("waiting")
              ? "Wait for it (--wait 5m)."
              : "Wait for it (--wait 5m), or ask: parley send "
                  + details.text("holder", "")
                  + " --type question";
      case "inbox-full" ->
          "Nothing was sent. "
              + details.text("agent", "")
              + " must deal with some, or raise it: parley inbox limits --messages <n>";
      case "name-taken" ->
          "Use another name, or let that one leave (parley leave); after "
              + details.number("staleAfter", 0)
              + " s of silence the name is free.";
      case "no-cause" -> "Say it: --on bob";
      case "no-retry" -> "Add another task for it: parley task add";
      case "no-such-condition" -> "parley board show " + board + " lists those that were.";
      case "no-such-dead-letter" -> "parley inbox dead lists them.";
      case "no-such-message" -> "parley inbox lists what is there.";
      case "no-such-session" -> PlainSteps.nearest(details) + "parley board list";
      case "nobody-here" -> "Name somebody, or say whom you expect: parley who --expect <names>";
      case "not-decided" ->
          "Wait for them (--wait 5m), or end the phase: parley board advance " + board;
      case "not-held" ->
          details.text("id") == null
              ? "Stop writing to these paths and ask again: parley lock"
              : "parley inbox held lists those.";
      case "not-now" -> "parley board show " + board + " tells what is to be done.";
      case "not-ready" ->
          "Take another (parley task next), or wait: parley wait task:"
              + String.join(" task:", details.texts("waitsFor"));
      case "not-yours" -> board.isEmpty() ? "Claim it: parley task claim " + task : null;
      case "nothing-ready" ->
          details.number("open", 0) == 0 ? null : "Wait for one: parley task next --wait 5m";
      case "nothing-to-undo" -> "parley doctor names the lines that can be.";
      case "same-wave" -> "Name the next wave: --to";
      case "session-ended" -> "Join again: parley join --as " + details.text("name", "");
      case "session-exists" -> "Use another name, or parley board show " + board + ".";
      case "task-exists" -> "Use another name, or parley task show " + task + ".";
      case "too-many" ->
          "Wait until some have ended; parley doctor names what should not be there.";
      case "too-many-remarks" -> "End the discussion: parley board advance " + board;
      case "unknown-elector" ->
          PlainSteps.nearest(details)
              + "parley who lists who is here; say whom you expect: parley who --expect "
              + details.text("name", "");
      case "unknown-recipient" ->
          PlainSteps.nearest(details)
              + "parley who lists who is here; --anyway leaves it for "
              + details.text("name", "")
              + " to find.";
      case "unknown-rules" ->
          "Use a newer parley. Reading is still possible: parley tail. If nobody here uses a newer"
              + " one, parley doctor names the line and how to undo it.";
      case "unknown-target" -> "parley who, parley task list";
      case "unknown-task" ->
          details.json("missing") == null
              ? "parley task list shows them."
              : "Add that first, or say that it will come (--later).";
      case NextSteps.UNREADABLE ->
          "parley inbox rm " + details.text("id", "") + " takes this one away.";

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
}

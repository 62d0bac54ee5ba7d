package dev.parley.mcp.tools;

import dev.parley.coordination.fold.Fields;
import dev.parley.text.NextSteps;
import org.jspecify.annotations.Nullable;

/** The next step after a refusal, in terms of our tools. */
public final class ToolSteps {
  public static final NextSteps STEPS = ToolSteps::after;

  private ToolSteps() {}

  private static @Nullable String after(String code, Fields details) {
    return switch (code) {
      case "held" -> "Do other work, call lock with wait_seconds, or send the holder a question.";
      case "timed-out" -> "Do other work, or call lock again: your place in the line is gone.";
      case "unknown-recipient" -> "Call who for the names.";
      case "nobody-here" -> "Call who. Nobody else has joined yet.";
      case "no-such-message" -> "Call inbox for the ids.";
      case "already-ended" -> "To say more, call send with to.";
      case "claimed", "over", "not-ready" -> "Call task with action next for another.";
      case "nothing-ready" ->
          details.number("open", 0) == 0
              ? "All is done."
              : "Call task with action list, or wait for mail.";
      case "unknown-task" -> "Call task with action list.";
      case "not-yours" -> "Call task with action claim first.";
      case "not-held" -> "Stop editing these paths and call lock again.";
      case "no-such-session", "session-exists", "not-now", "decided", "not-decided" ->
          "Call board with action list or show.";
      default -> null;
    };
  }
}

package dev.parley.cli.wake;

import dev.parley.cli.terminal.Times;
import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.WakeState;
import dev.parley.mcp.wake.Wakefulness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the attempts to wake an agent. */
public final class WakeText {
  private WakeText() {}

  /** Whether an agent can be woken, and why not. */
  public static String ability(Wakefulness known) {
    return known.able() && known.way() != null
        ? "by " + known.way().word()
        : "no: " + reason(known.why());
  }

  /** The same as a sentence about an agent. */
  public static String sentence(String agent, Wakefulness known) {
    return known.able() && known.way() != null
        ? agent + " can be woken " + ability(known) + "."
        : agent + " can't be woken: " + reason(known.why()) + ".";
  }

  public static String reason(@Nullable String code) {
    return switch (code) {
      case null -> "for an unknown reason";
      case "not-known" -> "no way is set up (parley setup)";
      case "host-has-no-way" -> "its host offers no way";
      case "no-call-yet" -> "its host has not called Parley yet";
      case "nobody-waits" -> "nobody waits for its mail";
      case "no-answer" -> "it did nothing after it was woken";
      case "pending" -> "it was just being woken";
      case "cool-down" -> "it had been woken a moment ago";
      case "too-many" -> "it had been woken too often in the last hour";
      case "pair" -> "it and the sender kept waking each other";
      case "person-is-typing" -> "somebody is typing in its pane";
      case "pane-busy" -> "its pane does not stand still";
      case "pane-takes-no-text" -> "its pane takes no text";
      default -> code.replace('-', ' ');
    };
  }

  /** The last attempt in a few words. */
  static String last(@Nullable Wake wake, Times times) {
    if (wake == null) {
      return "-";
    }
    Wake.Step step = wake.steps().getLast();
    String said = wake.state().word() + " " + times.ago(step.at());
    return wake.state() == WakeState.DELIVERED
        ? said + ", has not acted since"
        : step.why() == null ? said : said + ": " + reason(step.why());
  }

  /** An attempt, one line a step. */
  public static List<String> steps(String agent, Wake wake, Times times) {
    return wake.steps().stream()
        .map(step ->
            times.clock(step.at().plus(times.ahead()))
                + "  wake "
                + step.state().word()
                + (step.state() == WakeState.REQUESTED ? " by " + wake.way().word() : "")
                + (step.why() == null ? "" : " (" + reason(step.why()) + ")")
                + "  wakes."
                + agent.replace('.', '~')
                + "@"
                + step.position())
        .toList();
  }
}

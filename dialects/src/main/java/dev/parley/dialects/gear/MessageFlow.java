package dev.parley.dialects.gear;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Bus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lists who told whom what in a project: time, from → to, TYPE, what it is about. */
public final class MessageFlow {
  private MessageFlow() {}

  /** The messages of a project, the oldest first. */
  public static List<AgentMessage> messages(Bus bus, String project) {
    GearCodec codec = new GearCodec(project);
    return MessageBus.history(bus, project).stream().map(codec::fromLog).toList();
  }

  /** The listing, columns under each other. */
  public static List<String> lines(List<AgentMessage> messages) {
    int who = messages.stream().mapToInt(one -> who(one).length()).max().orElse(0);
    int type = messages.stream().mapToInt(one -> one.messageType().length()).max().orElse(0);
    List<String> lines = new ArrayList<>();
    for (AgentMessage one : messages) {
      String line =
          time(one.timestamp())
              + "  "
              + padded(who(one), who)
              + "  "
              + padded(one.messageType().toUpperCase(Locale.ROOT), type)
              + "  "
              + what(one);
      lines.add(line.stripTrailing());
    }
    return lines;
  }

  private static String who(AgentMessage message) {
    return message.fromAgent() + " → " + message.toAgent();
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  /** The time of day as it is written. */
  private static String time(String timestamp) {
    return timestamp.length() >= 19 ? timestamp.substring(11, 19) : "--:--:--";
  }

  private static String what(AgentMessage message) {
    Fields payload = Fields.of(message.payload());
    return switch (message.messageType()) {
      case "pr_submitted", "pr_approved" -> pullRequest(payload);
      case "pr_feedback" -> "Score: " + shown(payload, "score");
      case "improvement_requested", "improvement_completed" -> shown(payload, "improvement_id");
      case "agent_error" -> payload.text("error_type", shown(payload, "error_message"));
      default -> payload.text("task_id", payload.text("subject", ""));
    };
  }

  private static String pullRequest(Fields payload) {
    long iteration = payload.number("iteration", 1);
    return "PR #"
        + shown(payload, "pr_number")
        + (iteration > 1 ? " (iter " + iteration + ")" : "");
  }

  private static String shown(Fields payload, String name) {
    var value = payload.json(name);
    return value == null ? "" : payload.text(name, value.toString());
  }
}

package dev.parley.dialects.gear;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.bus.Bus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lists the messages of a project: time, from → to, TYPE, subject. */
public final class MessageFlow {
  private MessageFlow() {}

  /** The messages of a project, oldest first. */
  public static List<AgentMessage> messages(Bus bus, String project) {
    return projects(bus.log()).getOrDefault(project, List.of());
  }

  /**
   * The messages of every project, in order. A reply from another tool belongs to the project of
   * its conversation, although it does not name the project.
   */
  public static Map<String, List<AgentMessage>> projects(Log log) {
    List<Envelope> history = GearMessageBus.history(log, null);
    Map<String, String> projects = new HashMap<>();
    for (Envelope envelope : history) {
      if (envelope.run() != null && envelope.thread() != null) {
        projects.putIfAbsent(envelope.thread(), envelope.run());
      }
    }
    Map<String, List<AgentMessage>> found = new LinkedHashMap<>();
    for (Envelope envelope : history) {
      String thread = envelope.thread();
      String run = envelope.run();
      String project = run != null || thread == null ? run : projects.get(thread);
      if (project != null) {
        found
            .computeIfAbsent(project, name -> new ArrayList<>())
            .add(new GearCodec(project).fromLog(envelope));
      }
    }
    return found;
  }

  /** The listing, aligned in columns. */
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

  /** The subject of a message in a few words. */
  public static String about(AgentMessage message) {
    return what(message);
  }

  private static String who(AgentMessage message) {
    return message.fromAgent() + " → " + message.toAgent();
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  /** The time of day as written in the message. */
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

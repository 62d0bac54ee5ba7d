package dev.parley.dialects.markdown;

import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** The format's rules for ids, agents and times. */
final class JournalIds {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final Pattern ID =
      Pattern.compile("MSG-\\d{8}-\\d{6}-[A-Za-z0-9][A-Za-z0-9._-]*-[A-Za-z0-9]+");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");

  private JournalIds() {}

  /** {@code MSG-20260126-101500-claude-research-1-5f2c81}. */
  static String id(Instant time, String agent, String random) {
    return "MSG-" + STAMP.format(time) + "-" + agent + "-" + random;
  }

  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /**
   * Whether the name is valid. The format wants {@code <type>-<role>-<n>} or {@code orchestrator}.
   * A mount writes the agents' names on the bus, so those are valid too.
   */
  static boolean isAgent(String agent) {
    return AgentName.isValid(agent);
  }

  static String checkAgent(String agent) {
    if (!isAgent(agent)) {
      throw ParleyException.invalid(
          "bad-journal-agent",
          "\"" + agent + "\" is not an agent's name.",
          "Use letters, digits, single dots, _ and -, such as claude-research-1.");
    }
    return agent;
  }

  /** A time in the format: whole seconds, UTC. */
  static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static boolean isTime(String time) {
    return TIME.matcher(time).matches();
  }
}

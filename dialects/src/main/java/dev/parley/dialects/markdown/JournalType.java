package dev.parley.dialects.markdown;

import dev.parley.core.ParleyException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A journal's message types, and their names on the bus. */
public enum JournalType {
  FACT("finding"),
  DECISION("decision"),
  QUESTION("question"),
  ANSWER("reply"),
  PROGRESS("status"),
  ERROR("error"),
  COMPLETE("result"),
  TASK("task"),
  REVIEW("review");

  private final String onTheBus;

  JournalType(String onTheBus) {
    this.onTheBus = onTheBus;
  }

  /** The envelope type with the same meaning. */
  String onTheBus() {
    return onTheBus;
  }

  public static @Nullable JournalType find(String type) {
    for (JournalType kind : values()) {
      if (kind.name().equals(type)) {
        return kind;
      }
    }
    return null;
  }

  /**
   * The type of this name, in upper or lower case.
   *
   * @throws ParleyException INVALID if there is none
   */
  public static JournalType named(String type) {
    JournalType kind = find(type.toUpperCase(Locale.ROOT));
    if (kind == null) {
      throw ParleyException.invalid(
          "bad-journal-type",
          "A journal has no type \"" + type + "\".",
          "Use one of " + String.join(", ", names()) + ".");
    }
    return kind;
  }

  public static List<String> names() {
    return Arrays.stream(values()).map(JournalType::name).toList();
  }

  /** A journal's type for an envelope. An envelope type that journals lack becomes a fact. */
  static JournalType ofEnvelope(String type) {
    for (JournalType kind : values()) {
      if (kind.onTheBus.equals(type)) {
        return kind;
      }
    }
    return switch (type) {
      case "refusal", "answer" -> ANSWER;
      case "escalation", "undelivered", "agent_error" -> ERROR;
      case "feedback" -> REVIEW;
      case "design" -> DECISION;
      default -> FACT;
    };
  }
}

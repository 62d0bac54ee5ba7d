package dev.parley.cli.agents;

import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Usage;
import java.math.BigDecimal;
import java.util.Locale;

/** Prints answers: without control codes for people, with the same field names for programs. */
public final class AnswerText {
  private AnswerText() {}

  /** Prints an agent's answer line by line. */
  public static void print(Output out, String text) {
    text.lines().map(line -> Printable.text(line.replace("\t", "    "))).forEach(out::line);
  }

  /** The fields that every answer has. */
  public static Json.ObjectBuilder fields(Answer answer) {
    Json.ObjectBuilder fields =
        Json.object()
            .put("agent", answer.agent())
            .put("ok", answer.ok())
            .put("status", status(answer.status()));
    if (answer.ok()) {
      fields.put("text", answer.text());
    } else {
      fields.put("error", answer.error());
    }
    fields.put("millis", answer.duration().toMillis()).put("attempts", answer.attempts());
    if (answer.cut()) {
      fields.put("cut", true);
    }
    return usage(fields, answer.usage());
  }

  static String status(Answer.Status status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /** Adds tokens and cost, as far as they are known. */
  static Json.ObjectBuilder usage(Json.ObjectBuilder fields, Usage usage) {
    if (usage.input() >= 0) {
      fields.put("inputTokens", usage.input());
    }
    if (usage.output() >= 0) {
      fields.put("outputTokens", usage.output());
    }
    return usage.costMicros() < 0
        ? fields
        : fields.put("cost", Json.parse(dollars(usage.costMicros())));
  }

  /** {@code 0.0123}. */
  static String dollars(long micros) {
    return BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString();
  }

  /** {@code 1.2 s, 3,400 tokens, $0.0123}; unknown parts are left out. */
  static String spent(long millis, Usage usage) {
    StringBuilder text = new StringBuilder(seconds(millis));
    if (usage.tokens() >= 0) {
      text.append(", ").append(String.format(Locale.ROOT, "%,d", usage.tokens())).append(" tokens");
    }
    if (usage.costMicros() >= 0) {
      text.append(", $").append(dollars(usage.costMicros()));
    }
    return text.toString();
  }

  static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }

  /** The exit code for an answer that is the whole result. */
  static int exitCode(Answer answer) {
    return switch (answer.status()) {
      case ANSWERED -> ExitCode.OK;
      case TIMED_OUT -> ExitCode.TIMED_OUT;
      case EMPTY, FAILED, STOPPED -> ExitCode.FAILED;
    };
  }
}

package dev.parley.orchestration.ask.call;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.ask.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer in a host's output. Output that can't be parsed as the host's JSON is taken as plain
 * text, so that a new version of a host loses no answer.
 *
 * @param error the error that the host reports; empty if there is none
 */
record HostOutput(String text, String error, Usage usage) {
  private static final int MICROS = 6;

  static HostOutput read(CallMethod.Output output, String printed) {
    return switch (output) {
      case TEXT -> plain(printed);
      case CLAUDE -> claude(printed);
      case CODEX -> codex(printed);
      case GEMINI -> gemini(printed);
    };
  }

  private static HostOutput plain(String printed) {
    return new HostOutput(printed.strip(), "", Usage.UNKNOWN);
  }

  private static HostOutput claude(String printed) {
    Fields fields = object(printed);
    String result = fields.text("result");
    if (fields.text("type") == null && result == null) {
      return plain(printed);
    }
    Fields used = fields.object("usage");
    long input = used.number("input_tokens", -1);
    if (input >= 0) {
      input += Math.max(0, used.number("cache_read_input_tokens", 0));
      input += Math.max(0, used.number("cache_creation_input_tokens", 0));
    }
    Usage usage =
        new Usage(
            input, used.number("output_tokens", -1), costMicros(fields.json("total_cost_usd")));
    String said = result == null ? "" : result.strip();
    boolean failed = fields.flag("is_error") || result == null;
    String what = said.isEmpty() ? fields.text("subtype", "it reported an error") : said;
    return failed ? new HostOutput("", what, usage) : new HostOutput(said, "", usage);
  }

  private static HostOutput codex(String printed) {
    String text = null;
    String error = "";
    Usage usage = Usage.UNKNOWN;
    boolean known = false;
    for (String line : printed.lines().toList()) {
      Fields event = object(line);
      String type = event.text("type", "");
      Fields item = event.object("item");
      known |= type.startsWith("thread.") || type.startsWith("turn.");
      switch (type) {
        case "item.completed" -> {
          if ("agent_message".equals(item.text("type", item.text("item_type", "")))) {
            text = item.text("text", "");
          }
        }
        case "turn.completed" -> {
          Fields used = event.object("usage");
          usage =
              usage.plus(
                  new Usage(used.number("input_tokens", -1), used.number("output_tokens", -1), -1));
        }
        case "turn.failed" -> error = event.object("error").text("message", "the turn failed");
        case "error" -> error = event.text("message", "it reported an error");
        default -> {
          // Reasoning, commands, and events of later versions: ignored.
        }
      }
    }
    if (!known && text == null) {
      return plain(printed);
    }
    // Errors that the host recovered from are not reported.
    return text != null
        ? new HostOutput(text.strip(), "", usage)
        : new HostOutput("", error, usage);
  }

  private static HostOutput gemini(String printed) {
    // Warnings may come before the object.
    int brace = printed.indexOf('{');
    Fields fields = object(brace < 0 ? "" : printed.substring(brace));
    String response = fields.text("response");
    Fields error = fields.object("error");
    if (response == null && error.values().isEmpty()) {
      return plain(printed);
    }
    Usage usage = Usage.UNKNOWN;
    for (Json model : models(fields)) {
      Fields tokens = Fields.of(model).object("tokens");
      long input = tokens.number("prompt", tokens.number("input", -1));
      usage = usage.plus(new Usage(input, tokens.number("candidates", -1), -1));
    }
    return response == null
        ? new HostOutput("", error.text("message", "it reported an error"), usage)
        : new HostOutput(response.strip(), "", usage);
  }

  private static List<Json> models(Fields fields) {
    Json models = fields.object("stats").json("models");
    Map<String, Json> byName = models == null ? Map.of() : models.fields();
    return List.copyOf(byName.values());
  }

  private static Fields object(String text) {
    try {
      return Fields.of(Json.parse(text));
    } catch (JsonException e) {
      return Fields.of(null);
    }
  }

  /** A JSON number of dollars in millionths; -1 if it is not a number. */
  static long costMicros(@Nullable Json dollars) {
    try {
      return dollars == null
          ? -1
          : new BigDecimal(dollars.toString())
              .movePointRight(MICROS)
              .setScale(0, RoundingMode.HALF_UP)
              .longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return -1;
    }
  }
}

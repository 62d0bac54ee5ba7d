package dev.parley.orchestration.moderate;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.orchestration.prompt.JsonInText;
import dev.parley.orchestration.prompt.UnreadableAnswerException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the answers of agents have in common. Reading is tolerant of form (words around the object,
 * a number written as a text, a list that is a single text) and makes nothing up.
 */
final class Answers {
  /** How long one text of an answer may be; the rest is cut. */
  static final int LONGEST_TEXT = 1_000;

  /** How many items a list of an answer may have; the rest is left out. */
  static final int MOST_ITEMS = 50;

  /** How long all that is taken from an answer may be, so that it fits into a line of the log. */
  private static final int LONGEST_RESULT = 500_000;

  private static final int LONGEST_ANSWER = 1_000_000;
  private static final Pattern NUMBER =
      Pattern.compile("(\\d{1,6}(?:[.]\\d{1,6})?)(?:\\s*/\\s*\\d{1,3})?");

  private Answers() {}

  /** The last object that has the field: models think aloud before they answer. */
  static Fields object(String text, String field) throws UnreadableAnswerException {
    String end =
        text.length() <= LONGEST_ANSWER ? text : text.substring(text.length() - LONGEST_ANSWER);
    List<Json> objects = JsonInText.objects(end);
    for (Json object : objects.reversed()) {
      if (object.fields().containsKey(field)) {
        return Fields.of(object);
      }
    }
    throw new UnreadableAnswerException(
        objects.isEmpty()
            ? "there is no JSON object in it"
            : "the field \"" + field + "\" is missing");
  }

  /** What was read, unless it is too long for the log. */
  static <T> List<T> bounded(List<T> items, Function<T, Json> json)
      throws UnreadableAnswerException {
    long length = items.stream().mapToLong(item -> json.apply(item).length()).sum();
    if (length > LONGEST_RESULT) {
      throw new UnreadableAnswerException("it is longer than " + LONGEST_RESULT + " bytes");
    }
    return List.copyOf(items);
  }

  /** A number that is not negative, alone or as a text such as "7" or "7/10"; null if none. */
  static @Nullable BigDecimal number(@Nullable Json json) {
    if (json == null) {
      return null;
    }
    String text = json.text();
    Matcher number = NUMBER.matcher(text == null ? json.toString() : text.strip());
    return number.matches() ? new BigDecimal(number.group(1)) : null;
  }

  /** As JSON has it; nothing is rounded. */
  static Json json(BigDecimal number) {
    return Json.parse(number.toPlainString());
  }

  /** A text on its own, without control characters, cut. */
  static String text(Fields fields, String name) {
    return plain(fields.text(name, ""));
  }

  private static String plain(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "").strip();
    return plain.length() <= LONGEST_TEXT ? plain : plain.substring(0, LONGEST_TEXT - 1) + "…";
  }

  /** The texts of a list, or of a single text. */
  static List<String> texts(Fields fields, String name) {
    String single = fields.text(name);
    List<String> found = new ArrayList<>();
    for (String text : single == null ? fields.texts(name) : List.of(single)) {
      String plain = plain(text);
      if (!plain.isEmpty() && found.size() < MOST_ITEMS) {
        found.add(plain);
      }
    }
    return List.copyOf(found);
  }

  /** A path inside the repository; empty if it is none. It is shown, and never opened. */
  static String path(String text) {
    String path = plain(text).replaceAll("\\s+", " ").replaceFirst("^(?:\\./)+", "");
    boolean outside =
        path.startsWith("/")
            || path.startsWith("~")
            || path.contains("\\")
            || List.of(path.split("/", -1)).contains("..");
    return outside ? "" : path;
  }
}

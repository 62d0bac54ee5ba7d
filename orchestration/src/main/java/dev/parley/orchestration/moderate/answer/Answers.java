package dev.parley.orchestration.moderate.answer;

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
 * What the parsers of answers share. They are tolerant of form (words around the object, a number
 * as a text, a single text instead of a list) and make nothing up.
 */
public final class Answers {
  /** The most characters of one text of an answer; the rest is cut. */
  public static final int LONGEST_TEXT = 1_000;

  /** The most items of a list in an answer; the rest is left out. */
  public static final int MOST_ITEMS = 50;

  /** The most characters taken from an answer, so that they fit into a line of the log. */
  private static final int LONGEST_RESULT = 500_000;

  private static final int LONGEST_ANSWER = 1_000_000;
  private static final Pattern NUMBER =
      Pattern.compile("(\\d{1,6}(?:[.]\\d{1,6})?)(?:\\s*/\\s*\\d{1,3})?");

  private Answers() {}

  /** The last object with the field, because models think aloud before they answer. */
  public static Fields object(String text, String field) throws UnreadableAnswerException {
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

  /** Checks that the items are not too long for the log. */
  public static <T> List<T> bounded(List<T> items, Function<T, Json> json)
      throws UnreadableAnswerException {
    long length = items.stream().mapToLong(item -> json.apply(item).length()).sum();
    if (length > LONGEST_RESULT) {
      throw new UnreadableAnswerException("it is longer than " + LONGEST_RESULT + " bytes");
    }
    return List.copyOf(items);
  }

  /** A non-negative number, alone or in a text such as "7" or "7/10"; null if there is none. */
  public static @Nullable BigDecimal number(@Nullable Json json) {
    if (json == null) {
      return null;
    }
    String text = json.text();
    Matcher number = NUMBER.matcher(text == null ? json.toString() : text.strip());
    return number.matches() ? new BigDecimal(number.group(1)) : null;
  }

  /** The number in JSON, without rounding. */
  public static Json json(BigDecimal number) {
    return Json.parse(number.toPlainString());
  }

  /** A text field, without control characters, cut to the limit. */
  public static String text(Fields fields, String name) {
    return plain(fields.text(name, ""));
  }

  private static String plain(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "").strip();
    return plain.length() <= LONGEST_TEXT ? plain : plain.substring(0, LONGEST_TEXT - 1) + "…";
  }

  /** The texts of a list, or a single text as a list of one. */
  public static List<String> texts(Fields fields, String name) {
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

  /** A path inside the repository; empty if it is not one. It is shown, never opened. */
  public static String path(String text) {
    String path = plain(text).replaceAll("\\s+", " ").replaceFirst("^(?:\\./)+", "");
    boolean outside =
        path.startsWith("/")
            || path.startsWith("~")
            || path.contains("\\")
            || List.of(path.split("/", -1)).contains("..");
    return outside ? "" : path;
  }
}

package dev.parley.dialects.markdown;

import dev.parley.dialects.file.Fingerprint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An entry without front matter.
 *
 * <pre>
 * [2026-01-26 10:15:00] TYPE: text
 * [2026-01-26 10:15:00] text                            without a type
 * - 2026-01-26 10:15 **TYPE**: text
 * - TYPE 2026-01-26 10:15 CEST (agent): text            time of day, zone and agent are optional
 * [2026-01-26T10:15:00Z] type=TYPE project=p task=t     the text follows after a line Message:
 * </pre>
 *
 * @param fields what is said of it beside that, by the format's names
 */
record LegacyEntry(
    String time, String type, String agent, Map<String, String> fields, String text) {
  private static final String TIME =
      "\\d{4}-\\d\\d-\\d\\d(?:[ T]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)";
  private static final String TYPE = "\\*{0,2}\\[?([A-Z][A-Z_]+)\\]?\\*{0,2}";

  private static final Pattern TIME_FIRST =
      Pattern.compile("(?:[-*] )?\\[?(" + TIME + ")\\]?:? +" + TYPE + ": ?\\*{0,2}(.*)");

  private static final Pattern TYPE_FIRST =
      Pattern.compile(
          "[-*] "
              + TYPE
              + ":? \\[?("
              + TIME
              + "?(?: [A-Z]{1,5})?)\\]?(?: \\(([^)]{1,100})\\))?:(?: (.*)|$)");

  private static final Pattern PAIRS =
      Pattern.compile("\\[(" + TIME + ")\\]((?: +[A-Za-z][A-Za-z_]*=\\S*)+) *");

  private static final Pattern UNTYPED = Pattern.compile("\\[(" + TIME + ")\\] +(.*\\S.*)");

  private static final String ID_PREFIX = "legacy-";
  private static final String MESSAGE = "Message:";

  static boolean isIdOfOne(String id) {
    return id.startsWith(ID_PREFIX);
  }

  /** The entry that begins on a line; null if none does. */
  static @Nullable LegacyEntry parse(String written) {
    String line = written.endsWith("\r") ? written.substring(0, written.length() - 1) : written;
    boolean item = line.startsWith("- ") || line.startsWith("* ");
    boolean bracket = line.startsWith("[2") || line.startsWith("[1");
    if (!item && !bracket) {
      return null;
    }
    Matcher match = TIME_FIRST.matcher(line);
    if (match.matches()) {
      return new LegacyEntry(match.group(1), match.group(2), "", Map.of(), match.group(3));
    }
    return item ? item(line) : bracketed(line);
  }

  private static @Nullable LegacyEntry item(String line) {
    Matcher match = TYPE_FIRST.matcher(line);
    return match.matches()
        ? new LegacyEntry(
            match.group(2), match.group(1), given(match.group(3)), Map.of(), given(match.group(4)))
        : null;
  }

  private static @Nullable LegacyEntry bracketed(String line) {
    Matcher pairs = PAIRS.matcher(line);
    if (pairs.matches()) {
      Map<String, String> fields = new LinkedHashMap<>();
      for (String pair : pairs.group(2).strip().split(" +", -1)) {
        int equals = pair.indexOf('=');
        fields.putIfAbsent(name(pair.substring(0, equals)), pair.substring(equals + 1));
      }
      String type = given(fields.remove("type"));
      return new LegacyEntry(pairs.group(1), type, given(fields.remove("agent")), fields, "");
    }
    Matcher untyped = UNTYPED.matcher(line);
    return untyped.matches()
        ? new LegacyEntry(untyped.group(1), "", "", Map.of(), untyped.group(2))
        : null;
  }

  private static String name(String written) {
    return switch (written) {
      case "run" -> "runId";
      case "task" -> "taskId";
      default -> FrontMatter.name(written);
    };
  }

  private static String given(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** Whether the entry's text is on the lines below it, which may include blank lines. */
  boolean isRecord() {
    return !fields.isEmpty() || text.isEmpty();
  }

  /** A line of the entry's text, without the word that introduces it. */
  String line(String written) {
    return isRecord() && written.startsWith(MESSAGE)
        ? written.substring(MESSAGE.length()).strip()
        : written;
  }

  /**
   * The entry as a message. Its id is a hash of its content, so that every reading gives the same
   * id.
   */
  JournalMessage message(String body) {
    String id = ID_PREFIX + Fingerprint.hex(time + " " + type + " " + body, 16);
    Map<String, String> more = new LinkedHashMap<>(fields);
    String run = more.remove("runId");
    String task = more.remove("taskId");
    return new JournalMessage(
        id, type, agent, time, run, task, null, List.of(), List.of(), more, body);
  }
}

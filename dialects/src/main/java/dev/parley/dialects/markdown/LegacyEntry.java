package dev.parley.dialects.markdown;

import dev.parley.dialects.Fingerprint;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An entry of the time before front matter: {@code [2026-01-26 10:15:00] TYPE: text}. */
record LegacyEntry(String time, String type, String text) {
  private static final Pattern LINE =
      Pattern.compile(
          "(?:[-*] )?\\[?(\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(?::\\d\\d)?Z?)\\]?:? +"
              + "\\*{0,2}\\[?([A-Z][A-Z_]+)\\]?\\*{0,2}: ?\\*{0,2}(.*)");

  private static final String ID_PREFIX = "legacy-";

  static boolean isIdOfOne(String id) {
    return id.startsWith(ID_PREFIX);
  }

  /** The entry that a line begins; null if it begins none. */
  static @Nullable LegacyEntry parse(String line) {
    boolean possible = line.startsWith("[2") || line.startsWith("- ") || line.startsWith("* ");
    Matcher match = possible ? LINE.matcher(line) : null;
    return match == null || !match.matches()
        ? null
        : new LegacyEntry(match.group(1), match.group(2), match.group(3));
  }

  /** The message it is. Its id is made of what it says, so that it is the same at every reading. */
  JournalMessage message(String body) {
    String id = ID_PREFIX + Fingerprint.hex(time + " " + type + " " + body, 16);
    return new JournalMessage(
        id, type, "", time, null, null, null, List.of(), List.of(), Map.of(), body);
  }
}

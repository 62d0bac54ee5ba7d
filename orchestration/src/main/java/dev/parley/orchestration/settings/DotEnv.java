package dev.parley.orchestration.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code .env}: {@code NAME=value} lines, {@code export} before and quotes around allowed.
 */
final class DotEnv {
  static final String NAME = ".env";

  private static final Pattern LINE =
      Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)\\s*=\\s*(.*?)\\s*");

  private DotEnv() {}

  static Map<String, String> parse(String text) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (!line.strip().startsWith("#") && matcher.matches()) {
        variables.put(matcher.group(1), unquoted(matcher.group(2)));
      }
    }
    return variables;
  }

  private static String unquoted(String value) {
    if (value.length() >= 2) {
      char first = value.charAt(0);
      if ((first == '"' || first == '\'') && value.charAt(value.length() - 1) == first) {
        return value.substring(1, value.length() - 1);
      }
    }
    int comment = value.indexOf(" #");
    return comment < 0 ? value : value.substring(0, comment).strip();
  }
}

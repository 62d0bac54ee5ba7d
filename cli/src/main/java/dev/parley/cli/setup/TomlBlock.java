package dev.parley.cli.setup;

import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Our part of a TOML file: a block between two comments at its end. Everything else keeps its
 * bytes, but a list of writable folders that is there already gets ours added, because a table may
 * stand only once in a file.
 */
final class TomlBlock {
  private static final String BEGIN = "# >>> parley setup";
  private static final String END = "# <<< parley setup";
  private static final String TABLE = "[sandbox_workspace_write]";
  private static final Pattern ROOTS =
      Pattern.compile("(?m)^(\\s*writable_roots\\s*=\\s*\\[)([^\\]\\n]*)(\\].*)$");
  private static final Pattern HEADER = Pattern.compile("(?m)^\\[sandbox_workspace_write\\]");
  private static final Pattern OWN =
      Pattern.compile(
          "(?m)^\\s*(\\[\\s*mcp_servers\\s*\\.\\s*\"?parley\"?\\s*[.\\]]"
              + "|mcp_servers\\s*[.=]|sandbox_workspace_write\\s*[.=])");
  private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private TomlBlock() {}

  /** Adds our tables to the text, and makes these folders writable. */
  static String with(String text, String tables, List<String> roots) {
    SequencedSet<String> all = new LinkedHashSet<>(rootsOfBlock(text));
    all.addAll(roots);
    String rest = without(text, List.copyOf(all));
    refuseOwn(rest);
    if (HEADER.matcher(rest).find()) {
      return withRoots(rest, all) + block(tables);
    }
    return rest + block(tables + "\n" + TABLE + "\nwritable_roots = [" + list(all) + "]\n");
  }

  /** A key may stand only once in a file, so with one of somebody else's Codex would not start. */
  private static void refuseOwn(String text) {
    if (OWN.matcher(text).find()) {
      throw ParleyException.refused(
          "unknown-format",
          "config.toml has a server \"parley\" or inline sandbox settings already.",
          "Take them out of the file, then run parley setup again; it writes them as it needs them.");
    }
  }

  private static String block(String content) {
    return BEGIN + " (parley setup --undo takes it away)\n" + content + END + "\n";
  }

  private static List<String> rootsOfBlock(String text) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    List<String> roots = new ArrayList<>();
    if (begin >= 0 && end > begin) {
      Matcher line = ROOTS.matcher(text.substring(begin, end));
      if (line.find()) {
        roots.addAll(texts(line.group(2)));
      }
    }
    return roots;
  }

  private static List<String> texts(String list) {
    List<String> texts = new ArrayList<>();
    Matcher text = TEXT.matcher(list);
    while (text.find()) {
      texts.add(text.group(1));
    }
    return texts;
  }

  private static String list(SequencedSet<String> texts) {
    return String.join(", ", texts.stream().map(text -> "\"" + text + "\"").toList());
  }

  private static String withRoots(String text, SequencedSet<String> roots) {
    Matcher header = HEADER.matcher(text);
    int table = header.find() ? header.start() : 0;
    int next = text.indexOf("\n[", table + 1);
    String section = text.substring(table, next < 0 ? text.length() : next);
    Matcher line = ROOTS.matcher(section);
    if (line.find()) {
      SequencedSet<String> all = new LinkedHashSet<>(texts(line.group(2)));
      all.addAll(roots);
      String changed = line.group(1) + list(all) + line.group(3);
      section = section.substring(0, line.start()) + changed + section.substring(line.end());
    } else if (section.contains("writable_roots")) {
      throw ParleyException.refused(
          "unknown-format",
          "writable_roots in config.toml is written over several lines.",
          "Add these folders to it by hand: " + String.join(", ", roots));
    } else {
      section =
          TABLE + "\nwritable_roots = [" + list(roots) + "]" + section.substring(TABLE.length());
    }
    return text.substring(0, table) + section + (next < 0 ? "" : text.substring(next));
  }

  /** Removes our block, and these folders from another author's list. */
  static String without(String text, List<String> roots) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    String rest = text;
    if (begin >= 0 && end > begin) {
      int after = text.indexOf('\n', end);
      rest = text.substring(0, begin) + (after < 0 ? "" : text.substring(after + 1));
    }
    Matcher line = ROOTS.matcher(rest);
    if (line.find()) {
      SequencedSet<String> others = new LinkedHashSet<>(texts(line.group(2)));
      if (others.removeAll(roots)) {
        rest =
            rest.substring(0, line.start())
                + line.group(1)
                + list(others)
                + line.group(3)
                + rest.substring(line.end());
      }
    }
    return rest.isEmpty() || rest.endsWith("\n") ? rest : rest + "\n";
  }
}

package dev.parley.cli.setup;

import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Our part of Codex's settings, which all repositories of a user share: a block between two
 * comments. Everything else keeps its bytes, but a list of writable folders that is there already
 * gets ours added, because a table may stand only once in a file. The block names the buses that it
 * is for, so that a repository that is taken away leaves the others as they are.
 */
final class TomlBlock {
  private static final String BEGIN = "# >>> parley setup";
  private static final String END = "# <<< parley setup";
  private static final String BUSES = "# buses = ";
  private static final String KEY = "writable_roots";

  /** Ends a line that we added to another author's table. */
  private static final String OURS = " # added by parley setup";

  private static final Pattern TABLE =
      Pattern.compile("(?m)^[ \\t]*\\[\\s*\"?sandbox_workspace_write\"?\\s*\\]");
  private static final Pattern ANY_TABLE =
      Pattern.compile("(?m)^[ \\t]*\\[\\[?[^\\[\\]\\n]+\\]\\]?[ \\t]*(?:#.*)?\\r?$");
  private static final Pattern ROOTS =
      Pattern.compile("(?m)^[ \\t]*\"?" + KEY + "\"?[ \\t]*=[ \\t]*(\\[?)");
  private static final Pattern OWN =
      Pattern.compile(
          "(?m)^\\s*(\\[\\s*mcp_servers\\s*\\.\\s*\"?parley\"?\\s*[.\\]]"
              + "|mcp_servers\\s*[.=]|sandbox_workspace_write\\s*[.=])");
  private static final Pattern SERVERS =
      Pattern.compile(
          "(?m)^[ \\t]*\\[\\s*mcp_servers\\s*\\](?s:(?!\\n[ \\t]*\\[).)*?\\n[ \\t]*\"?parley\"?\\s*[.=]");

  private final String before;
  private final String block;
  private final String after;

  private TomlBlock(String before, String block, String after) {
    this.before = before;
    this.block = block;
    this.after = after;
  }

  private static TomlBlock in(String text) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      return new TomlBlock(text, "", "");
    }
    int next = text.indexOf('\n', end) + 1;
    next = next == 0 ? text.length() : next;
    return new TomlBlock(
        text.substring(0, begin), text.substring(begin, next), text.substring(next));
  }

  /**
   * Adds a bus to the text.
   *
   * @param tables our tables but that of the sandbox
   * @param bus the folder of the bus, which sandboxed commands must be able to write
   * @param shared another such folder, which all buses need
   */
  static String with(String text, String tables, String bus, String shared) {
    TomlBlock old = in(text);
    SequencedSet<String> buses = old.buses(bus);
    buses.add(bus);
    return old.with(tables, buses, shared);
  }

  private String with(String tables, SequencedSet<String> buses, String shared) {
    refuseOwn(before + after);
    List<String> roots = new ArrayList<>(buses);
    roots.add(shared);
    StringBuilder ours = new StringBuilder();
    ours.append(BEGIN).append(" (parley setup --undo takes it away)\n");
    ours.append(BUSES).append(list(buses)).append('\n').append(tables);
    String head = before.isEmpty() || before.endsWith("\n") ? before : before + "\n";
    String tail = after.isEmpty() || after.endsWith("\n") ? after : after + "\n";
    if (TABLE.matcher(head).find()) {
      head = withRoots(head, roots);
    } else if (TABLE.matcher(tail).find()) {
      tail = withRoots(tail, roots);
    } else {
      ours.append("\n[sandbox_workspace_write]\n" + KEY + " = ").append(list(roots)).append('\n');
    }
    return head + ours.append(END).append('\n') + tail;
  }

  /** A key may stand only once in a file, so with one of somebody else's Codex would not start. */
  private static void refuseOwn(String text) {
    if (OWN.matcher(text).find() || SERVERS.matcher(text).find()) {
      throw ParleyException.refused(
          "unknown-format",
          "config.toml has a server \"parley\" or inline sandbox settings already.",
          "Take them out of the file, then run parley setup again; it writes them as it needs them.");
    }
  }

  private static String list(SequencedSet<String> texts) {
    return list(List.copyOf(texts));
  }

  private static String list(List<String> texts) {
    return "[" + String.join(", ", texts.stream().map(TomlArray::quoted).toList()) + "]";
  }

  /**
   * The buses that the block is for. Earlier versions did not name them; then they are told by what
   * their folders are called.
   *
   * @param own the folder of a bus that may be called anything
   */
  private SequencedSet<String> buses(String own) {
    SequencedSet<String> buses = new LinkedHashSet<>();
    int line = block.indexOf(BUSES);
    TomlArray named = line < 0 ? null : TomlArray.at(block, line + BUSES.length());
    if (named != null) {
      buses.addAll(named.values());
    } else if (!block.isEmpty()) {
      for (String part : List.of(before, block, after)) {
        TomlArray roots = roots(part);
        if (roots != null) {
          roots.values().stream()
              .filter(root -> root.equals(own) || root.endsWith("/.parley"))
              .forEach(buses::add);
        }
      }
    }
    return buses;
  }

  /**
   * The list of writable folders in a text.
   *
   * @return null if there is none
   */
  private static @Nullable TomlArray roots(String text) {
    Matcher table = TABLE.matcher(text);
    if (!table.find()) {
      return null;
    }
    Matcher next = ANY_TABLE.matcher(text);
    int end = next.find(table.end()) ? next.start() : text.length();
    Matcher key = ROOTS.matcher(text).region(table.end(), end);
    if (!key.find()) {
      return null;
    }
    TomlArray roots = key.group(1).isEmpty() ? null : TomlArray.at(text, key.start(1));
    if (roots == null) {
      throw ParleyException.refused(
          "unknown-format",
          KEY + " in config.toml is not a list of strings.",
          "Write it as one, then run parley setup again.");
    }
    return roots;
  }

  private static String withRoots(String text, List<String> added) {
    TomlArray roots = roots(text);
    if (roots == null) {
      Matcher table = TABLE.matcher(text);
      int end = table.find() ? text.indexOf('\n', table.end()) + 1 : 0;
      return text.substring(0, end) + KEY + " = " + list(added) + OURS + "\n" + text.substring(end);
    }
    String changed = text;
    for (String root : added) {
      roots = roots(changed);
      changed = roots == null ? changed : roots.with(root);
    }
    return changed;
  }

  /** Removes folders from the list, and the list if we made it. */
  private static String withoutRoots(String text, List<String> removed) {
    String changed = text;
    for (String root : removed) {
      TomlArray roots = roots(changed);
      changed = roots == null ? changed : roots.without(root);
    }
    TomlArray left = roots(changed);
    if (left == null || !left.values().isEmpty() || !changed.startsWith(OURS, left.end())) {
      return changed;
    }
    int line = changed.lastIndexOf('\n', left.end()) + 1;
    return changed.substring(0, line) + changed.substring(changed.indexOf('\n', line) + 1);
  }

  /**
   * Removes a bus from the text, and our block with the last one.
   *
   * @param shared as for {@link #with}
   */
  static String without(String text, String bus, String shared) {
    TomlBlock old = in(text);
    SequencedSet<String> buses = old.buses(bus);
    if (!old.block.isEmpty() && !buses.remove(bus)) {
      return text;
    }
    List<String> gone = buses.isEmpty() ? List.of(bus, shared) : List.of(bus);
    String block = buses.isEmpty() ? "" : withoutRoots(old.block, gone);
    int line = block.indexOf(BUSES);
    if (line >= 0) {
      block =
          block.substring(0, line)
              + BUSES
              + list(buses)
              + block.substring(block.indexOf('\n', line));
    }
    return withoutRoots(old.before, gone) + block + withoutRoots(old.after, gone);
  }
}

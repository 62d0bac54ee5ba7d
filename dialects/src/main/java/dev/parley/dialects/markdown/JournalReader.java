package dev.parley.dialects.markdown;

import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.TextLines;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of a journal, drifted ones too.
 *
 * <pre>
 * text in the file                               how it is read
 * ---------------------------------------------  ------------------------------------------------
 * --- and fields with a messageId or msg_id      begins a message, anywhere in the file
 * --- after a body, followed by blank lines,     ends the message
 *   another --- or another entry
 * --- in a body, followed by text and another    part of the body, with a remark
 *   ---
 * no --- before the next message or the end      the message ends there, with a remark
 * [2026-01-26 10:15:00] TYPE: text               an older form of entry ({@link LegacyEntry});
 *                                                also ends a message that has no end
 * an id that is a pattern or all zeros           the format's example or placeholder: skipped
 * anything else after the first message          skipped, with a remark
 * </pre>
 */
final class JournalReader {
  private final TextLines lines;
  private final int firstLine;
  private final FileRemark.Sink remarks;
  private final List<LocatedMessage> found = new ArrayList<>();
  private boolean begun;

  /** Whether the format's example or placeholder was seen. */
  private boolean example;

  private JournalReader(TextLines lines, int firstLine, boolean begun, FileRemark.Sink remarks) {
    this.lines = lines;
    this.firstLine = firstLine;
    this.begun = begun;
    this.remarks = remarks;
  }

  /**
   * @param bytes a journal, or the part after a message
   * @param linesBefore how many lines come before it
   */
  static List<LocatedMessage> read(byte[] bytes, int linesBefore, FileRemark.Sink remarks) {
    JournalReader reader =
        new JournalReader(new TextLines(bytes), linesBefore + 1, linesBefore > 0, remarks);
    reader.run();
    return reader.found;
  }

  private void run() {
    boolean first = !begun;
    readAll();
    if (first
        && !begun
        && !example
        && lines.count() > 0
        && !lines.text(0, lines.count()).isBlank()) {
      remark(0, false, "no message was recognised in it");
    }
  }

  private void readAll() {
    boolean fenced = false;
    int at = 0;
    while (at < lines.count()) {
      Header header = header(at);
      if (header != null) {
        at = message(at, header);
        fenced = false;
        continue;
      }
      String line = lines.text(at);
      LegacyEntry entry = fenced ? null : LegacyEntry.parse(line);
      if (entry != null) {
        at = legacy(at, entry);
        continue;
      }
      fenced ^= isFence(line);
      if (begun && !line.isBlank() && !JournalText.isRule(line)) {
        at = loose(at);
      } else {
        at++;
      }
    }
  }

  private static boolean isFence(String line) {
    return line.stripLeading().startsWith("```");
  }

  /** The fields of a message; {@code body} is the line after them. */
  private record Header(Map<String, String> fields, int body, boolean closed) {
    boolean isExample() {
      String id = fields.getOrDefault("messageId", "");
      return id.contains("<") || id.contains("YYYY") || id.startsWith("MSG-00000000-000000");
    }
  }

  /** The header of the message that begins at a line; null if none begins there. */
  private @Nullable Header header(int at) {
    if (!JournalText.isRule(lines.text(at))) {
      return null;
    }
    Map<String, String> fields = new LinkedHashMap<>();
    String last = null;
    int i = at + 1;
    for (; i < lines.count(); i++) {
      String line = lines.text(i);
      int colon = FrontMatter.colon(line);
      String item = FrontMatter.item(line);
      if (colon > 0) {
        last = FrontMatter.name(line.substring(0, colon));
        fields.putIfAbsent(last, line.substring(colon + 1).strip());
      } else if (item != null && last != null) {
        fields.merge(last, item, (before, next) -> before.isEmpty() ? next : before + ", " + next);
      } else {
        break;
      }
    }
    boolean closed = i < lines.count() && JournalText.isRule(lines.text(i));
    if (fields.getOrDefault("messageId", "").isEmpty()) {
      return null;
    }
    return new Header(fields, closed ? i + 1 : i, closed);
  }

  /** Reads the message that begins at a line and returns the line after it. */
  private int message(int at, Header header) {
    int next = header.body;
    int firstRule = -1;
    int close = -1;
    int entry = -1;
    boolean textAfter = true;
    boolean fenced = false;
    while (next < lines.count() && header(next) == null && !isEntryAfter(close, next)) {
      String line = lines.text(next);
      if (JournalText.isRule(line)) {
        // A rule right after a rule is the same rule doubled.
        close = textAfter ? next : close;
        firstRule = firstRule < 0 ? next : firstRule;
        textAfter = false;
      } else {
        textAfter |= !line.isBlank();
      }
      fenced ^= isFence(line);
      if (entry < 0 && !fenced && LegacyEntry.parse(line) != null) {
        entry = next;
      }
      next++;
    }
    if (close < 0 && entry >= 0) {
      next = entry;
    }
    if (header.isExample()) {
      example = true;
      return next;
    }
    begun = true;
    if (!header.closed) {
      remark(at, true, "the front matter does not end with ---");
    }
    if (close < 0 && next < lines.count()) {
      remark(at, true, "the message does not end with ---");
    }
    if (close > firstRule) {
      remark(firstRule, true, "a line --- inside a message was taken for its text");
    }
    int end = close >= 0 ? close + 1 : next;
    boolean closed = next < lines.count() || (close >= 0 && lines.isWhole(close));
    String body = body(header.body, close >= 0 ? close : next, header.closed && close >= 0);
    JournalMessage message = FrontMatter.message(header.fields, body);
    found.add(new LocatedMessage(message, firstLine + at, lines.start(end), closed));
    return end;
  }

  private boolean isEntryAfter(int close, int at) {
    return close >= 0 && LegacyEntry.parse(lines.text(at)) != null;
  }

  /** The text between front matter and end, without the blank lines that the writer added. */
  private String body(int from, int to, boolean strict) {
    String text = lines.text(from, to);
    if (text.startsWith("\n")) {
      text = text.substring(1);
    } else if (text.startsWith("\r\n")) {
      text = text.substring(2);
    }
    if (strict && text.endsWith("\n\n")) {
      text = text.substring(0, text.length() - 2);
    } else {
      text = text.stripTrailing();
    }
    return JournalText.unescape(text);
  }

  private int legacy(int at, LegacyEntry entry) {
    StringBuilder body = new StringBuilder(entry.text());
    int next = at + 1;
    int end = next; // the line after the body's last line
    while (next < lines.count()) {
      String line = lines.text(next);
      if (JournalText.isRule(line)
          || LegacyEntry.parse(line) != null
          || (next > end && !entry.isRecord() && !isIndented(line))) {
        break;
      }
      next++;
      if (!line.isBlank()) {
        for (int i = end; i < next; i++) {
          body.append(body.isEmpty() ? "" : "\n").append(entry.line(lines.text(i)));
        }
        end = next;
      }
    }
    next = end;
    begun = true;
    remark(at, true, "an entry without front matter");
    boolean closed = next < lines.count();
    found.add(
        new LocatedMessage(
            entry.message(body.toString()), firstLine + at, lines.start(next), closed));
    return next;
  }

  /** Whether an indented line after a blank one still belongs to the list item before. */
  private static boolean isIndented(String line) {
    return line.isBlank() || line.startsWith("  ") || line.startsWith("\t");
  }

  private int loose(int at) {
    int next = at;
    while (next < lines.count()
        && !JournalText.isRule(lines.text(next))
        && LegacyEntry.parse(lines.text(next)) == null) {
      next++;
    }
    remark(at, false, "text that belongs to no message");
    return next;
  }

  private void remark(int at, boolean understood, String reason) {
    remarks.add(firstLine + at, understood, reason);
  }
}

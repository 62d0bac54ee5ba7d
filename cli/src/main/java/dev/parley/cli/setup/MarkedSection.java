package dev.parley.cli.setup;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Locale;
import java.util.Set;

/**
 * Our section of another author's text file, between two comments. Everything outside stays byte
 * for byte.
 */
final class MarkedSection {
  private static final String BEGIN =
      "<!-- parley:begin (made by parley setup agents-md; changes in here are lost) -->";
  private static final String BEGIN_MARK = "<!-- parley:begin";
  private static final String END = "<!-- parley:end -->";

  /** The size limit of a file for agents, in bytes. */
  private static final int MOST = 1 << 20;

  /** What happened to the file. */
  enum Change {
    WRITTEN,
    UPDATED,
    UNCHANGED,
    REMOVED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Path file;

  /** Decoded with one character a byte, so that every encoding survives. */
  private final String text;

  private final int begin;
  private final int end;

  private MarkedSection(Path file, String text, int begin, int end) {
    this.file = file;
    this.text = text;
    this.begin = begin;
    this.end = end;
  }

  /**
   * Finds the section in a file, which may be missing.
   *
   * @throws ParleyException REFUSED if only one of the two comments is there, or there are several
   */
  static MarkedSection in(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new MarkedSection(file, "", -1, -1);
    }
    if (Files.size(file) > MOST) {
      throw ParleyException.refused(
          "too-long", file + " is longer than 1 MiB.", "Name another file.");
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    int begin = text.indexOf(BEGIN_MARK);
    int end = text.indexOf(END);
    boolean none = begin < 0 && end < 0;
    boolean one =
        begin >= 0
            && end > begin
            && text.indexOf(BEGIN_MARK, begin + 1) < 0
            && text.indexOf(END, end + 1) < 0;
    if (!none && !one) {
      throw ParleyException.refused(
          "broken-section",
          "In " + file + " it is not clear where Parley's part begins and ends.",
          "Take out the lines with parley:begin and parley:end, and what is between them; then try"
              + " again.");
    }
    return new MarkedSection(file, text, begin, none ? -1 : end + END.length());
  }

  Change write(String content) throws IOException {
    String newline = text.contains("\r\n") ? "\r\n" : "\n";
    String ours = BEGIN + "\n" + content.strip() + "\n" + END;
    String bytes =
        new String(ours.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
            .replace("\n", newline);
    if (begin >= 0) {
      return replace(text.substring(0, begin) + bytes + text.substring(end), Change.UPDATED);
    }
    String gap = text.isEmpty() ? "" : text.endsWith(newline) ? newline : newline + newline;
    return replace(text + gap + bytes + newline, Change.WRITTEN);
  }

  /** Removes the section, and the file if nothing else is in it. */
  Change remove() throws IOException {
    if (begin < 0) {
      return Change.UNCHANGED;
    }
    String before = text.substring(0, begin).stripTrailing();
    String after = text.substring(end).strip();
    if (before.isEmpty() && after.isEmpty()) {
      Files.delete(file);
      return Change.REMOVED;
    }
    String newline = text.contains("\r\n") ? "\r\n" : "\n";
    String gap = before.isEmpty() || after.isEmpty() ? "" : newline + newline;
    return replace(
        before + gap + text.substring(end).stripLeading() + tail(newline, after), Change.REMOVED);
  }

  private static String tail(String newline, String after) {
    return after.isEmpty() ? newline : "";
  }

  /** Replaces the file atomically. */
  private Change replace(String now, Change change) throws IOException {
    if (now.equals(text)) {
      return Change.UNCHANGED;
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw ParleyException.invalid("bad-path", file + " is no file.", "Name a file.");
    }
    Path fresh = Files.createTempFile(folder, ".parley", ".md");
    try {
      Files.writeString(fresh, now, StandardCharsets.ISO_8859_1);
      Files.setPosixFilePermissions(fresh, permissions());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
    return change;
  }

  private Set<PosixFilePermission> permissions() throws IOException {
    return Files.exists(file)
        ? Files.getPosixFilePermissions(file)
        : Set.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.OTHERS_READ);
  }
}

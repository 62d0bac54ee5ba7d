package dev.parley.dialects.conclave;

import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.JsonLinesFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last sequence number of each sender in a file. Only what was appended since the last call is
 * read, because a file may be large and grow often. Used under the file's lock.
 */
final class SenderSequences {
  private static final int PIECE = 1 << 20;

  private final Path file;
  private final Map<String, Long> last = new HashMap<>();
  private @Nullable Object key;
  private long read;
  private long size;

  SenderSequences(Path file) {
    this.file = file;
  }

  /** The sequence number of a sender's next message. */
  long next(String sender) {
    BasicFileAttributes now = attributes();
    size = now.size();
    if (!Objects.equals(now.fileKey(), key) || size < read) {
      key = now.fileKey();
      read = 0;
      last.clear();
    }
    int piece = PIECE;
    while (read < size && piece > 0) {
      byte[] added = ForeignFile.read(file, read, piece);
      long end =
          JsonLinesFormat.read(
                  added,
                  0,
                  (line, understood, reason) -> {},
                  (line, to) ->
                      last.merge(line.text("sender", ""), line.number("seq", 0), Math::max))
              .end();
      read += end;
      // If a line is longer than the piece, read more; if half a line is left at the end, stop.
      piece = end > 0 ? PIECE : added.length < piece ? 0 : 2 * piece;
    }
    return last.getOrDefault(sender, 0L) + 1;
  }

  /** Whether the file ended with a newline at the last {@link #next}. */
  boolean endsWithNewline() {
    return read == size;
  }

  private BasicFileAttributes attributes() {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class);
    } catch (IOException e) {
      throw ForeignFile.trouble("Reading", file, e);
    }
  }
}

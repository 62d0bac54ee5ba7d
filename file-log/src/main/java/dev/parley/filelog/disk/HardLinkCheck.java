package dev.parley.filelog.disk;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.read.LineScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Refuses a file with several hard links unless it holds lines of its topic. Anyone who can write
 * to the folder could link any of the user's files under the topic's name, and an append would go
 * into that file. A second link to a real topic, such as a backup, is harmless.
 */
public final class HardLinkCheck {
  public static final String PROBLEM = "has other names (hard links), and does not hold this topic";

  /** How many bytes are searched for a line of the topic. */
  private static final long LOOKED_AT = 1 << 20;

  private HardLinkCheck() {}

  /** Whether a file has several hard links. */
  static boolean has(Path path) throws IOException {
    try {
      Object count = Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
      return count instanceof Integer names && names > 1;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Whether one of the first lines of a file belongs to the topic. */
  static boolean isOfTopic(Path path, Disk.Reader file) throws IOException {
    Optional<Topic> topic = FileLog.topic(path);
    if (topic.isEmpty()) {
      return false;
    }
    EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
    long end = Math.min(file.size(), LOOKED_AT);
    LineScanner lines = new LineScanner(file, 0, end, Limits.DEFAULT_LINE);
    while (lines.next()) {
      if (lines.length() > 0 && !lines.isTooLong() && isOwn(topic.get(), decoder, lines)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOwn(Topic topic, EnvelopeDecoder decoder, LineScanner lines) {
    try {
      Position end = new Position(lines.end());
      Envelope line = decoder.decode(topic, lines.array(), lines.from(), lines.to(), end);
      byte[] bytes = line.toLine();
      Json named = Json.scanned(bytes, 0, bytes.length).fields().get("topic");
      return line.isNative() && named != null && topic.name().equals(named.text());
    } catch (JsonException e) {
      return false;
    }
  }
}

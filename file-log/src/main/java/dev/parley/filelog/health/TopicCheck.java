package dev.parley.filelog.health;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Report;
import dev.parley.core.Topic;
import dev.parley.core.bus.WriterTable;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.disk.RealDisk;
import dev.parley.filelog.read.LineScanner;
import dev.parley.filelog.read.TopicReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

/** Reads a whole topic and finds everything that readers pass over. */
public final class TopicCheck {
  private static final String REMEMBER = "mark it as known; lost data can't be recovered";
  private static final long PROGRESS_EVERY = 1 << 20;

  private final Topic topic;
  private final Path path;
  private final Limits limits;
  private final HealthCheck.Progress progress;
  private final Disk disk = new RealDisk();
  private final WriterTable writers;
  private final byte[] ownTopic;
  private boolean summed;

  public TopicCheck(Topic topic, Path path, Limits limits, HealthCheck.Progress progress) {
    this.topic = topic;
    this.path = path;
    this.limits = limits;
    this.writers = new WriterTable(limits);
    this.progress = progress;
    this.ownTopic = ("\"topic\":\"" + topic + "\",\"type\":").getBytes(StandardCharsets.US_ASCII);
  }

  public void run(Consumer<Finding> findings) throws IOException {
    try (Disk.Reader file = disk.read(path)) {
      if (file == null) {
        return;
      }
      long size = file.size();
      EnvelopeDecoder decoder = new EnvelopeDecoder(limits);
      LineScanner lines = new LineScanner(file, 0, size, limits.line());
      long start = 0;
      long told = 0;
      while (lines.next()) {
        line(lines, decoder, start, findings);
        start = lines.end();
        if (start - told >= PROGRESS_EVERY) {
          told = start;
          progress.at(topic, start, size);
        }
      }
      if (start < size) {
        findings.accept(torn(start, size));
      }
    }
  }

  private void line(
      LineScanner lines, EnvelopeDecoder decoder, long start, Consumer<Finding> findings) {
    Finding.Place place = new Finding.Place(path, topic, start, lines.length());
    if (lines.isTooLong()) {
      findings.accept(damaged(place, "longer than " + limits.line() + " bytes"));
    } else if (lines.length() > 0) {
      try {
        envelope(
            decoder.decode(
                topic, lines.array(), lines.from(), lines.to(), new Position(lines.end())),
            place,
            findings);
      } catch (JsonException e) {
        findings.accept(damaged(place, Objects.requireNonNullElse(e.getMessage(), "not JSON")));
      }
    }
  }

  private static Finding damaged(Finding.Place place, String reason) {
    return Finding.problem(
        "damaged-line", place, "This line is not an envelope: " + reason + ".", REMEMBER);
  }

  private void envelope(Envelope envelope, Finding.Place place, Consumer<Finding> findings) {
    summed |= envelope.hasSum();
    if (summed && envelope.isNative() && !envelope.hasSum()) {
      findings.accept(damaged(place, TopicReader.NO_CHECKSUM));
      return;
    }
    switch (writers.see(envelope)) {
      case Report.Repeated repeat ->
          findings.accept(
              Finding.problem("repeat", place, repeat.id() + " is here again.", REMEMBER));
      case Report.Gap gap ->
          findings.accept(
              Finding.problem(
                  "gap",
                  place,
                  (gap.found() - gap.expected())
                      + " of the lines of writer "
                      + gap.writer()
                      + " are missing before this one.",
                  REMEMBER));
      case null, default -> {}
    }
    String named = namedTopic(envelope);
    if (!named.equals(topic.name())) {
      findings.accept(
          Finding.problem("wrong-topic", place, "This line names another topic.", REMEMBER));
    }
  }

  /** The topic that a line names; its own topic if it names none. */
  private String namedTopic(Envelope envelope) {
    byte[] line = envelope.toLine();
    if (contains(line, ownTopic)) {
      return topic.name(); // the usual case, without decoding the line again
    }
    Json named = Json.scanned(line, 0, line.length).fields().get("topic");
    String text = named == null ? null : named.text();
    return text == null ? topic.name() : text;
  }

  private static boolean contains(byte[] line, byte[] part) {
    for (int i = 0; i <= line.length - part.length; i++) {
      int matched = 0;
      while (matched < part.length && line[i + matched] == part[matched]) {
        matched++;
      }
      if (matched == part.length) {
        return true;
      }
    }
    return false;
  }

  /** Ends a last line that has no newline, so that the next append does not become part of it. */
  void endTornTail(Consumer<Finding> findings) throws IOException {
    try (TopicReader reader = new TopicReader(disk, path, topic, limits);
        Disk.Appender file = disk.append(path)) {
      long end = reader.end().position().value();
      long size = file.size();
      // Another process may have continued the line since. A superfluous empty line does no harm.
      if (size > end && reader.end().position().value() == end) {
        file.write(ByteBuffer.wrap(new byte[] {'\n'}));
        findings.accept(torn(end, size).done());
      }
    }
  }

  private Finding torn(long start, long size) {
    return Finding.problem(
        "torn-tail",
        new Finding.Place(path, topic, start, size - start),
        "The last line has no newline: its writer was interrupted, or is still writing.",
        "end it with a newline");
  }
}

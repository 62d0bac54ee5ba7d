package dev.parley.cli.tail;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Position;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.WriterTable;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The envelopes of one topic up to a position, in order. Runs are compared by time. */
final class TopicSlice implements Comparable<TopicSlice> {
  private final Log log;
  private final Topic topic;
  private final Position end;
  private final int piece;
  private final Reporter reporter;
  private final WriterTable writers;
  private final ArrayDeque<Envelope> ready = new ArrayDeque<>();
  private Bookmark place = Bookmark.START;
  private @Nullable Envelope current;
  private Instant time = Instant.MIN;
  private Instant latest = Instant.MIN;
  private boolean timeKnown;

  /**
   * @param piece how many envelopes are read at once
   */
  TopicSlice(Log log, Topic topic, Position end, int piece, Reporter reporter) {
    this.log = log;
    this.writers = new WriterTable(log.limits());
    this.topic = topic;
    this.end = end;
    this.piece = piece;
    this.reporter = reporter;
  }

  /** Moves to the first envelope after a position; false if there is none. */
  boolean begin(Position after) {
    place = log.bookmark(topic, after);
    return advance();
  }

  /** Moves to the next envelope; false at the end. */
  boolean advance() {
    do {
      if (ready.isEmpty() && !fill()) {
        return false;
      }
      current = ready.poll();
    } while (current == null || !isNew(current));
    timeKnown = false;
    return true;
  }

  private boolean fill() {
    if (place.position().compareTo(end) >= 0) {
      return false;
    }
    Batch batch = log.read(topic, place, piece);
    for (var damage : batch.damage()) {
      if (damage.offset().compareTo(end) < 0) {
        reporter.report(new Report.Damaged(damage));
      }
    }
    for (Envelope envelope : batch.envelopes()) {
      if (envelope.position().compareTo(end) <= 0) {
        ready.add(envelope);
      }
    }
    boolean moved = !batch.next().position().equals(place.position());
    place = batch.next();
    return moved;
  }

  /** Skips repeats and reports gaps, as a feed does. */
  private boolean isNew(Envelope envelope) {
    Report report = writers.see(envelope);
    if (report != null) {
      reporter.report(report);
    }
    return !(report instanceof Report.Repeated);
  }

  Envelope envelope() {
    if (current == null) {
      throw new IllegalStateException("not at an envelope");
    }
    return current;
  }

  /** The time of the current envelope; if it has none, that of the one before. */
  Instant time() {
    // Parsed on demand: parsing a time takes longer than the rest, and a single topic does not need
    // it.
    if (!timeKnown) {
      Instant own = envelope().time();
      time = own == null ? time : own;
      latest = time.isAfter(latest) ? time : latest;
      timeKnown = true;
    }
    return time;
  }

  private Instant latest() {
    time();
    return latest;
  }

  /** Compares the latest times so far, so that a clock set back reorders no topic. */
  @Override
  public int compareTo(TopicSlice other) {
    int byTime = latest().compareTo(other.latest());
    return byTime != 0 ? byTime : topic.compareTo(other.topic);
  }
}

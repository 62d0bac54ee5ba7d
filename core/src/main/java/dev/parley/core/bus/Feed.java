package dev.parley.core.bus;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Delivers every envelope of some topics to the reader that pulls, in order within each topic.
 *
 * <p>Repeats are passed over; damage, gaps and repeats are reported. A topic that was replaced is
 * reported and read from its start. Used by one thread at a time, except {@link #close}, which any
 * thread may call to end a wait.
 */
public final class Feed implements Bus.Ending {
  /** How many envelopes are read at once. */
  static final int BATCH = 2048;

  /** Topics are read this often even without a ring of the doorbell, because a ring may be lost. */
  static final Duration SWEEP = Duration.ofSeconds(5);

  /** How many topics one sweep reads, in turn, so that the cost does not grow with idle topics. */
  static final int SWEPT = 250;

  /** After so many, a reader in memory that has nearly caught up rests; see {@link #look}. */
  private static final int STRETCH = 64;

  /** A reader that got this many at once has not caught up. */
  private static final int PLENTY = 256;

  /** Of 20 µs to 1 ms, tried with one and with four publishers and two cores, among the best. */
  private static final long REST = 100_000;

  /** How often a reader in memory lets others run and looks again before it waits. */
  static final int LOOKS = 5;

  private final Log log;
  private final Prefix prefix;
  private final Reporter reporter;
  private final Doorbell doorbell;
  private final Map<Topic, Bookmark> readTo;
  private final Map<Topic, WriterTable> writers = new HashMap<>();
  private final Set<Topic> unread;

  /** Invariant: all of one topic, {@link #batchTopic}, read from {@link #batchFrom} on. */
  private Envelope[] ready = {};

  /** How many of them were delivered. */
  private int taken;

  private @Nullable Topic batchTopic;
  private Bookmark batchFrom = Bookmark.START;

  /** How many came with others since the last rest: who asks and waits for answers never rests. */
  private long stretch;

  private @Nullable Envelope delivered;
  private Iterator<Topic> toSweep;
  private long nextSweep;
  private volatile boolean closed;

  /**
   * @param readFrom makes the places to begin at; called after the doorbell is in place, so that
   *     nothing appended later is missed. Topics without a place are read from the start.
   */
  Feed(Log log, Prefix prefix, ReadFrom readFrom, Reporter reporter) {
    this.log = log;
    this.prefix = prefix;
    this.reporter = reporter;
    this.doorbell = log.doorbell(prefix);
    try {
      this.readTo = new HashMap<>(readFrom.places(log));
      Set<Topic> topics = log.topics(prefix);
      this.unread = new LinkedHashSet<>(topics);
      this.toSweep = topics.iterator();
    } catch (RuntimeException e) {
      doorbell.close();
      throw e;
    }
    this.nextSweep = System.nanoTime() + SWEEP.toNanos();
  }

  /** Says where to begin. */
  interface ReadFrom {
    Map<Topic, Bookmark> places(Log log);
  }

  /** The next envelope if one is there already; null otherwise. */
  public @Nullable Envelope poll() {
    while (!hasReady() && !unread.isEmpty()) {
      Topic topic = unread.iterator().next();
      unread.remove(topic);
      if (fill(topic)) {
        // To the back of the line, so that one busy topic does not starve the others.
        unread.add(topic);
      }
    }
    return hasReady() ? deliver() : null;
  }

  private Envelope deliver() {
    Envelope envelope = ready[taken++];
    delivered = envelope;
    return envelope;
  }

  /**
   * The next envelope; waits for one if there is none.
   *
   * @return null if the time is over or the feed was closed
   */
  public @Nullable Envelope next(Duration atMost) throws InterruptedException {
    if (closed) {
      return null;
    }
    if (hasReady()) {
      return deliver();
    }
    Envelope envelope = doorbell.isNear() && atMost.isPositive() ? look() : poll();
    if (envelope != null) {
      return envelope; // without asking for the time, which takes longer than all this
    }
    long end = System.nanoTime() + atMost.toNanos();
    while (!closed) {
      envelope = poll();
      if (envelope != null) {
        return envelope;
      }
      long now = System.nanoTime();
      if (now - end >= 0) {
        return null;
      }
      if (now - nextSweep >= 0) {
        nextSweep = now + SWEEP.toNanos();
        sweep();
      } else {
        long wait = Math.min(end - now, nextSweep - now);
        Set<Topic> rung = doorbell.await(Duration.ofNanos(wait));
        unread.addAll(rung);
        if (rung.isEmpty() && System.nanoTime() - now < wait) {
          nextSweep = now; // it will never ring again: the log was closed, as the next look finds
        }
      }
    }
    return null;
  }

  /**
   * The next envelope if one comes soon, on a log in this process.
   *
   * <p>A caught-up reader gets batches of two or three and contends with the publisher for the
   * cache line, which slows both. So after many envelopes, when only a few are left, the reader
   * pauses for 100 µs. Before it blocks it yields a few times, because waking it costs the
   * publisher a system call and an append costs none.
   */
  @SuppressWarnings("ThreadPriorityCheck") // only saves time: nothing relies on it
  private @Nullable Envelope look() {
    if (stretch >= STRETCH && ready.length < PLENTY) {
      stretch = 0;
      LockSupport.parkNanos(this, REST);
    }
    Envelope envelope = poll();
    for (int i = 0; i < LOOKS && envelope == null && batchTopic != null; i++) {
      Thread.yield();
      unread.add(batchTopic);
      envelope = poll();
    }
    return envelope;
  }

  /** Has the next topics looked at, and after the last ones the first again. */
  void sweep() {
    if (!toSweep.hasNext()) {
      toSweep = log.topics(prefix).iterator();
    }
    for (int i = 0; i < SWEPT && toSweep.hasNext(); i++) {
      unread.add(toSweep.next());
    }
  }

  /** Whether the next {@link #poll} needs no reading: what was read last is not yet delivered. */
  boolean hasReady() {
    return taken < ready.length;
  }

  @Override
  public boolean hasEnded() {
    return closed;
  }

  /** Reads on in one topic; false if there is nothing new. */
  private boolean fill(Topic topic) {
    Bookmark from = readTo.getOrDefault(topic, Bookmark.START);
    Batch batch;
    try {
      batch = log.read(topic, from, BATCH);
    } catch (LostPlaceException e) {
      reporter.report(new Report.Replaced(topic, e));
      readTo.put(topic, Bookmark.START);
      writers.remove(topic);
      return true;
    }
    for (Damage damage : batch.damage()) {
      reporter.report(new Report.Damaged(damage));
    }
    batchTopic = topic;
    batchFrom = from;
    WriterTable seen = writers.computeIfAbsent(topic, t -> new WriterTable(log.limits()));
    ready = fresh(batch.envelopes(), seen);
    taken = 0;
    stretch += ready.length > 1 ? ready.length : 0;
    readTo.put(topic, batch.next());
    return !batch.next().position().equals(from.position());
  }

  /** Those that are no repeats: nearly always all. */
  private Envelope[] fresh(List<Envelope> read, WriterTable seen) {
    Envelope[] all = read.toArray(Envelope[]::new);
    if (doorbell.isNear()) {
      return all; // put there by one writer, in this process: no line comes twice or is lost
    }
    int count = 0;
    for (Envelope envelope : all) {
      if (isNew(envelope, seen)) {
        all[count++] = envelope;
      }
    }
    return count == all.length ? all : Arrays.copyOf(all, count);
  }

  private boolean isNew(Envelope envelope, WriterTable seen) {
    Report report = seen.see(envelope);
    if (report != null) {
      reporter.report(report);
    }
    return !(report instanceof Report.Repeated);
  }

  /**
   * Where another feed would go on, for each topic, if {@code done} is the last envelope that was
   * dealt with (null: none yet).
   */
  Map<Topic, Bookmark> places(@Nullable Envelope done) {
    Map<Topic, Bookmark> places = new TreeMap<>(readTo);
    boolean allDone = !hasReady() && (delivered == null || delivered.equals(done));
    if (batchTopic != null && !allDone) {
      boolean begun =
          done != null
              && done.topic().equals(batchTopic)
              && done.position().compareTo(batchFrom.position()) > 0;
      Bookmark place =
          done != null && begun ? log.bookmark(batchTopic, done.position()) : batchFrom;
      places.put(batchTopic, place);
    }
    return places;
  }

  @Override
  public void close() {
    closed = true;
    doorbell.close();
  }
}

package dev.parley.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Delivers every envelope of some topics to whoever pulls, in order within each topic.
 *
 * <p>Repeats are passed over; damage, gaps and repeats are reported. A topic that was replaced is
 * reported and read from its start. Used by one thread at a time, except {@link #close}, which any
 * thread may call to end a wait.
 */
public final class Feed implements Bus.Ending {
  /** How many envelopes are read at once. */
  static final int BATCH = 2048;

  /** However quiet the doorbell, topics are looked at this often: a ring may be lost. */
  static final Duration SWEEP = Duration.ofSeconds(5);

  /** At so many of them, in turn: idle topics must not cost more the more there are. */
  static final int SWEPT = 250;

  private final Log log;
  private final Prefix prefix;
  private final Reporter reporter;
  private final Doorbell doorbell;
  private final Map<Topic, Bookmark> readTo;
  private final Map<Topic, WriterTable> writers = new HashMap<>();
  private final Set<Topic> unread;

  /** Invariant: all of one topic, {@link #batchTopic}, read from {@link #batchFrom} on. */
  private List<Envelope> ready = List.of();

  /** How many of them were delivered. */
  private int taken;

  private @Nullable Topic batchTopic;
  private Bookmark batchFrom = Bookmark.START;
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
    if (!hasReady()) {
      return null;
    }
    delivered = ready.get(taken++);
    return delivered;
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
    Envelope envelope = atMost.isPositive() ? look() : poll();
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
        unread.addAll(doorbell.await(Duration.ofNanos(Math.min(end - now, nextSweep - now))));
      }
    }
    return null;
  }

  /**
   * The next envelope if there is one soon in the topic of the last. Nobody needs to ring
   * meanwhile: the bell hangs as it was left.
   */
  @SuppressWarnings("ThreadPriorityCheck") // only saves time: nothing relies on it
  private @Nullable Envelope look() {
    Envelope envelope = poll();
    for (int i = 0; i < doorbell.looks() && envelope == null && batchTopic != null; i++) {
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
    return taken < ready.size();
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
      reporter.report(new Report.Replaced(topic, e.what()));
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
    readTo.put(topic, batch.next());
    return !batch.next().position().equals(from.position());
  }

  /** Those that are no repeats: nearly always all. */
  private List<Envelope> fresh(List<Envelope> all, WriterTable seen) {
    List<Envelope> rest = null;
    for (int i = 0; i < all.size(); i++) {
      boolean isNew = isNew(all.get(i), seen);
      if (!isNew && rest == null) {
        rest = new ArrayList<>(all.subList(0, i));
      } else if (isNew && rest != null) {
        rest.add(all.get(i));
      }
    }
    return rest == null ? all : rest;
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

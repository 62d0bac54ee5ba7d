package dev.parley.coordination.fold;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.WriterTable;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one fold up to date with its log: it loads the saved view if there is one, then applies
 * what is new.
 *
 * <p>A reader saves the view when it is {@link #SAVE_AFTER} envelopes past it, or {@link
 * #SAVE_SOON} right after loading it, so that no reader folds much more than that. A reader that
 * reported damage saves it too, so that the next one does not report the same again. During a long
 * backlog the reader saves the view on the way. If a topic was replaced, the reader reports that
 * and folds from the start.
 *
 * <p>Used by one thread at a time.
 */
public final class FoldReader<F extends Fold> {
  /** How many envelopes a reader must be past the saved view to save it again. */
  public static final int SAVE_AFTER = 256;

  /**
   * The same for a reader that has just loaded the view. Without a new view the next command would
   * fold these envelopes again, and a fresh process folds about a hundred times slower than a warm
   * one.
   */
  public static final int SAVE_SOON = 64;

  /** Saving this many bytes of a view takes about as long as folding one envelope. */
  private static final int BYTES_PER_ENVELOPE = 1024;

  /** The levels of JSON that are decoded at once: the view, its state, the parts of the state. */
  private static final int VIEW_LEVELS = 3;

  private static final int BATCH = 1024;

  /** How many envelopes are read at once before the reader knows how long folding takes. */
  private static final int FIRST_BATCH = 256;

  /**
   * How often a reader of a long backlog saves the view, so that a killed command makes progress.
   */
  private static final long PROGRESS_NANOS = 300_000_000;

  /** Saving on the way may take at most one part in so many of the time that folding takes. */
  private static final int SAVING_SHARE = 5;

  private static final long FORMAT = 1;

  private final Log log;
  private final Views views;
  private final Reporter reporter;
  private final Fold.Kind<F> kind;
  private final List<Topic> topics;
  private final int saveAfter;
  private final Map<Topic, Place> places = new HashMap<>();
  private @Nullable F state;
  private int pastView;
  private int viewBytes;

  /** Whether something was reported that lies past the saved view. */
  private boolean reported;

  /** Sees the state right after each envelope, before the next one changes it. */
  private Observer<F> observer = (envelope, state) -> {};

  private long savedAt;
  private long saveAgainAfter;
  private int batch = FIRST_BATCH;

  /** How far one topic was read. */
  private static final class Place {
    Bookmark next = Bookmark.START;

    /** The position of the last envelope, applied or not. */
    Position last = Position.START;

    final WriterTable writers;

    Place(WriterTable writers) {
      this.writers = writers;
    }
  }

  public FoldReader(Log log, Views views, Reporter reporter, Fold.Kind<F> kind) {
    this(log, views, reporter, kind, SAVE_AFTER);
  }

  /** Sees the state right after an envelope was applied. */
  public interface Observer<F> {
    void applied(Envelope envelope, F state);
  }

  /** Shows an observer every envelope that is applied from now on. */
  public void observe(Observer<F> each) {
    observer = each;
  }

  FoldReader(Log log, Views views, Reporter reporter, Fold.Kind<F> kind, int saveAfter) {
    this.saveAfter = saveAfter;
    this.log = log;
    this.views = views;
    this.reporter = reporter;
    this.kind = kind;
    this.topics = kind.topics();
  }

  /** The state at the present end of its topics. */
  public F refresh() {
    return advanceWith(this::advance);
  }

  /** The state after the envelope at a position of one topic, which must exist. */
  public F refreshThrough(Topic topic, Position position) {
    int index = topics.indexOf(topic);
    // A writer that was at the end before its append reads only its own line.
    int first = state == null ? FIRST_BATCH : 1;
    return advanceWith(current -> {
      boolean more = true;
      for (int limit = first; more && isBefore(topic, position); limit = batch) {
        more = advance(current, index, limit);
      }
      if (isWorthSaving(saveAfter)) {
        advance(current); // so that the saved view does not lag behind in the other topics
      }
    });
  }

  private boolean isBefore(Topic topic, Position position) {
    return place(topic).next.position().compareTo(position) < 0;
  }

  /** The state as of the last refresh; refreshes if there was none. */
  public F lastKnown() {
    return state == null ? refresh() : state;
  }

  /** How far a topic was read. */
  public Position position(Topic topic) {
    return place(topic).next.position();
  }

  private F advanceWith(Consumer<F> step) {
    int enough = state == null ? Math.min(saveAfter, SAVE_SOON) : saveAfter;
    F current = state == null ? load() : state;
    savedAt = System.nanoTime();
    saveAgainAfter = PROGRESS_NANOS;
    batch = FIRST_BATCH;
    state =
        null; // if reading fails half-way, it is unknown what was applied: the next refresh loads
    // the view
    while (true) {
      try {
        step.accept(current);
        break;
      } catch (LostPlaceException e) {
        reporter.report(new Report.Replaced(topics.getFirst(), e));
        current = begin();
        pastView = saveAfter; // the saved view is useless now
        viewBytes = 0;
      }
    }
    state = current;
    if (reported || isWorthSaving(enough)) {
      store(current);
    }
    return current;
  }

  private void store(F current) {
    byte[] view = save(current);
    views.save(kind.view(), view);
    viewBytes = view.length;
    pastView = 0;
    reported = false;
  }

  /**
   * Saves the view during a long backlog. Otherwise a process that is killed before the end would
   * leave all the work to the next process, which may be killed too.
   */
  private void keepProgress(F current, long batchNanos) {
    batch = batchNanos < PROGRESS_NANOS / SAVING_SHARE ? BATCH : FIRST_BATCH;
    long began = System.nanoTime();
    if (pastView >= FIRST_BATCH && began - savedAt >= saveAgainAfter) {
      store(current);
      savedAt = System.nanoTime();
      saveAgainAfter = Math.max(PROGRESS_NANOS, SAVING_SHARE * (savedAt - began));
    }
  }

  /**
   * Whether enough was folded to save. A large view takes longer to save, so it is saved less
   * often.
   */
  private boolean isWorthSaving(int enough) {
    return pastView >= Math.max(enough, viewBytes / BYTES_PER_ENVELOPE);
  }

  private F begin() {
    places.clear();
    return kind.begin();
  }

  /**
   * Applies all new envelopes. It reads the last topic first and applies the first topic first. An
   * envelope of an earlier topic that a later one refers to was written before it, so it is there
   * when the earlier topic is read, and is applied first.
   */
  private void advance(F current) {
    boolean more = true;
    while (more) {
      more = advance(current, topics.size() - 1, batch);
    }
  }

  /**
   * Advances one topic by a batch, and the topics before it to their ends; false if this topic was
   * at its end.
   */
  private boolean advance(F current, int index, int limit) {
    Topic topic = topics.get(index);
    Place place = place(topic);
    Batch read = log.read(topic, place.next, limit);
    if (index > 0) {
      boolean more = true;
      while (more) {
        more = advance(current, index - 1, batch);
      }
    }
    for (Damage damage : read.damage()) {
      reporter.report(new Report.Damaged(damage));
      reported = true;
    }
    long began = System.nanoTime();
    for (Envelope envelope : read.envelopes()) {
      apply(current, place, envelope);
    }
    boolean moved = !read.next().position().equals(place.next.position());
    place.next = read.next();
    if (moved) {
      keepProgress(current, System.nanoTime() - began);
    }
    return moved;
  }

  private Place place(Topic topic) {
    return places.computeIfAbsent(topic, name -> new Place(new WriterTable(log.limits())));
  }

  private void apply(F current, Place place, Envelope envelope) {
    Report report = place.writers.see(envelope);
    if (report != null) {
      reporter.report(report);
      reported = true;
    }
    if (!(report instanceof Report.Repeated)) {
      current.apply(envelope, place.last);
      observer.applied(envelope, current);
    }
    place.last = envelope.position();
    pastView++;
  }

  private F load() {
    F begun = begin();
    byte[] saved = views.load(kind.view());
    if (saved == null) {
      return begun;
    }
    viewBytes = saved.length;
    try {
      Fields view = Fields.of(Json.opened(saved, VIEW_LEVELS));
      Json fold = view.json("state");
      if (view.number("format", 0) != FORMAT || fold == null) {
        return begun;
      }
      F loaded = kind.load(fold);
      for (Topic topic : topics) {
        Fields read = view.object("topics").object(topic.name());
        Place place = new Place(WriterTable.load(read.text("writers", ""), log.limits()));
        place.next =
            new Bookmark(
                new Position(read.number("position", -1)),
                Long.parseLong(read.text("proof", ""), 16));
        place.last = new Position(read.number("last", -1));
        places.put(topic, place);
      }
      return loaded;
    } catch (RuntimeException e) {
      // Another version saved it, or it is damaged. A view can always be dropped.
      return begin();
    }
  }

  private byte[] save(F current) {
    Json.ObjectBuilder read = Json.object();
    for (Map.Entry<Topic, Place> entry : places.entrySet()) {
      Place place = entry.getValue();
      read.put(
          entry.getKey().name(),
          Json.object()
              .put("position", place.next.position().value())
              .put("proof", Long.toString(place.next.proof(), 16))
              .put("last", place.last.value())
              .put("writers", place.writers.save())
              .build());
    }
    return Json.object()
        .put("format", FORMAT)
        .put("topics", read.build())
        .put("state", current.save())
        .build()
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Removes impossible boot clocks: those further ahead of this program's own than two readings of
   * one clock can be apart. All later readers of the topic drop them too.
   *
   * @return the positions of the lines with those clocks
   */
  public List<Long> correctClocks(Topic topic, String sender, TimeOf<F> timeOf) {
    List<Long> corrected = new ArrayList<>();
    // The clock is read again after the lines: a cached reading may be from before the machine
    // slept.
    while (timeOf.time(lastKnown()).wrong(log.clock().now()) != 0
        && corrected.size() < MOST_WRONG) {
      long line = timeOf.time(refresh()).wrong(log.clock().lookUp());
      if (line == 0) {
        break;
      }
      var _ = log.append(topic, List.of(FoldTime.correct(sender, line).withClock()));
      corrected.add(line);
      var _ = refresh();
    }
    return corrected;
  }

  /**
   * How many clocks one call corrects. A state keeps fewer, so there is nothing to gain from more.
   */
  private static final int MOST_WRONG = 64;

  /**
   * Brings the time of a topic near the present before an append that depends on it. After an idle
   * period the stamp of that append alone is too far ahead to move a wall-clock time: it would only
   * be a proposal.
   */
  public void catchUp(Topic topic, String sender, Instant now, TimeOf<F> timeOf) {
    var _ = reach(topic, sender, now, now.minus(FoldTime.REACH), timeOf);
  }

  /**
   * Brings the time of a topic to at least {@code least}, which is not after {@code now}.
   *
   * @return whether the topic has reached that time
   */
  public boolean reach(Topic topic, String sender, Instant now, Instant least, TimeOf<F> timeOf) {
    // One tick proposes, one confirms; two more in case a slow clock's line comes between.
    for (int tries = 0; tries < 4; tries++) {
      FoldTime time = timeOf.time(refresh());
      if (time.isAtOrAfter(least)) {
        return true;
      }
      var _ = log.append(topic, List.of(tick(sender, time.proposed(now))));
    }
    return timeOf.time(refresh()).isAtOrAfter(least);
  }

  /** Appends a tick, which moves the time of the topic. */
  public void tick(Topic topic, String sender) {
    var _ = log.append(topic, List.of(tick(sender, 0)));
  }

  /** Finds the time in a state. */
  public interface TimeOf<F> {
    FoldTime time(F state);
  }

  private static Message tick(String sender, long names) {
    Json.ObjectBuilder payload = Json.object();
    if (names != 0) {
      payload.put(TimeTypes.NAMES, names);
    }
    return Message.builder(sender, TimeTypes.TICK)
        .payload(payload.build())
        .automatic(true)
        .build()
        .withClock();
  }
}

package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time of a topic by the boot clock, which nobody can set.
 *
 * <pre>
 * the clock of an envelope            what it does
 * ----------------------------------  ------------------------------------------------------------
 * the very first                      goes on from the time that it was
 * none, or no greater one             moves nothing
 * greater, of this boot               moves the time on by the difference
 * of a boot that is new here          goes on from the last time, plus the wall time between the
 *                                       two lines: not negative, at most 30 days
 * of an older boot                    the envelope is passed over
 * clock.correct that names a line     that line's clock is taken out; the time is the greatest of
 *   more than 5 s ahead of its own      the others, and every remaining duration is kept
 * clock.correct of an older boot      the boots after its own are taken out: no machine comes back
 *   that names where a later one        to an earlier boot, so they were never there
 *   began
 * </pre>
 *
 * The time is an {@link Instant}, to be readable: it starts at the wall clock of one writer, and
 * from then on only differences of the boot clock move it. Never compare it with a wall clock.
 */
final class ClockTime {
  /** The longest time that the machine counts as having been off between two boots. */
  private static final Duration MOST_OFF = Duration.ofDays(30);

  /**
   * How many of the greatest clocks of a boot are kept. A correction can only remove a clock that
   * is kept.
   */
  private static final int STAMPS = 16;

  private static final int BOOTS = 16;
  private static final int CORRECTIONS = 16;

  /** Invariant: never empty. The last boot is the current one. */
  private final ArrayDeque<Boot> boots = new ArrayDeque<>();

  private final ArrayDeque<ClockCorrection> corrections = new ArrayDeque<>();

  /** The boot clock of a line. */
  private record Stamp(long position, long millis) {}

  /** One boot of the machine. Invariant: it has at least one stamp, and the greatest is first. */
  private static final class Boot {
    final String id;

    /** The time of the topic at which this boot clock was zero. */
    final Instant base;

    /** The position of its first line. */
    final long began;

    final List<Stamp> stamps = new ArrayList<>(STAMPS + 1);

    /** The wall clock of the line with the greatest stamp; null if that was no plausible time. */
    @Nullable Instant wall;

    Boot(String id, Instant base, long began) {
      this.id = id;
      this.base = base;
      this.began = began;
    }

    Instant at(long millis) {
      return StoredTimes.later(base, Duration.ofMillis(millis));
    }

    Instant now() {
      return at(stamps.getFirst().millis);
    }

    void add(Stamp stamp, @Nullable Instant stampedAt) {
      int at = 0;
      while (at < stamps.size() && stamps.get(at).millis >= stamp.millis) {
        at++;
      }
      stamps.add(at, stamp);
      if (at == 0) {
        wall = stampedAt;
      }
      if (stamps.size() > STAMPS) {
        stamps.removeLast();
      }
    }

    Json save() {
      List<Json> saved = new ArrayList<>();
      for (Stamp stamp : stamps) {
        saved.add(Json.of(stamp.position));
        saved.add(Json.of(stamp.millis));
      }
      Json.ObjectBuilder json =
          Json.object().put("boot", id).put("base", Timestamps.format(base)).put("began", began);
      if (wall != null) {
        json.put("wall", Timestamps.format(wall));
      }
      return json.put("stamps", Json.of(saved)).build();
    }

    static Boot load(Fields saved) {
      Boot boot = new Boot(saved.text("boot", ""), saved.need("base"), saved.number("began", 0));
      List<Json> stamps = saved.items("stamps");
      for (int i = 0; i + 1 < stamps.size(); i += 2) {
        boot.stamps.add(new Stamp(stamps.get(i).number(0), stamps.get(i + 1).number(0)));
      }
      if (boot.stamps.isEmpty()) {
        throw new IllegalArgumentException("a boot without a line");
      }
      boot.wall = saved.time("wall");
      return boot;
    }
  }

  private ClockTime() {}

  /** Goes on from a time with the boot clock of this envelope. */
  ClockTime(Instant from, Envelope envelope, BootTime clock) {
    begin(from, envelope, clock);
  }

  private void begin(Instant from, Envelope envelope, BootTime clock) {
    long position = envelope.position().value();
    Boot boot = new Boot(clock.boot(), from.minusMillis(clock.millis()), position);
    boot.add(new Stamp(position, clock.millis()), WallTime.sane(envelope));
    boots.add(boot);
    if (boots.size() > BOOTS) {
      boots.removeFirst();
    }
  }

  private Boot current() {
    return boots.getLast();
  }

  private @Nullable Boot boot(String id) {
    for (Boot boot : boots) {
      if (boot.id.equals(id)) {
        return boot;
      }
    }
    return null;
  }

  Instant now() {
    return current().now();
  }

  /**
   * Whether an envelope is from a boot before the current one. No machine goes back to an earlier
   * boot, so its clock can't be right.
   */
  boolean isOutdated(Envelope envelope) {
    BootTime clock = envelope.clock();
    return clock != null && !clock.boot().equals(current().id) && boot(clock.boot()) != null;
  }

  /** Takes the boot clock of an envelope; returns how far the time went back. */
  Duration see(Envelope envelope) {
    BootTime clock = envelope.clock();
    if (clock == null) {
      return Duration.ZERO;
    }
    Instant before = now();
    if (envelope.type().equals(TimeTypes.CORRECT)) {
      correct(envelope, clock);
    }
    Instant wall = WallTime.sane(envelope);
    if (clock.boot().equals(current().id)) {
      current().add(new Stamp(envelope.position().value(), clock.millis()), wall);
    } else if (boot(clock.boot()) == null) {
      begin(StoredTimes.later(now(), off(wall)), envelope, clock);
    }
    Duration back = Duration.between(now(), before);
    return back.isNegative() ? Duration.ZERO : back;
  }

  /** How long the machine was off if the first line of a new boot has this wall clock. */
  private Duration off(@Nullable Instant wall) {
    Instant last = current().wall;
    if (last == null || wall == null || wall.isBefore(last)) {
      return Duration.ZERO;
    }
    Duration off = Duration.between(last, wall);
    return off.compareTo(MOST_OFF) < 0 ? off : MOST_OFF;
  }

  private void correct(Envelope envelope, BootTime clock) {
    long line = Fields.of(envelope.payload()).number(TimeTypes.NAMES, 0);
    Boot own = boot(clock.boot());
    boolean counts =
        own != null
            && (own.id.equals(current().id)
                ? takeOut(own, line, clock.millis())
                : takeOutAfter(own, line));
    if (counts) {
      corrections.add(new ClockCorrection(line, envelope.sender(), envelope.position().value()));
      if (corrections.size() > CORRECTIONS) {
        corrections.removeFirst();
      }
    }
  }

  /**
   * Removes the clock of a line. The clock of the correction itself is added next, so the boot
   * keeps at least one.
   */
  private static boolean takeOut(Boot boot, long line, long millis) {
    return boot.stamps.removeIf(stamp -> stamp.position == line && isWrong(stamp, millis));
  }

  private static boolean isWrong(Stamp stamp, long millis) {
    return stamp.millis > millis + FoldTime.AHEAD.toMillis();
  }

  private boolean takeOutAfter(Boot own, long line) {
    boolean names = false;
    for (Iterator<Boot> later = boots.descendingIterator(); later.hasNext(); ) {
      Boot boot = later.next();
      if (boot.id.equals(own.id)) {
        break;
      }
      names |= boot.began == line;
    }
    if (names) {
      while (!current().id.equals(own.id)) {
        boots.removeLast();
      }
    }
    return names;
  }

  /** See {@link FoldTime#wrong}. */
  long wrong(BootTime own) {
    Boot boot = boot(own.boot());
    if (boot == null) {
      return 0; // the machine has booted again, and no line has been written since
    }
    if (!boot.id.equals(current().id)) {
      return current().began;
    }
    Stamp greatest = boot.stamps.getFirst();
    return isWrong(greatest, own.millis()) ? greatest.position : 0;
  }

  /** The time of the topic for a program with these two clocks. */
  Instant present(@Nullable BootTime own, Instant wall) {
    if (own == null) {
      return now();
    }
    Instant at = at(own);
    return at == null ? StoredTimes.later(now(), off(wall)) : at;
  }

  /** The time of the topic at a boot clock; null if the boot is not known. */
  @Nullable Instant at(BootTime clock) {
    Boot boot = boot(clock.boot());
    return boot == null ? null : boot.at(clock.millis());
  }

  List<ClockCorrection> corrections() {
    return List.copyOf(corrections);
  }

  Json save() {
    Json.ObjectBuilder json =
        Json.object().put("boots", Json.of(boots.stream().map(Boot::save).toList()));
    if (!corrections.isEmpty()) {
      json.put("corrections", Json.of(corrections.stream().map(ClockCorrection::save).toList()));
    }
    return json.build();
  }

  static ClockTime load(Fields saved) {
    ClockTime time = new ClockTime();
    saved.objects("boots").forEach(boot -> time.boots.add(Boot.load(boot)));
    saved.objects("corrections").forEach(item -> time.corrections.add(ClockCorrection.load(item)));
    if (time.boots.isEmpty()) {
      throw new IllegalArgumentException("a clock without a boot");
    }
    return time;
  }
}

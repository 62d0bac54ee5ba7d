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
 * What time it is in a topic by the clock of the machine, which nobody sets.
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
 * The time is an {@link Instant} that began as somebody's wall clock, to be readable; from then on
 * only differences of the boot clock move it. It is never to be compared with a wall clock.
 */
final class ClockTime {
  /** The longest time that a machine is taken to have been off. */
  private static final Duration MOST_OFF = Duration.ofDays(30);

  /** How many of the greatest clocks are remembered: each may yet be taken out. */
  private static final int STAMPS = 16;

  private static final int BOOTS = 16;
  private static final int CORRECTIONS = 16;

  /** Invariant: never empty; the last is the one in force. */
  private final ArrayDeque<Boot> boots = new ArrayDeque<>();

  private final ArrayDeque<ClockCorrection> corrections = new ArrayDeque<>();

  /** The clock of a line. */
  private record Stamp(long position, long millis) {}

  /** One boot of the machine. Invariant: it has a stamp, the greatest first. */
  private static final class Boot {
    final String id;

    /** The time at which it would have begun. */
    final Instant base;

    /** Where the first line of it stands. */
    final long began;

    final List<Stamp> stamps = new ArrayList<>(STAMPS + 1);

    /** The wall clock of the line with the greatest; null if that was none that a clock shows. */
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

  /** Goes on from a time with the clock of this envelope. */
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

  /** Whether an envelope is of a boot that is over, and so can't be what it says. */
  boolean isOutdated(Envelope envelope) {
    BootTime clock = envelope.clock();
    return clock != null && !clock.boot().equals(current().id) && boot(clock.boot()) != null;
  }

  /** Takes the clock of an envelope; gives back how far the time went back. */
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

  /** How long the machine was off, if a line of a new boot was written at this time. */
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

  /** The clock of the envelope itself is added next, so one is left. */
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
      return 0; // the machine has begun anew, and nobody has written since
    }
    if (!boot.id.equals(current().id)) {
      return current().began;
    }
    Stamp greatest = boot.stamps.getFirst();
    return isWrong(greatest, own.millis()) ? greatest.position : 0;
  }

  /** What time it is for a program whose clocks say this. */
  Instant present(@Nullable BootTime own, Instant wall) {
    if (own == null) {
      return now();
    }
    Instant at = at(own);
    return at == null ? StoredTimes.later(now(), off(wall)) : at;
  }

  /** The time at which a clock said something; null if it is of a boot that is not known. */
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

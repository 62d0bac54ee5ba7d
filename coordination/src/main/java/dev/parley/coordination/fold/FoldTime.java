package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time of a topic, computed from its native envelopes.
 *
 * <p>Two clocks can drive it. {@link WallTime} is for old lines and for systems without a boot
 * clock. {@link ClockTime} takes over at the first line with a boot clock: in the ledger under
 * rules 2, in receipts always. The tables are on these two classes.
 */
public final class FoldTime {
  /** How far one envelope may move the time by its wall clock alone. */
  public static final Duration REACH = Duration.ofMinutes(5);

  /**
   * A boot clock further ahead of a reader's own than this is forged or damaged: on one machine all
   * processes read the same boot clock.
   */
  public static final Duration AHEAD = Duration.ofSeconds(5);

  /** Two clocks that are read one after the other may differ by this much. */
  private static final Duration SAME = Duration.ofSeconds(1);

  private WallTime wall = new WallTime();
  private @Nullable ClockTime clock;

  /** Knows what would end if the time moved. */
  @FunctionalInterface
  public interface Guard {
    /** Whether a move to this time would end nothing that belongs to other agents. */
    boolean endsNothingOfOthers(Instant time, String agent);
  }

  /** The time before the first envelope. */
  public FoldTime() {}

  /** The time; null before the first native envelope. */
  public @Nullable Instant now() {
    return clock == null ? wall.now() : clock.now();
  }

  /** Whether the time has reached {@code time}, and not only because a single envelope says so. */
  public boolean isAtOrAfter(Instant time) {
    return clock == null ? wall.isAtOrAfter(time) : !clock.now().isBefore(time);
  }

  /** Whether the boot clock drives the time. */
  public boolean isOfBootClock() {
    return clock != null;
  }

  /**
   * The time of this topic for a program now. The program's wall clock may be wrong, so it counts
   * only while no line has a boot clock.
   *
   * @param own the program's boot clock; null if it has none
   * @param wall the program's wall clock
   */
  public Instant present(@Nullable BootTime own, Instant wall) {
    return clock == null ? wall : clock.present(own, wall);
  }

  /**
   * How far a program's wall clock is ahead of the time here, to show times to people; zero if the
   * difference is negligible.
   */
  public Duration wallAhead(@Nullable BootTime own, Instant wall) {
    Duration ahead = Duration.between(present(own, wall), wall);
    return ahead.abs().compareTo(SAME) < 0 ? Duration.ZERO : ahead;
  }

  /** The time here at a reading of the boot clock; null if the boot is not known. */
  public @Nullable Instant at(@Nullable BootTime said) {
    return clock == null || said == null ? null : clock.at(said);
  }

  /**
   * A line whose clock must be wrong, because a program's own clock contradicts it; 0 if there is
   * none.
   *
   * @param own the program's boot clock, read after all lines
   */
  public long wrong(@Nullable BootTime own) {
    return clock == null || own == null ? 0 : clock.wrong(own);
  }

  /** The message that removes the clock of a line. */
  public static Message correct(String sender, long line) {
    return Message.builder(sender, TimeTypes.CORRECT)
        .payload(Json.object().put(TimeTypes.NAMES, line).build())
        .automatic(true)
        .build();
  }

  /** The clocks that were removed last. */
  public List<ClockCorrection> corrections() {
    return clock == null ? List.of() : clock.corrections();
  }

  /** The position of a proposal near {@code time} that a tick may confirm; 0 if there is none. */
  public long proposed(Instant time) {
    return clock == null ? wall.proposed(time) : 0;
  }

  /** A proposal to go back to {@code time}, or the consent to a proposal of another session. */
  public Message goBack(String sender, String session, Instant time) {
    return wall.goBack(sender, session, time);
  }

  /**
   * Takes the wall clock of a native envelope, as before rules 2.
   *
   * @return how far the time went back, by which every deadline must be moved; zero except for a
   *     {@code clock.reset} that counts
   */
  public Duration see(Envelope envelope) {
    return wall.see(envelope, null);
  }

  /**
   * Begins to follow the boot clock with an envelope that was just seen and has one: the time goes
   * on from where it was.
   *
   * @return how far the time went back, which happens only if it was no plausible time
   */
  public Duration begin(Envelope envelope) {
    Duration back = wall.beginAnew(envelope);
    BootTime said = envelope.clock();
    if (said != null) {
      anchor(envelope, said);
    }
    return back;
  }

  private void anchor(Envelope envelope, BootTime said) {
    Instant from = wall.now();
    clock = new ClockTime(from == null ? WallTime.nearest(envelope) : from, envelope, said);
  }

  /**
   * Takes the boot clock of a native envelope, or its wall clock while no line has had a boot
   * clock.
   *
   * @param guard null for a topic where nothing ends by time alone
   * @return as {@link #see}
   */
  public Duration follow(Envelope envelope, @Nullable Guard guard) {
    if (clock != null) {
      return clock.see(envelope);
    }
    BootTime said = envelope.clock();
    if (said == null) {
      return wall.see(envelope, guard);
    }
    anchor(envelope, said);
    return Duration.ZERO;
  }

  /** Whether an envelope is from a boot that is over, so that the fold must skip it. */
  public boolean isOutdated(Envelope envelope) {
    return clock != null
        && clock.isOutdated(envelope)
        && !envelope.type().equals(TimeTypes.CORRECT);
  }

  public Json save() {
    Json.ObjectBuilder json = Json.object();
    if (clock == null) {
      wall.saveTo(json);
      return json.build();
    }
    return json.put("now", Timestamps.format(clock.now())).put("clock", clock.save()).build();
  }

  public static FoldTime load(Fields saved) {
    FoldTime time = new FoldTime();
    if (saved.json("clock") == null) {
      time.wall = WallTime.load(saved);
    } else {
      time.clock = ClockTime.load(saved.object("clock"));
    }
    return time;
  }
}

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
 * What time it is in a topic: what its native envelopes say. The tables are on {@link WallTime},
 * which old lines follow and systems without a boot clock, and on {@link ClockTime}, which is
 * followed from the first line that says what the boot clock said: in the ledger under rules 2, in
 * receipts always.
 */
public final class FoldTime {
  /** How far an envelope may move the time by the wall clock alone. */
  public static final Duration REACH = Duration.ofMinutes(5);

  /** A boot clock that is further ahead of one's own is forged or damaged: all read the same. */
  public static final Duration AHEAD = Duration.ofSeconds(5);

  /** How far apart two clocks may read that are asked one after the other. */
  private static final Duration SAME = Duration.ofSeconds(1);

  private WallTime wall = new WallTime();
  private @Nullable ClockTime clock;

  /** Knows what would end by the time. */
  @FunctionalInterface
  public interface Guard {
    /** Whether nothing of anybody but this agent ends if it becomes this time. */
    boolean endsNothingOfOthers(Instant time, String agent);
  }

  /** The time before the first envelope. */
  public FoldTime() {}

  /** The time; null before the first native envelope. */
  public @Nullable Instant now() {
    return clock == null ? wall.now() : clock.now();
  }

  /** Whether it is this time or later, and not by one envelope's word alone. */
  public boolean isAtOrAfter(Instant time) {
    return clock == null ? wall.isAtOrAfter(time) : !clock.now().isBefore(time);
  }

  /** Whether it is the boot clock that moves it. */
  public boolean isOfBootClock() {
    return clock != null;
  }

  /**
   * What time it is here for a program, which is not what its wall clock says: that may be wrong.
   *
   * @param own what its boot clock says; null if it has none
   * @param wall what its wall clock says, which is all there is as long as nobody has a boot clock
   */
  public Instant present(@Nullable BootTime own, Instant wall) {
    return clock == null ? wall : clock.present(own, wall);
  }

  /**
   * How far a program's wall clock is ahead of the time here, for showing it to people; zero if the
   * two are as good as the same.
   */
  public Duration wallAhead(@Nullable BootTime own, Instant wall) {
    Duration ahead = Duration.between(present(own, wall), wall);
    return ahead.abs().compareTo(SAME) < 0 ? Duration.ZERO : ahead;
  }

  /** The time here when a boot clock said this; null if that is not known. */
  public @Nullable Instant at(@Nullable BootTime said) {
    return clock == null || said == null ? null : clock.at(said);
  }

  /**
   * The line whose clock can't be right, because one's own says something else; 0 if there is none.
   *
   * @param own what the boot clock said after all lines were read
   */
  public long wrong(@Nullable BootTime own) {
    return clock == null || own == null ? 0 : clock.wrong(own);
  }

  /** Says that the clock of a line is wrong. */
  public static Message correct(String sender, long line) {
    return Message.builder(sender, TimeTypes.CORRECT)
        .payload(Json.object().put(TimeTypes.NAMES, line).build())
        .automatic(true)
        .build();
  }

  /** The clocks that were taken out last. */
  public List<ClockCorrection> corrections() {
    return clock == null ? List.of() : clock.corrections();
  }

  /**
   * Where a proposal to move ahead stands that a tick may confirm; 0 if there is none near {@code
   * time}.
   */
  public long proposed(Instant time) {
    return clock == null ? wall.proposed(time) : 0;
  }

  /** A proposal to go back to {@code time}, or consent to one of another session. */
  public Message goBack(String sender, String session, Instant time) {
    return wall.goBack(sender, session, time);
  }

  /**
   * Takes the stamp of a native envelope by the wall clock, as before rules 2.
   *
   * @return how far the time went back, which everything that remains is to be moved by; zero but
   *     for a {@code clock.reset} that counts
   */
  public Duration see(Envelope envelope) {
    return wall.see(envelope, null);
  }

  /**
   * Begins to follow the boot clock, with the envelope that was just seen and says so: the time
   * goes on from where it was.
   *
   * @return how far the time went back: to one that a clock would show
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
   * Takes the clock of a native envelope; its stamp as long as no line had a clock.
   *
   * @param guard null for a topic where nothing ends by the time alone
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

  /** Whether an envelope is of a boot that is over, and is to be passed over. */
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

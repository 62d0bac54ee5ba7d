package dev.parley.coordination.ledger.history;

import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.wait.Target;
import dev.parley.coordination.wait.Wait;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first line after a position that ended a wait. The ledger only keeps that a wait is
 * over, so finding the line takes a second fold.
 */
public final class WaitEnding implements Fold {
  private final Ledger ledger = new Ledger();
  private final Wait wait;
  private final Position after;
  private @Nullable Position at;

  private WaitEnding(Wait wait, Position after) {
    this.wait = wait;
    this.after = after;
  }

  /**
   * How it is found.
   *
   * @param who does not wait for what is its own
   */
  public static Fold.Kind<WaitEnding> kind(String who, Target target, String tree, Position after) {
    // Of whoever waits, however late: so it is about everyone who held a path before.
    Wait wait =
        new Wait(
            Long.MAX_VALUE,
            who,
            "",
            target,
            tree,
            Instant.MIN,
            Instant.MAX,
            null,
            /* reported= */ true);
    return new Fold.Kind<>() {
      @Override
      public String view() {
        return "ending";
      }

      @Override
      public List<Topic> topics() {
        return List.of(Ledger.TOPIC);
      }

      @Override
      public WaitEnding begin() {
        return new WaitEnding(wait, after);
      }

      @Override
      public WaitEnding load(Json saved) {
        throw new UnsupportedOperationException("it is not saved");
      }
    };
  }

  @Override
  public void apply(Envelope envelope, Position before) {
    boolean counts = at == null && envelope.position().compareTo(after) > 0;
    boolean was = counts && isOver();
    ledger.apply(envelope, before);
    if (counts && !was && isOver()) {
      at = envelope.position();
    }
  }

  /** Where it ended; null if it has not since then. */
  public @Nullable Position at() {
    return at;
  }

  /** Whether it is over now, since whenever. */
  public boolean isOver() {
    return ledger.graph().isOver(wait);
  }

  @Override
  public Json save() {
    return Json.NULL;
  }
}

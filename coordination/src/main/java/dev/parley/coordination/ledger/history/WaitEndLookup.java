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
 * Finds the first line after a position with which a target was over. The ledger keeps no record of
 * that, so finding the line takes a second fold.
 */
public final class WaitEndLookup implements Fold {
  private final Ledger ledger = new Ledger();
  private final Wait wait;
  private final Position after;
  private @Nullable Position at;

  private WaitEndLookup(Wait wait, Position after) {
    this.wait = wait;
    this.after = after;
  }

  /**
   * How to fold for this target.
   *
   * @param who the agent that waits; its own leases do not count
   */
  public static Fold.Kind<WaitEndLookup> kind(
      String who, Target target, String tree, Position after) {
    // A wait at the end of the ledger, so that it is for all holders of a path, whenever they
    // began.
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
      public WaitEndLookup begin() {
        return new WaitEndLookup(wait, after);
      }

      @Override
      public WaitEndLookup load(Json saved) {
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

  /** The position of that line; null if there is none yet. */
  public @Nullable Position at() {
    return at;
  }

  /** Whether the target is over now. */
  public boolean isOver() {
    return ledger.graph().isOver(wait);
  }

  @Override
  public Json save() {
    return Json.NULL;
  }
}

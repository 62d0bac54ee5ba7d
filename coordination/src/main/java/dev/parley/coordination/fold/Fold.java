package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.util.List;

/**
 * A state computed from the envelopes of some topics.
 *
 * <p>Invariant: it depends on nothing but the envelopes, applied in the order of each topic. It
 * reads no clock, disk, network or process table, so all readers of the same envelopes have the
 * same state.
 */
public interface Fold {
  /**
   * Applies the next envelope of one of its topics.
   *
   * @param after the position of the envelope before it in its topic: reading on from there gives
   *     it again
   */
  void apply(Envelope envelope, Position after);

  /** The whole state, for {@link Kind#load}. */
  Json save();

  /** How to fold certain topics. */
  interface Kind<F extends Fold> {
    /** The name of its view. It must change whenever {@link #save} changes its format. */
    String view();

    /**
     * The topics, in an order that matters: an envelope of a later topic may refer to envelopes of
     * an earlier one, which have then been applied. Topics are not ordered in any other way.
     */
    List<Topic> topics();

    F begin();

    /**
     * Restores a state that was saved.
     *
     * @throws RuntimeException if this version did not save it; the topics are then folded from the
     *     start
     */
    F load(Json saved);
  }
}

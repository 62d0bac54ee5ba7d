package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.util.List;

/**
 * What the envelopes of some topics amount to.
 *
 * <p>Invariant: it is a function of the envelopes applied, in the order of each topic. It knows no
 * clock, disk, network or process table, so all who have read the same come to the same.
 */
public interface Fold {
  /**
   * Takes the next envelope of one of its topics.
   *
   * @param after where the envelope before it in its topic ends: reading on from there gives it
   *     again
   */
  void apply(Envelope envelope, Position after);

  /** All of it, for {@link Kind#load}. */
  Json save();

  /** A way of folding certain topics. */
  interface Kind<F extends Fold> {
    /** The name of its view; changes when {@link #save} writes something else than before. */
    String view();

    /**
     * The topics. What stands in a later one may speak of what stands in an earlier one; when it is
     * applied, that has been applied. There is no other order between topics.
     */
    List<Topic> topics();

    F begin();

    /**
     * What was saved.
     *
     * @throws RuntimeException if it was not saved by this version; then it is folded anew
     */
    F load(Json saved);
  }
}

package dev.parley;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;

/**
 * One line of the ledger or of a mailbox, and the decision about it.
 *
 * @param envelope the line; a blind assessment is shown without its content until all are in
 * @param outcome what the ledger decided: accepted, or refused with the reason; lines of mailboxes
 *     need no decision, and count as accepted
 */
public record Change(Envelope envelope, Outcome outcome) {
  /** {@return the topic that the line is in} */
  public Topic topic() {
    return envelope.topic();
  }

  /** {@return the position after the line in its topic} */
  public Position position() {
    return envelope.position();
  }
}

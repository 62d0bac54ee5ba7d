package dev.parley.core.bus;

import dev.parley.core.Envelope;

/** Called with each envelope of a subscription, one at a time, on the subscription's own thread. */
@FunctionalInterface
public interface Handler {
  /**
   * Deals with one envelope.
   *
   * @throws Exception whatever goes wrong; what happens then is the subscription's {@link
   *     OnFailure}
   */
  void handle(Envelope envelope) throws Exception;
}

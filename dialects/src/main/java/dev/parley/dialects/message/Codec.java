package dev.parley.dialects.message;

import dev.parley.core.Envelope;
import dev.parley.core.Message;

/**
 * Turns a message of one design into what an envelope says, and an envelope into such a message.
 * Pure: no clock, no disk, no chance.
 *
 * <p>Law: {@code fromLog} of the envelope that {@code toLog(message)} became equals {@code
 * message}. An envelope of any other origin becomes a message too, with an id that is a function of
 * the envelope's, so that doing it twice is doing it once.
 */
public interface Codec<F> {
  /** What the envelope says; the caller that stores it may add to it. */
  Message.Builder toLog(F foreign);

  F fromLog(Envelope envelope);
}

package dev.parley.dialects.message;

import dev.parley.core.Envelope;
import dev.parley.core.Message;

/**
 * Converts a message of one dialect to an envelope and back. Pure: no clock, no disk, no
 * randomness.
 *
 * <p>Law: if {@code toLog(message)} became an envelope, {@code fromLog} of that envelope equals
 * {@code message}. An envelope of another origin becomes a message too. Its id is a function of the
 * envelope's id, so converting it twice gives the same message.
 */
public interface Codec<F> {
  /** The content of the envelope; the caller that stores it may add to it. */
  Message.Builder toLog(F foreign);

  F fromLog(Envelope envelope);
}

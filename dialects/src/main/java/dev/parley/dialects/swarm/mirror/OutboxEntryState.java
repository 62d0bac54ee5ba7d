package dev.parley.dialects.swarm.mirror;

/** What became of an entry of an outbox on its way to one recipient. */
enum OutboxEntryState {
  /** It stands in the recipient's inbox: its sender put it there. */
  THERE,
  /** It stood there, and the recipient has removed it. */
  READ,
  /** The same, as far as can be told. */
  PERHAPS_READ,
  /** Nobody put it there: that is left to us. */
  UNSENT,
  /** The same, as far as can be told. */
  PERHAPS_UNSENT,
  /** Its sender may be just about to put it there, or the inbox can't be read now. */
  UNCLEAR
}

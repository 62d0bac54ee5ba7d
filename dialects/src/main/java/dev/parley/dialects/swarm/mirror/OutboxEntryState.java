package dev.parley.dialects.swarm.mirror;

/** The state of an outbox entry on its way to one recipient. */
enum OutboxEntryState {
  /** It is in the recipient's inbox: its sender put it there. */
  THERE,
  /** It was in the inbox, and the recipient has removed it. */
  READ,
  /** Probably {@link #READ}; the files can't tell for certain. */
  PERHAPS_READ,
  /** Nobody put it into the inbox, so the mirror has to. */
  UNSENT,
  /** Probably {@link #UNSENT}; the files can't tell for certain. */
  PERHAPS_UNSENT,
  /** Undecided: its sender may be about to deliver it, or the inbox can't be read now. */
  UNCLEAR
}

package dev.parley.core.bus;

/**
 * The types of envelopes that the core itself writes. A class named {@code …Types} holds one
 * constant for every type its module writes; docs/LOG.md lists them all, and a test compares.
 */
public final class SystemTypes {
  /** A handler gave up on an envelope; see {@link Subscription}. */
  public static final String DEAD_LETTER = "dead-letter";

  private SystemTypes() {}
}

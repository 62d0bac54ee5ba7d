package dev.parley.core.keys;

/** The types of envelopes in the topic {@code keys}. */
public final class KeyTypes {
  /** Programs sign from now on; nothing is required yet. */
  public static final String ANNOUNCE = "keys.announce";

  /** From here on lines must be signed. */
  public static final String REQUIRE = "keys.require";

  /** This key is its sender's. */
  public static final String BIND = "keys.bind";

  /** From here on an agent has another key. */
  public static final String CHANGE = "keys.change";

  /** Signatures are not required any more. */
  public static final String LIFT = "keys.lift";

  private KeyTypes() {}
}

package dev.parley.core.keys;

/** The types of envelopes in the topic {@code keys}. */
public final class KeyTypes {
  /** From here on lines must be signed. */
  public static final String REQUIRE = "keys.require";

  /** This key is its sender's. */
  public static final String BIND = "keys.bind";

  /** From here on an agent has another key. */
  public static final String CHANGE = "keys.change";

  private KeyTypes() {}
}

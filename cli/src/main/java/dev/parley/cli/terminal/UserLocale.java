package dev.parley.cli.terminal;

import java.util.Map;

/**
 * The locale that the user has set. The launcher gives the JVM a UTF-8 one instead, by LC_ALL, and
 * says what stood there; a program that we start in the user's name gets that back.
 */
public final class UserLocale {
  private static final String OVERRIDE = "LC_ALL";
  private static final String GIVEN = "parley.lc-all";

  private UserLocale() {}

  /** Makes the variables of a program what the user set. */
  public static void restore(Map<String, String> environment) {
    String given = System.getProperty(GIVEN);
    if (given == null) {
      return; // started without the launcher, or with a locale that it left alone
    }
    if (given.isEmpty()) {
      environment.remove(OVERRIDE);
    } else {
      environment.put(OVERRIDE, given);
    }
  }
}

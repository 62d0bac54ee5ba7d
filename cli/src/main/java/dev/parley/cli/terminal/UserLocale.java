package dev.parley.cli.terminal;

import java.util.Map;

/**
 * Restores the user's locale. The launcher sets a UTF-8 locale for the JVM by LC_ALL and passes on
 * the old value, which programs started for the user get back.
 */
public final class UserLocale {
  private static final String OVERRIDE = "LC_ALL";
  private static final String GIVEN = "parley.lc-all";

  private UserLocale() {}

  /** Restores the user's locale variables for a program. */
  public static void restore(Map<String, String> environment) {
    String given = System.getProperty(GIVEN);
    if (given == null) {
      return; // no launcher, or it did not change the locale
    }
    if (given.isEmpty()) {
      environment.remove(OVERRIDE);
    } else {
      environment.put(OVERRIDE, given);
    }
  }
}

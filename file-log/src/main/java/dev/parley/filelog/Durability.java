package dev.parley.filelog;

import dev.parley.core.ParleyException;
import java.util.Locale;

/**
 * What an acknowledged message survives ({@code durability} in bus.json, or {@code
 * PARLEY_DURABILITY}).
 */
public enum Durability {
  /** The operating system has the message: it survives the end of the process, also a kill. */
  OS,
  /** The disk has the message: it survives a power failure. */
  DISK;

  static final String SETTING = "PARLEY_DURABILITY";

  public static Durability named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "os" -> OS;
      case "disk" -> DISK;
      default ->
          throw ParleyException.invalid(
              "bad-setting",
              "The durability " + name + " is not known.",
              "Use os (survives the process) or disk (survives the machine).");
    };
  }
}

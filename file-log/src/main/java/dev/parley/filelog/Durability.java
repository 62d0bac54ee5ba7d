package dev.parley.filelog;

import dev.parley.core.ParleyException;
import java.util.Locale;

/** What an acknowledgement means ({@code durability} in bus.json, or {@code PARLEY_DURABILITY}). */
public enum Durability {
  /** The system has it: it survives the process, however that ends. */
  OS,
  /** The disk has it: it survives the machine. */
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

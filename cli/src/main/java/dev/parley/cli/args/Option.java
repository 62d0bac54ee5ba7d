package dev.parley.cli.args;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command takes by name.
 *
 * @param name with its hyphens, such as {@code --type}
 * @param letter the short form, such as {@code -f}, if there is one
 * @param value what its value is called in help; null if it is a flag
 * @param choices the only values it may have; empty if they are free
 */
public record Option(
    String name,
    @Nullable String letter,
    @Nullable String value,
    boolean required,
    boolean repeatable,
    List<String> choices,
    String help) {
  /** The value name for a folder, so that shells complete it as one. */
  public static final String FOLDER = "folder";

  public static Option flag(String name, String help) {
    return new Option(name, null, null, false, false, List.of(), help);
  }

  public static Option value(String name, String value, String help) {
    return new Option(name, null, value, false, false, List.of(), help);
  }

  public Option letter(String letter) {
    return new Option(name, letter, value, required, repeatable, choices, help);
  }

  public Option needed() {
    return new Option(name, letter, value, true, repeatable, choices, help);
  }

  public Option repeated() {
    return new Option(name, letter, value, required, true, choices, help);
  }

  public Option choices(String... words) {
    return new Option(name, letter, value, required, repeatable, List.of(words), help);
  }

  public boolean isFlag() {
    return value == null;
  }

  public boolean isFolder() {
    return FOLDER.equals(value);
  }

  /** Its form in usage lines: {@code --type <type>}. */
  public String usage() {
    if (value == null) {
      return name;
    }
    return name + " " + (choices.isEmpty() ? "<" + value + ">" : String.join("|", choices));
  }
}

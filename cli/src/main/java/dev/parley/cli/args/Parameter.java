package dev.parley.cli.args;

import java.util.List;

/**
 * What a command takes by its place.
 *
 * @param choices the only words it may be; empty if it is free
 * @param repeatable whether it takes all words that are left; only the last one of a command may
 */
public record Parameter(
    String name, boolean required, List<String> choices, boolean repeatable, String help) {
  public static Parameter required(String name, String help) {
    return new Parameter(name, true, List.of(), false, help);
  }

  public static Parameter optional(String name, String help) {
    return new Parameter(name, false, List.of(), false, help);
  }

  public Parameter choices(String... words) {
    return new Parameter(name, required, List.of(words), repeatable, help);
  }

  public Parameter repeated() {
    return new Parameter(name, required, choices, true, help);
  }

  /** Its form in usage lines. */
  public String usage() {
    String word = choices.isEmpty() ? "<" + name + ">" : String.join("|", choices);
    String shown = repeatable ? word + "…" : word;
    return required ? shown : "[" + shown + "]";
  }
}

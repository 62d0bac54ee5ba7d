package dev.parley.cli.args;

import java.util.List;

/**
 * What a command takes by its place.
 *
 * @param choices the only words it may be; empty if it is free
 */
public record Parameter(String name, boolean required, List<String> choices, String help) {
  public static Parameter required(String name, String help) {
    return new Parameter(name, true, List.of(), help);
  }

  public static Parameter optional(String name, String help) {
    return new Parameter(name, false, List.of(), help);
  }

  public Parameter choices(String... words) {
    return new Parameter(name, required, List.of(words), help);
  }

  /** How it is written in a usage line. */
  public String usage() {
    String shown = choices.isEmpty() ? "<" + name + ">" : String.join("|", choices);
    return required ? shown : "[" + shown + "]";
  }
}

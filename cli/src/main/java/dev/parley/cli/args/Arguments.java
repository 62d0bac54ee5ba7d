package dev.parley.cli.args;

import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the user typed, sorted by what it is for. */
public final class Arguments {
  private final @Nullable Description command;
  private final Map<String, List<String>> options;
  private final List<String> words;

  /**
   * @param command null if none was named
   * @param options the values of each option given, by name; a flag has one that is empty
   * @param words what is no option, after the command
   */
  Arguments(@Nullable Description command, Map<String, List<String>> options, List<String> words) {
    this.command = command;
    this.options = new HashMap<>(options);
    this.words = List.copyOf(words);
  }

  /** The command that was named; null if none was. */
  public @Nullable Description command() {
    return command;
  }

  public boolean has(Option option) {
    return options.containsKey(option.name());
  }

  /** The value of an option, the last one if it was given several times; null if it was not. */
  public @Nullable String value(Option option) {
    List<String> values = values(option);
    return values.isEmpty() ? null : values.getLast();
  }

  public String value(Option option, String otherwise) {
    String value = value(option);
    return value == null ? otherwise : value;
  }

  public List<String> values(Option option) {
    return options.getOrDefault(option.name(), List.of());
  }

  public @Nullable String word(Parameter parameter) {
    List<String> given = words(parameter);
    return given.isEmpty() ? null : given.getFirst();
  }

  /** All that was given for a parameter. */
  public List<String> words(Parameter parameter) {
    List<String> given = new ArrayList<>();
    for (int i = 0; command != null && i < words.size(); i++) {
      Parameter each = command.parameter(i);
      if (each != null && each.name().equals(parameter.name())) {
        given.add(words.get(i));
      }
    }
    return given;
  }

  /** The value of something that {@link #check} has found to be there. */
  public String required(Parameter parameter) {
    String word = word(parameter);
    if (word == null) {
      throw missing(parameter.usage());
    }
    return word;
  }

  /** See {@link #required(Parameter)}. */
  public String required(Option option) {
    String value = value(option);
    if (value == null) {
      throw missing(option.usage());
    }
    return value;
  }

  /**
   * Checks that all that the command needs is there.
   *
   * @throws ParleyException naming what is missing
   */
  public void check() {
    if (command == null) {
      return;
    }
    for (Parameter parameter : command.parameters()) {
      if (parameter.required()) {
        required(parameter);
      }
    }
    for (Option option : command.options()) {
      if (option.required()) {
        required(option);
      }
    }
  }

  private ParleyException missing(String what) {
    String usage = command == null ? "parley help" : command.usage();
    return ParleyException.invalid("missing-argument", what + " is missing.", "Usage: " + usage);
  }
}

package dev.parley.cli.args;

import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The parsed command line. */
public final class Arguments {
  private final @Nullable Description command;
  private final @Nullable Description form;
  private final boolean chosen;
  private final Map<String, List<String>> options;
  private final Set<String> read = new HashSet<>();
  private final List<String> words;
  private final @Nullable String hint;

  /**
   * @param command null if none was named
   * @param form the command, or the sub-command of it that is to run
   * @param chosen whether that sub-command was named
   * @param options the values of each option given, by name; a flag has one that is empty
   * @param words what is no option, after the command
   * @param hint what to type instead next time; null if nothing
   */
  Arguments(
      @Nullable Description command,
      @Nullable Description form,
      boolean chosen,
      Map<String, List<String>> options,
      List<String> words,
      @Nullable String hint) {
    this.hint = hint;
    this.command = command;
    this.form = form;
    this.chosen = chosen;
    this.options = new HashMap<>(options);
    this.words = List.copyOf(words);
  }

  /** The named command; null if there is none. */
  public @Nullable Description command() {
    return command;
  }

  /** The command or sub-command that help is wanted for. */
  public @Nullable Description named() {
    return chosen ? form : command;
  }

  /** The sub-command to run; empty if the command has none. */
  public String subcommand() {
    return form == null || form.equals(command) ? "" : form.word();
  }

  /** The current form of an old spelling; null if a current form was used. */
  public @Nullable String hint() {
    return hint;
  }

  public boolean has(Option option) {
    read.add(option.name());
    return options.containsKey(option.name());
  }

  /**
   * Rejects options that no code has read so far. Called by code that will read no more.
   *
   * @param what the argument that these options don't go with
   */
  public void refuseOthers(String what) {
    if (!ignored().isEmpty()) {
      throw ParleyException.invalid(
          "unexpected-option",
          String.join(", ", ignored()) + " has no effect with " + what + ".",
          "Leave it out.");
    }
  }

  /** The given options that no code has read, and so had no effect. */
  public Set<String> ignored() {
    Set<String> ignored = new TreeSet<>(options.keySet());
    for (Option option : CommonOptions.ALL) {
      ignored.remove(option.name());
    }
    ignored.removeAll(read);
    return ignored;
  }

  /** The value of an option, the last one if it was repeated; null if it was not given. */
  public @Nullable String value(Option option) {
    List<String> values = values(option);
    return values.isEmpty() ? null : values.getLast();
  }

  public String value(Option option, String otherwise) {
    String value = value(option);
    return value == null ? otherwise : value;
  }

  public List<String> values(Option option) {
    read.add(option.name());
    return options.getOrDefault(option.name(), List.of());
  }

  public @Nullable String word(Parameter parameter) {
    List<String> given = words(parameter);
    return given.isEmpty() ? null : given.getFirst();
  }

  /** All values of a parameter. */
  public List<String> words(Parameter parameter) {
    List<String> given = new ArrayList<>();
    for (int i = 0; form != null && i < words.size(); i++) {
      Parameter each = form.parameter(i);
      if (each != null && each.name().equals(parameter.name())) {
        given.add(words.get(i));
      }
    }
    return given;
  }

  /** The value of a parameter that {@link #check} has found. */
  public String required(Parameter parameter) {
    String word = word(parameter);
    if (word == null) {
      throw missing("<" + parameter.name() + ">");
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
   * Checks that all required arguments are given.
   *
   * @throws ParleyException naming what is missing
   */
  public void check() {
    if (form == null) {
      return;
    }
    if (!form.subcommands().isEmpty()) {
      throw ParleyException.invalid(
          "missing-argument",
          "parley " + form.name() + " needs a sub-command.",
          "Choose one of: "
              + String.join(", ", form.subcommands().stream().map(Description::word).toList())
              + ".");
    }
    for (Parameter parameter : form.parameters()) {
      if (parameter.required()) {
        required(parameter);
      }
    }
    for (Option option : form.options()) {
      if (option.required()) {
        required(option);
      }
    }
  }

  private ParleyException missing(String what) {
    String usage = form == null ? "parley help" : form.usage();
    return ParleyException.invalid("missing-argument", what + " is missing.", "Usage: " + usage);
  }
}

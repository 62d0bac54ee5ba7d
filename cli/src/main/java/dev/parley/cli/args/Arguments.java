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

/** What the user typed, sorted by what it is for. */
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

  /** The command that was named; null if none was. */
  public @Nullable Description command() {
    return command;
  }

  /** What help is wanted of: the command, or the sub-command that was named. */
  public @Nullable Description named() {
    return chosen ? form : command;
  }

  /** The sub-command that is to run; empty if the command has none. */
  public String subcommand() {
    return form == null || form.equals(command) ? "" : form.word();
  }

  /** What to type next time instead of an old form; null if what was typed is the usual form. */
  public @Nullable String hint() {
    return hint;
  }

  public boolean has(Option option) {
    read.add(option.name());
    return options.containsKey(option.name());
  }

  /**
   * Refuses options that nothing has looked at so far, for whoever will look at no more.
   *
   * @param what what was typed that they do not go with
   */
  public void refuseOthers(String what) {
    if (!ignored().isEmpty()) {
      throw ParleyException.invalid(
          "unexpected-option",
          String.join(", ", ignored()) + " has no effect with " + what + ".",
          "Leave it out.");
    }
  }

  /** The options that were given and that no code has looked at: they had no effect. */
  public Set<String> ignored() {
    Set<String> ignored = new TreeSet<>(options.keySet());
    for (Option option : CommonOptions.ALL) {
      ignored.remove(option.name());
    }
    ignored.removeAll(read);
    return ignored;
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
    read.add(option.name());
    return options.getOrDefault(option.name(), List.of());
  }

  public @Nullable String word(Parameter parameter) {
    List<String> given = words(parameter);
    return given.isEmpty() ? null : given.getFirst();
  }

  /** All that was given for a parameter. */
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

  /** The value of something that {@link #check} has found to be there. */
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
   * Checks that all that the command needs is there.
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

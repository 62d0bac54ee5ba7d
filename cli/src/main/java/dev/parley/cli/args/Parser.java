package dev.parley.cli.args;

import dev.parley.core.ParleyException;
import dev.parley.core.names.SpellingSuggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command line: {@code [common options] command [sub-command] [words and options in any
 * order]}.
 *
 * <p>{@code --name value}, {@code --name=value}, {@code -n5}, {@code -fn 5}; {@code --} ends the
 * options. A value that begins with {@code --} must be given with {@code =}, so that a forgotten
 * value is noticed. A word that must be one of several may be typed in any case.
 */
public final class Parser {
  /** The known commands. */
  public interface Known {
    @Nullable Description describe(String command);

    List<String> names();
  }

  private static final int MOST_SUGGESTED = 3;

  private final String[] args;
  private final Known known;
  private final Map<String, List<String>> options = new HashMap<>();
  private final List<String> words = new ArrayList<>();
  private @Nullable Description command;
  private @Nullable Description subcommand;
  private @Nullable String hint;
  private boolean onlyWords;
  private int at;

  private Parser(String[] args, Known known) {
    this.args = args;
    this.known = known;
  }

  /**
   * Parses a command line. Missing arguments are found later: see {@link Arguments#check}.
   *
   * @throws ParleyException INVALID if something is unknown
   */
  public static Arguments parse(String[] args, Known known) {
    return new Parser(args, known).run();
  }

  private Arguments run() {
    while (at < args.length) {
      String arg = args[at++];
      if (onlyWords || arg.equals("-") || !arg.startsWith("-")) {
        word(arg);
      } else if (arg.equals("--")) {
        onlyWords = true;
      } else if (arg.startsWith("--")) {
        named(arg);
      } else {
        letters(arg);
      }
    }
    return arguments();
  }

  private Arguments arguments() {
    boolean chosen = subcommand != null;
    Description whole = command;
    if (whole != null && !chosen) {
      subcommand = whole.standardSubcommand();
    }
    Description form = subcommand == null ? whole : subcommand;
    if (whole != null && form != null && !options.containsKey(CommonOptions.HELP.name())) {
      for (String option : options.keySet()) {
        checkBelongs(whole, form, option);
      }
    }
    return new Arguments(whole, form, chosen, options, words, hint);
  }

  /** Checks that an option before the sub-command belongs to it. */
  private static void checkBelongs(Description command, Description form, String option) {
    if (form.option(option) != null || form.equals(command)) {
      return;
    }
    List<String> others =
        command.subcommands().stream()
            .filter(sub -> sub.option(option) != null)
            .map(sub -> "parley " + sub.name())
            .toList();
    throw ParleyException.invalid(
        "unknown-option",
        "parley " + form.name() + " does not take " + option + ".",
        "It goes with " + String.join(", ", others) + ".");
  }

  private void word(String word) {
    Description current = command;
    if (current == null) {
      command = known.describe(word);
      if (command == null) {
        throw unknownCommand(word, known);
      }
      return;
    }
    if (subcommand == null && !current.subcommands().isEmpty()) {
      subcommand = onlyWords ? null : current.subcommand(word);
      String renamed = onlyWords ? null : current.moved().get(word);
      if (renamed != null) {
        subcommand = current.subcommand(renamed.substring(renamed.indexOf(' ') + 1));
        hint = "parley " + current.name() + " " + word + " is parley " + renamed + " now.";
      }
      if (subcommand != null) {
        return;
      }
      subcommand = takesAsWord(current.standardSubcommand(), word);
      if (subcommand == null) {
        throw unknownSubcommand(current, word);
      }
      hint = onlyWords ? null : mistyped(current, word);
    }
    String moved = words.isEmpty() && !onlyWords ? current.moved().get(word) : null;
    if (moved != null) {
      move(current, word, moved);
      return;
    }
    Description form = subcommand == null ? current : subcommand;
    Parameter parameter = form.parameter(words.size());
    if (parameter == null) {
      throw ParleyException.invalid(
          "too-many-arguments",
          form.name() + " does not take \"" + word + "\".",
          "Usage: " + form.usage());
    }
    words.add(
        chosen(
            "There is no " + parameter.name() + " \"" + word + "\".", parameter.choices(), word));
  }

  /** The default sub-command if this word may be its argument. */
  private @Nullable Description takesAsWord(@Nullable Description standard, String word) {
    Parameter first = standard == null ? null : standard.parameter(0);
    boolean takes =
        first != null
            && (first.choices().isEmpty()
                || first.choices().stream().anyMatch(word::equalsIgnoreCase));
    return takes ? standard : null;
  }

  /** The hint for a word that was taken as an argument but is almost a sub-command. */
  private @Nullable String mistyped(Description command, String word) {
    Description standard = command.standardSubcommand();
    Parameter first = standard == null ? null : standard.parameter(0);
    if (first == null || !first.choices().isEmpty()) {
      return null;
    }
    String nearest =
        SpellingSuggestion.to(word, command.subcommands().stream().map(Description::word).toList());
    return nearest == null
        ? null
        : "\""
            + word
            + "\" is no sub-command; did you mean parley "
            + command.name()
            + " "
            + nearest
            + "?";
  }

  /** Continues with an old form's replacement, unless the word alone may mean something else. */
  private void move(Description old, String word, String moved) {
    boolean more = false;
    for (int i = at; i < args.length; i++) {
      more |= !args[i].startsWith("-");
    }
    if (!more) {
      throw ParleyException.invalid(
          "moved-command",
          "parley " + old.name() + " " + word + " is parley " + moved + " now.",
          "Type that; or, for what is called " + word + ": parley " + old.name() + " -- " + word);
    }
    int blank = moved.indexOf(' ');
    Description now = known.describe(moved.substring(0, blank));
    hint = "parley " + old.name() + " " + word + " is parley " + moved + " now.";
    command = now;
    subcommand = now == null ? null : now.subcommand(moved.substring(blank + 1));
  }

  /** The error for an unknown sub-command. */
  public static ParleyException unknownSubcommand(Description command, String word) {
    List<String> names = new ArrayList<>();
    command.subcommands().forEach(sub -> names.add(sub.word()));
    Description standard = command.standardSubcommand();
    Parameter first = standard == null ? null : standard.parameter(0);
    if (first != null) {
      names.addAll(first.choices());
    }
    return unknown(
        "sub-command",
        command.name() + " " + word,
        word,
        names,
        "Choose one of: " + String.join(", ", names) + ".");
  }

  private void named(String arg) {
    int equals = arg.indexOf('=');
    String name = equals < 0 ? arg : arg.substring(0, equals);
    Option option = find(name);
    if (equals < 0) {
      add(option, option.isFlag() ? "" : following(option));
    } else if (option.isFlag()) {
      throw ParleyException.invalid(
          "unexpected-value", name + " does not take a value.", "Write it without the =.");
    } else {
      add(option, arg.substring(equals + 1));
    }
  }

  private void letters(String arg) {
    for (int i = 1; i < arg.length(); i++) {
      Option option = find("-" + arg.charAt(i));
      if (option.isFlag()) {
        add(option, "");
      } else {
        String rest = arg.substring(i + 1);
        add(option, rest.isEmpty() ? following(option) : rest);
        return;
      }
    }
  }

  private Option find(String name) {
    List<Description> forms = forms();
    for (Description form : forms) {
      Option option = form.option(name);
      if (option != null) {
        return option;
      }
    }
    Option common = Description.find(CommonOptions.ALL, name);
    if (common != null) {
      return common;
    }
    List<String> names = new ArrayList<>();
    forms.forEach(form -> addNames(names, form.options()));
    addNames(names, CommonOptions.ALL);
    Description current = subcommand == null ? command : subcommand;
    String help = current == null ? "parley help" : "parley " + current.name() + " --help";
    throw unknown("option", name, name, names, help + " lists the options.");
  }

  /** The descriptions whose options may come here, likeliest first. */
  private List<Description> forms() {
    Description current = command;
    if (current == null) {
      return List.of();
    }
    if (subcommand != null) {
      return List.of(subcommand);
    }
    List<Description> forms = new ArrayList<>(List.of(current));
    Description standard = current.standardSubcommand();
    if (standard != null) {
      forms.add(standard);
    }
    forms.addAll(current.subcommands());
    return forms;
  }

  private static void addNames(List<String> names, List<Option> options) {
    for (Option option : options) {
      names.add(option.name());
    }
  }

  private String following(Option option) {
    if (at == args.length || (args[at].startsWith("--") && args[at].length() > 2)) {
      throw ParleyException.invalid(
          "missing-value", option.name() + " needs a value.", "Write " + option.usage() + ".");
    }
    return args[at++];
  }

  private void add(Option option, String value) {
    String taken =
        chosen(
            "\"" + value + "\" is not a value of " + option.name() + ".", option.choices(), value);
    List<String> values = options.get(option.name());
    if (values == null) {
      values = new ArrayList<>();
      options.put(option.name(), values);
    } else if (!option.repeatable() && !option.isFlag()) {
      throw ParleyException.invalid(
          "given-twice", option.name() + " is given twice.", "Give it once.");
    }
    values.add(taken);
  }

  /**
   * The choice that was typed, in whatever case, as the command knows it.
   *
   * @param otherwise what the error says if it is none of them
   */
  private static String chosen(String otherwise, List<String> choices, String typed) {
    if (choices.isEmpty()) {
      return typed;
    }
    for (String choice : choices) {
      if (choice.equalsIgnoreCase(typed)) {
        return choice;
      }
    }
    throw ParleyException.invalid(
        "bad-choice", otherwise, "Choose one of: " + String.join(", ", choices) + ".");
  }

  /** The error for an unknown command. */
  public static ParleyException unknownCommand(String name, Known known) {
    String meant = String.join(" or ", withSubcommand(name, known));
    if (!meant.isEmpty()) {
      return ParleyException.invalid(
          "unknown-command",
          "Unknown command \"" + name + "\".",
          "Did you mean " + meant + "? parley help --all lists the commands.");
    }
    return unknown("command", name, name, known.names(), "parley help --all lists the commands.");
  }

  /** The commands that have a sub-command of exactly this name, a few at most. */
  private static List<String> withSubcommand(String name, Known known) {
    List<String> found = new ArrayList<>();
    for (String command : known.names()) {
      Description description = known.describe(command);
      if (description != null
          && description.subcommand(name) != null
          && found.size() < MOST_SUGGESTED) {
        found.add("parley " + command + " " + name);
      }
    }
    return found;
  }

  private static ParleyException unknown(
      String kind, String name, String word, List<String> names, String help) {
    String nearest = SpellingSuggestion.to(word, names);
    return ParleyException.invalid(
        "unknown-" + kind,
        "Unknown " + kind + " \"" + name + "\".",
        nearest == null ? help : "Did you mean " + nearest + "? " + help);
  }
}

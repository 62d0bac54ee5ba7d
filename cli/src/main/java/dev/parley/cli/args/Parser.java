package dev.parley.cli.args;

import dev.parley.core.Nearest;
import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command line: {@code [common options] command [words and options in any order]}.
 *
 * <p>{@code --name value}, {@code --name=value}, {@code -n5}, {@code -fn 5}; {@code --} ends the
 * options. A value that begins with {@code --} must be given with {@code =}, so that a forgotten
 * value is noticed.
 */
public final class Parser {
  /** The commands there are. */
  public interface Known {
    @Nullable Description describe(String command);

    List<String> names();
  }

  private final String[] args;
  private final Known known;
  private final Map<String, List<String>> options = new HashMap<>();
  private final List<String> words = new ArrayList<>();
  private @Nullable Description command;
  private int at;

  private Parser(String[] args, Known known) {
    this.args = args;
    this.known = known;
  }

  /**
   * Sorts what was typed. What is missing is not its business: see {@link Arguments#check}.
   *
   * @throws ParleyException INVALID if something is not known
   */
  public static Arguments parse(String[] args, Known known) {
    return new Parser(args, known).run();
  }

  private Arguments run() {
    boolean onlyWords = false;
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
    return new Arguments(command, options, words);
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
    Parameter parameter = current.parameter(words.size());
    if (parameter == null) {
      throw ParleyException.invalid(
          "too-many-arguments",
          current.name() + " does not take \"" + word + "\".",
          "Usage: " + current.usage());
    }
    checkChoice(parameter.usage(), parameter.choices(), word);
    words.add(word);
  }

  private void named(String arg) {
    int equals = arg.indexOf('=');
    String name = equals < 0 ? arg : arg.substring(0, equals);
    Option option = find(name);
    if (equals < 0) {
      add(option, option.isFlag() ? "" : following(option));
    } else if (option.isFlag()) {
      throw ParleyException.invalid(
          "unexpected-value", name + " takes no value.", "Write it without the =.");
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
    Description current = command;
    Option option =
        current == null ? Description.find(CommonOptions.ALL, name) : current.option(name);
    if (option == null) {
      List<String> names = new ArrayList<>();
      if (current != null) {
        addNames(names, current.options());
      }
      addNames(names, CommonOptions.ALL);
      String help = current == null ? "parley help" : "parley " + current.name() + " --help";
      throw unknown("option", name, names, help + " lists the options.");
    }
    return option;
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
    checkChoice(option.name(), option.choices(), value);
    List<String> values = options.get(option.name());
    if (values == null) {
      values = new ArrayList<>();
      options.put(option.name(), values);
    } else if (!option.repeatable() && !option.isFlag()) {
      throw ParleyException.invalid(
          "given-twice", option.name() + " is given twice.", "Give it once.");
    }
    values.add(value);
  }

  private static void checkChoice(String what, List<String> choices, String value) {
    if (!choices.isEmpty() && !choices.contains(value)) {
      throw ParleyException.invalid(
          "bad-choice",
          what + " can't be \"" + value + "\".",
          "Choose one of: " + String.join(", ", choices) + ".");
    }
  }

  /** What answers a name that is not that of a command. */
  public static ParleyException unknownCommand(String name, Known known) {
    return unknown("command", name, known.names(), "parley help --all lists the commands.");
  }

  private static ParleyException unknown(
      String kind, String name, List<String> names, String help) {
    String nearest = Nearest.to(name, names);
    return ParleyException.invalid(
        "unknown-" + kind,
        "Unknown " + kind + " \"" + name + "\".",
        nearest == null ? help : "Did you mean " + nearest + "? " + help);
  }
}

package dev.parley.cli.help;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Commands;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A command line that is still being typed. */
final class PartialCommandLine {
  /** A completion of the word at the cursor. */
  record Candidate(String word, String meaning) {}

  /** The values of a bus for a kind of argument, such as its agents or tasks. */
  interface Values {
    List<Candidate> of(String kind);
  }

  private static final String FILES = ":files";
  private static final String FOLDERS = ":folders";

  /** Kinds of arguments that take several values, separated by commas. */
  private static final Set<String> LISTS = Set.of("to", "agents", "tasks");

  private static final String EVENT = "event";

  /** What can be waited for, each with the kind of its names. */
  private static final Map<String, String> EVENTS =
      new TreeMap<>(
          Map.of(
              "agent:", "agent", "board:", "board", "event:", "", "path:", "path", "reply:", "sent",
              "task:", "task"));

  private static final Set<String> FILE_KINDS =
      Set.of("path", "paths", "file", "files", "project", "program");

  private final Commands commands;
  private final String current;
  private String before = "";
  private @Nullable Description command;
  private @Nullable Description subcommand;
  private @Nullable Option awaited;
  private final List<String> words = new ArrayList<>();
  private final Set<String> given = new HashSet<>();
  private boolean onlyWords;

  /**
   * The part of the word at the cursor that the shell took for a word of its own: {@code task:}.
   */
  private String apart = "";

  private PartialCommandLine(Commands commands, String current) {
    this.commands = commands;
    this.current = current;
  }

  /**
   * @param typed the words after the program's name; the last one is the one at the cursor
   */
  static PartialCommandLine of(Commands commands, List<String> typed) {
    List<String> words = new ArrayList<>(typed);
    String last = words.isEmpty() ? "" : words.removeLast();
    boolean split = last.equals("=") || (!words.isEmpty() && words.getLast().equals("="));
    // Bash also makes three words of task:1.1.
    String apart = "";
    if (last.equals(":") && !words.isEmpty()) {
      apart = words.removeLast() + last;
    } else if (words.size() > 1 && words.getLast().equals(":")) {
      words.removeLast();
      apart = words.removeLast() + ":";
    }
    boolean isMark = last.equals("=") || last.equals(":");
    PartialCommandLine line = new PartialCommandLine(commands, isMark ? "" : last);
    line.apart = apart;
    words.stream().filter(word -> !word.equals("=")).forEach(line::take);
    int equals = line.current.indexOf('=');
    if (!split && line.current.startsWith("--") && equals > 0) {
      line.awaited = line.option(line.current.substring(0, equals));
      line.before = line.current.substring(0, equals + 1);
    }
    return line;
  }

  private void take(String word) {
    if (awaited != null) {
      awaited = null;
    } else if (!onlyWords && word.equals("--")) {
      onlyWords = true;
    } else if (!onlyWords && word.startsWith("-") && word.length() > 1) {
      Option option = word.indexOf('=') < 0 ? option(word) : null;
      if (option != null) {
        given.add(option.name());
        awaited = option.isFlag() ? null : option;
      }
    } else if (command == null) {
      command = commands.describe(word);
    } else if (subcommand == null && words.isEmpty() && command.subcommand(word) != null) {
      subcommand = command.subcommand(word);
    } else {
      words.add(word);
    }
  }

  private @Nullable Option option(String name) {
    Description form = form();
    Option own = form == null ? null : form.option(name);
    for (Option common : CommonOptions.ALL) {
      own = own == null && common.name().equals(name) ? common : own;
    }
    return own;
  }

  /** The command, or the sub-command that is named or is the default. */
  private @Nullable Description form() {
    if (subcommand != null || command == null) {
      return subcommand;
    }
    Description standard = command.standardSubcommand();
    return standard == null ? command : standard;
  }

  List<Candidate> candidates(Values values) {
    List<Candidate> all = new ArrayList<>();
    if (awaited != null) {
      add(all, awaited.choices(), kind(awaited), values);
    } else if (current.startsWith("-") && !onlyWords) {
      options(all);
    } else if (command == null) {
      names(all);
    } else {
      words(all, values);
    }
    return all.stream()
        .filter(it -> it.word().startsWith(":") || (before + it.word()).startsWith(current))
        .map(it -> it.word().startsWith(":") ? it : new Candidate(before + it.word(), it.meaning()))
        .toList();
  }

  private static String kind(Option option) {
    String kind = option.value();
    return kind == null ? "" : kind;
  }

  private void options(List<Candidate> all) {
    List<Option> options = new ArrayList<>();
    Description form = form();
    if (form != null) {
      options.addAll(form.options());
    }
    options.addAll(CommonOptions.ALL);
    for (Option option : options) {
      if (option.repeatable() || !given.contains(option.name())) {
        all.add(new Candidate(option.name(), option.help()));
      }
    }
  }

  private void names(List<Candidate> all) {
    for (String name : commands.names()) {
      Description each = commands.describe(name);
      all.add(new Candidate(name, each == null ? "" : each.summary()));
    }
  }

  private void words(List<Candidate> all, Values values) {
    Description whole = command;
    Description form = form();
    if (whole == null || form == null) {
      return;
    }
    if (subcommand == null && words.isEmpty()) {
      whole.subcommands().forEach(sub -> all.add(new Candidate(sub.word(), sub.summary())));
    }
    List<Parameter> parameters = form.parameters();
    if (parameters.isEmpty()) {
      return;
    }
    int place = Math.min(words.size(), parameters.size() - 1);
    Parameter parameter = parameters.get(place);
    if (words.size() >= parameters.size() && !parameter.repeatable()) {
      return;
    }
    switch (parameter.name()) {
      case "command" -> names(all);
      case "sub-command" -> {
        Description named = commands.describe(words.getFirst());
        if (named != null) {
          named.subcommands().forEach(sub -> all.add(new Candidate(sub.word(), sub.summary())));
        }
      }
      default -> add(all, parameter.choices(), parameter.name(), values);
    }
  }

  private void add(List<Candidate> all, List<String> choices, String kind, Values values) {
    choices.forEach(choice -> all.add(new Candidate(choice, "")));
    if (!choices.isEmpty()) {
      return;
    }
    if (kind.equals(EVENT)) {
      event(all, values);
      return;
    }
    int comma = LISTS.contains(kind) ? current.lastIndexOf(',') : -1;
    before = comma < before.length() ? before : current.substring(0, comma + 1);
    if (kind.equals(Option.FOLDER)) {
      all.add(new Candidate(FOLDERS, ""));
    } else if (FILE_KINDS.contains(kind)) {
      all.add(new Candidate(FILES, ""));
    } else {
      all.addAll(values.of(kind));
    }
  }

  private void event(List<Candidate> all, Values values) {
    int colon = current.indexOf(':');
    String named = colon < 0 ? apart : current.substring(0, colon + 1);
    String kind = EVENTS.get(named);
    if (kind == null) {
      EVENTS.keySet().forEach(event -> all.add(new Candidate(event, "")));
    } else if (!kind.isEmpty()) {
      before = colon < 0 ? "" : named;
      add(all, List.of(), kind, values);
    }
  }
}

package dev.parley.cli.help;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Completion for bash 3.2 and newer, without the bash-completion package.
 *
 * <p>The script knows three things by heart: which options take a value, what each command takes,
 * and what values are possible. The first word that is neither an option nor the value of one is
 * the command.
 */
final class BashScript {
  /** Folders may have blanks in their names. */
  private static final String FOLDERS =
      "local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\"))";

  private BashScript() {}

  static String of(List<Description> commands) {
    return """
    _parley() {
      local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command= i
      # Bash takes --name=value for three words.
      if [[ $current == "=" ]]; then
        current=
      elif [[ $previous == "=" ]]; then
        previous="${COMP_WORDS[COMP_CWORD-2]}"
      fi
      for ((i = 1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
          %s)
            ((i++))
            if [[ ${COMP_WORDS[i]} == "=" ]]; then ((i++)); fi
            ;;
          -*) ;;
          *) command="${COMP_WORDS[i]}"; break ;;
        esac
      done
      COMPREPLY=()
      case "$command $previous" in
    %s    %s) return ;;
      esac
      local words="%s"
      case "$command" in
        '') words="%s $words" ;;
    %s  esac
      COMPREPLY=($(compgen -W "$words" -- "$current"))
    }
    complete -o bashdefault -F _parley parley
    """
        .formatted(
            String.join("|", withValue(commands)),
            values(commands),
            "*\\ " + String.join("|*\\ ", withValue(commands)),
            String.join(" ", names(CommonOptions.ALL)),
            String.join(" ", commands.stream().map(Description::name).toList()),
            words(commands));
  }

  private static String values(List<Description> commands) {
    StringBuilder cases = new StringBuilder();
    for (Description command : commands) {
      command.options().forEach(option -> value(cases, command.name(), option));
    }
    CommonOptions.ALL.forEach(option -> value(cases, "*", option));
    return cases.toString();
  }

  private static void value(StringBuilder cases, String command, Option option) {
    if (option.isFolder() || !option.choices().isEmpty()) {
      for (String name : names(List.of(option))) {
        cases.append("    ").append(command).append("\\ ").append(name).append(") ");
        cases.append(option.isFolder() ? FOLDERS : choices(option)).append("; return ;;\n");
      }
    }
  }

  private static String choices(Option option) {
    String words = String.join(" ", option.choices());
    return "COMPREPLY=($(compgen -W \"" + words + "\" -- \"$current\"))";
  }

  private static String words(List<Description> commands) {
    StringBuilder cases = new StringBuilder();
    for (Description command : commands) {
      List<String> words = new ArrayList<>();
      command.parameters().forEach(parameter -> words.addAll(choices(parameter, commands)));
      words.addAll(names(command.options()));
      if (!words.isEmpty()) {
        cases.append("    ").append(command.name());
        cases.append(") words=\"").append(String.join(" ", words)).append(" $words\" ;;\n");
      }
    }
    return cases.toString();
  }

  /** A parameter called command is one of ours. */
  static List<String> choices(Parameter parameter, List<Description> commands) {
    return parameter.name().equals("command")
        ? commands.stream().map(Description::name).toList()
        : parameter.choices();
  }

  private static Set<String> withValue(List<Description> commands) {
    Set<String> names = new TreeSet<>();
    for (Description command : commands) {
      addWithValue(names, command.options());
    }
    addWithValue(names, CommonOptions.ALL);
    return names;
  }

  private static void addWithValue(Set<String> names, List<Option> options) {
    options.stream()
        .filter(option -> !option.isFlag())
        .forEach(option -> names.addAll(names(List.of(option))));
  }

  private static List<String> names(List<Option> options) {
    List<String> names = new ArrayList<>();
    for (Option option : options) {
      names.add(option.name());
      String letter = option.letter();
      if (letter != null) {
        names.add(letter);
      }
    }
    return names;
  }
}

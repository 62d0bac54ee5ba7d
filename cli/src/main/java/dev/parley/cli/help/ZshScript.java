package dev.parley.cli.help;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import java.util.List;

/** Completion for zsh, by its own {@code _arguments}. */
final class ZshScript {
  private ZshScript() {}

  static String of(List<Description> commands) {
    StringBuilder script = new StringBuilder("#compdef parley\n\n_parley() {\n");
    script.append("  local context state line\n  local -a commands common\n  commands=(\n");
    for (Description command : commands) {
      script.append("    ").append(quote(command.name() + ":" + command.summary())).append('\n');
    }
    script.append("  )\n  common=(\n");
    CommonOptions.ALL.forEach(option -> option(script, option));
    script.append("  )\n");
    script.append("  _arguments -C $common '1: :->command' '*:: :->arguments' && return\n");
    script.append("  case $state in\n    command) _describe command commands ;;\n");
    script.append("    arguments)\n      case $words[1] in\n");
    commands.forEach(command -> arguments(script, command, commands));
    script.append("      esac\n      ;;\n  esac\n}\n\n");
    return script
        .append("if [[ $funcstack[1] == _parley ]]; then\n  _parley \"$@\"\n")
        .append("else\n  compdef _parley parley\nfi\n")
        .toString();
  }

  private static void arguments(
      StringBuilder script, Description command, List<Description> commands) {
    script.append("        ").append(command.name()).append(")\n");
    script.append("          local -a own\n          own=(\n");
    int place = 1;
    for (Parameter parameter : command.parameters()) {
      List<String> choices = BashScript.choices(parameter, commands);
      String words = choices.isEmpty() ? "" : "(" + String.join(" ", choices) + ")";
      String optional = parameter.required() ? ":" : "::";
      String spec = place++ + optional + parameter.name() + ":" + words;
      script.append("    ").append(quote(spec)).append('\n');
    }
    command.options().forEach(option -> option(script, option));
    script.append("          )\n          _arguments $common $own\n          ;;\n");
  }

  private static void option(StringBuilder script, Option option) {
    one(script, option, option.name(), option.isFlag() ? "" : "=");
    String letter = option.letter();
    if (letter != null) {
      one(script, option, letter, option.isFlag() ? "" : "+");
    }
  }

  private static void one(StringBuilder script, Option option, String name, String join) {
    String help = option.help().replace("[", "\\[").replace("]", "\\]").replace(":", "\\:");
    String value = option.value();
    String action =
        option.isFolder()
            ? "_files -/"
            : option.choices().isEmpty() ? "" : "(" + String.join(" ", option.choices()) + ")";
    String spec =
        (option.repeatable() ? "*" : "")
            + name
            + join
            + "["
            + help
            + "]"
            + (value == null ? "" : ":" + value + ":" + action);
    script.append("    ").append(quote(spec)).append('\n');
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}

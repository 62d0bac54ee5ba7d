package dev.parley.cli.help;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import java.util.List;

/** Completion for fish: one line for everything that can be typed. */
final class FishScript {
  private FishScript() {}

  static String of(List<Description> commands) {
    StringBuilder script = new StringBuilder("complete -c parley -f\n");
    for (Description command : commands) {
      line(script, "__fish_use_subcommand")
          .append(" -a ")
          .append(command.name())
          .append(" -d ")
          .append(quote(command.summary()))
          .append('\n');
    }
    CommonOptions.ALL.forEach(option -> option(script, "", option));
    for (Description command : commands) {
      String when = "__fish_seen_subcommand_from " + command.name();
      for (Parameter parameter : command.parameters()) {
        List<String> choices = BashScript.choices(parameter, commands);
        if (!choices.isEmpty()) {
          line(script, when).append(" -a ").append(quote(String.join(" ", choices))).append('\n');
        }
      }
      command.options().forEach(option -> option(script, when, option));
    }
    return script.toString();
  }

  private static void option(StringBuilder script, String when, Option option) {
    line(script, when).append(" -l ").append(option.name().substring(2));
    String letter = option.letter();
    if (letter != null) {
      script.append(" -s ").append(letter.substring(1));
    }
    if (option.isFolder()) {
      script.append(" -x -a '(__fish_complete_directories)'");
    } else if (!option.choices().isEmpty()) {
      script.append(" -x -a ").append(quote(String.join(" ", option.choices())));
    } else if (!option.isFlag()) {
      script.append(" -x");
    }
    script.append(" -d ").append(quote(option.help())).append('\n');
  }

  private static StringBuilder line(StringBuilder script, String when) {
    script.append("complete -c parley");
    return when.isEmpty() ? script : script.append(" -n ").append(quote(when));
  }

  private static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}

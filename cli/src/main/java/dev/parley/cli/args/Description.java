package dev.parley.cli.args;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything there is to know about a command, or about one of its sub-commands, without running
 * it.
 *
 * @param name with the command before it if it is a sub-command: {@code task add}
 * @param summary a few words for a list of commands
 * @param details sentences for its own help page
 * @param subcommands what it is divided into; then it takes no parameters and options of its own
 * @param standard the sub-command that is meant when none is named; null if one must be
 * @param moved first words that used to be sub-commands, and what is typed instead of them
 */
public record Description(
    String name,
    Group group,
    String summary,
    String details,
    List<Parameter> parameters,
    List<Option> options,
    List<String> examples,
    List<Description> subcommands,
    @Nullable String standard,
    Map<String, String> moved) {

  /** A command without sub-commands. */
  public Description(
      String name,
      Group group,
      String summary,
      String details,
      List<Parameter> parameters,
      List<Option> options,
      List<String> examples) {
    this(name, group, summary, details, parameters, options, examples, List.of(), null, Map.of());
  }

  /** A sub-command; its {@link #family} adds its examples. */
  public static Description sub(
      String name, String summary, List<Parameter> parameters, List<Option> options) {
    return new Description(name, Group.HIDDEN, summary, "", parameters, options, List.of());
  }

  /**
   * A command that is divided into sub-commands.
   *
   * @param standard the one that is meant when none is named; null if one must be
   * @param examples of all of them; each shows its own on its page
   */
  public static Description family(
      String name,
      Group group,
      String summary,
      String details,
      @Nullable String standard,
      List<Description> subcommands,
      List<String> examples) {
    List<Description> named = new ArrayList<>();
    for (Description sub : subcommands) {
      String full = name + " " + sub.name;
      named.add(
          new Description(
              full,
              group,
              sub.summary,
              sub.details,
              sub.parameters,
              sub.options,
              examples.stream().filter(example -> isOf(full, example)).toList()));
    }
    return new Description(
        name,
        group,
        summary,
        details,
        List.of(),
        List.of(),
        examples,
        List.copyOf(named),
        standard,
        Map.of());
  }

  private static boolean isOf(String name, String example) {
    return (example + " ").contains("parley " + name + " ");
  }

  /** The description with further sentences for its own help page. */
  public Description saying(String sentences) {
    return new Description(
        name,
        group,
        summary,
        sentences,
        parameters,
        options,
        examples,
        subcommands,
        standard,
        moved);
  }

  /** The description with old first words, each rejected with its replacement. */
  public Description movedTo(Map<String, String> words) {
    return new Description(
        name,
        group,
        summary,
        details,
        parameters,
        options,
        examples,
        subcommands,
        standard,
        Map.copyOf(words));
  }

  /** The last word of its name. */
  public String word() {
    return name.substring(name.indexOf(' ') + 1);
  }

  /** The sub-command with a name; null if there is none. */
  public @Nullable Description subcommand(@Nullable String word) {
    for (Description sub : subcommands) {
      if (sub.word().equals(word)) {
        return sub;
      }
    }
    return null;
  }

  /** The sub-command that runs if none is named. */
  public @Nullable Description standardSubcommand() {
    return subcommand(standard);
  }

  /** The option with this name or letter, including the common ones. */
  public @Nullable Option option(String name) {
    Option own = find(options, name);
    return own != null ? own : find(CommonOptions.ALL, name);
  }

  /** The parameter at an index; null if the command has no such parameter. */
  @Nullable Parameter parameter(int index) {
    if (index < parameters.size()) {
      return parameters.get(index);
    }
    boolean more = !parameters.isEmpty() && parameters.getLast().repeatable();
    return more ? parameters.getLast() : null;
  }

  static @Nullable Option find(List<Option> options, String name) {
    for (Option option : options) {
      if (option.name().equals(name) || name.equals(option.letter())) {
        return option;
      }
    }
    return null;
  }

  public String usage() {
    StringBuilder usage = new StringBuilder("parley ").append(name);
    if (!subcommands.isEmpty()) {
      return usage.append(standard == null ? " <sub-command>" : " [sub-command]").toString();
    }
    for (Parameter parameter : parameters) {
      usage.append(' ').append(parameter.usage());
    }
    boolean more = false;
    for (Option option : options) {
      if (option.required()) {
        usage.append(' ').append(option.usage());
      } else {
        more = true;
      }
    }
    return usage.append(more ? " [options]" : "").toString();
  }
}

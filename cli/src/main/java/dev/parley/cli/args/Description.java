package dev.parley.cli.args;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything there is to know about a command without running it.
 *
 * @param summary a few words for a list of commands
 * @param details sentences for its own help page
 */
public record Description(
    String name,
    Group group,
    String summary,
    String details,
    List<Parameter> parameters,
    List<Option> options,
    List<String> examples) {

  /** The option of this name or letter, the common ones included. */
  public @Nullable Option option(String name) {
    Option own = find(options, name);
    return own != null ? own : find(CommonOptions.ALL, name);
  }

  /** What the word at this index is; null if there can't be one. */
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

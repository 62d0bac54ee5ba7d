package dev.parley.cli.command;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The available commands; each is loaded on demand. */
public interface Commands extends Parser.Known {
  /** The command with a name, hidden ones included; null if there is none. */
  @Nullable Command named(String name);

  /** The names to show, in the order of the help. */
  @Override
  List<String> names();

  @Override
  default @Nullable Description describe(String name) {
    Command command = named(name);
    return command == null ? null : command.description();
  }

  /** The descriptions of a group's commands. */
  default List<Description> in(Group group) {
    List<Description> descriptions = new ArrayList<>();
    for (String name : names()) {
      Description description = describe(name);
      if (description != null && description.group() == group) {
        descriptions.add(description);
      }
    }
    return descriptions;
  }
}

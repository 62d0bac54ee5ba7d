package dev.parley.cli.command;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Shell;
import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One call of a command: what was typed, where, and where the answer goes. */
public record Invocation(
    Arguments arguments, Shell shell, Output out, Notices notices, Commands commands) {
  /** The variable that says who somebody is. */
  public static final String AGENT = "PARLEY_AGENT";

  /** The bus that was named or is found from here. */
  public BusFolder bus() {
    return BusFolder.find(namedBus(), shell.folder(), shell.environment());
  }

  /** The folder given with {@code --bus}; null if none was. */
  public @Nullable Path namedBus() {
    String bus = arguments.value(CommonOptions.BUS);
    if (bus != null && bus.indexOf(':') > 0 && ForeignBus.isNamed(bus)) {
      return ForeignBus.folder(this, bus);
    }
    return bus == null ? null : path(CommonOptions.BUS.name(), bus);
  }

  /** A path that was typed. */
  public Path path(String option, String text) {
    try {
      if (!text.isEmpty()) {
        return shell.folder().resolve(text);
      }
    } catch (InvalidPathException e) {
      // As bad as an empty one.
    }
    throw ParleyException.invalid(
        "bad-path", option + " \"" + text + "\" is not a path.", "Give the path of a folder.");
  }

  /** Who calls; null if nobody said. */
  public @Nullable String agent() {
    String as = arguments.value(CommonOptions.AS);
    return as != null ? as : shell.variable(AGENT);
  }
}

package dev.parley.cli.command;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Shell;
import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of a command: its arguments, its folder, and its output. */
public final class Invocation implements AutoCloseable {
  /** The variable with the caller's agent name. */
  public static final String AGENT = "PARLEY_AGENT";

  private static final String BUS_DIR = "BUS_DIR";

  private final Arguments arguments;
  private final Shell shell;
  private final Output out;
  private final Notices notices;
  private final Commands commands;
  private @Nullable BusFolder found;
  private @Nullable Path named;
  private @Nullable OpenedBus opened;
  private @Nullable ConclaveFolder conclave;
  private boolean boards;

  public Invocation(
      Arguments arguments, Shell shell, Output out, Notices notices, Commands commands) {
    this.arguments = arguments;
    this.shell = shell;
    this.out = out;
    this.notices = notices;
    this.commands = commands;
  }

  /** The same run in another folder. A bus that was named stays the same. */
  public Invocation at(Path folder) {
    Invocation there = new Invocation(arguments, shell.at(folder), out, notices, commands);
    there.named = namedBus();
    there.boards = boards;
    return there;
  }

  public Arguments arguments() {
    return arguments;
  }

  public Shell shell() {
    return shell;
  }

  public Output out() {
    return out;
  }

  public Notices notices() {
    return notices;
  }

  public Commands commands() {
    return commands;
  }

  /**
   * The bus that was named or is found from this folder.
   *
   * @throws ParleyException REFUSED if there is none, or it is not trusted
   */
  public BusFolder bus() {
    BusFolder bus = busToLookAt();
    bus.checkOurs();
    return bus;
  }

  /**
   * The bus for commands that only read. It need not be trusted, but none of its settings are
   * obeyed.
   */
  public BusFolder busToLookAt() {
    if (found == null) {
      found = BusFolder.look(namedBus(), shell.folder(), environment());
    }
    return found;
  }

  /**
   * The opened bus; it is closed with this run.
   *
   * @throws ParleyException REFUSED if there is none, or it is not trusted
   */
  public OpenedBus openedBus() {
    if (opened == null) {
      opened = OpenedBus.of(bus(), notices);
    }
    return opened;
  }

  /** Uses {@code BUS_DIR} for this command's boards only, not to find the bus. */
  public void keepBusDirForBoards() {
    String folder = shell.variable(BUS_DIR);
    boards =
        folder != null
            && !folder.isEmpty()
            && !Files.exists(path(BUS_DIR, folder).resolve(BusFolder.SETTINGS));
  }

  /** The variables for finding a bus. */
  private Map<String, String> environment() {
    if (!boards) {
      return shell.environment();
    }
    Map<String, String> others = new HashMap<>(shell.environment());
    others.remove(BUS_DIR);
    return others;
  }

  /** Creates Conclave's bus folder if one was named and is missing or stale. */
  public void makeConclaveFolder() {
    String bus = arguments.value(CommonOptions.BUS);
    String prefix = ForeignBus.CONCLAVE + ":";
    Path path = null;
    if (bus != null) {
      path = bus.startsWith(prefix) ? path("--bus", bus.substring(prefix.length())) : null;
    } else if (shell.variable("PARLEY_BUS") == null) {
      String folder = shell.variable("BUS_DIR");
      path = folder == null || folder.isEmpty() ? null : path("BUS_DIR", folder);
    }
    conclave = path == null ? null : ConclaveFolder.make(path.normalize());
  }

  /** Removes that folder early if this run created it; otherwise it goes at the end of the run. */
  public void removeConclaveFolder() {
    if (conclave != null) {
      conclave.close();
    }
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.close();
    }
    removeConclaveFolder();
  }

  /** The folder given with {@code --bus}; null if none was. */
  public @Nullable Path namedBus() {
    if (named == null) {
      named = readNamedBus();
    }
    return named;
  }

  private @Nullable Path readNamedBus() {
    String bus = arguments.value(CommonOptions.BUS);
    if (bus != null && bus.indexOf(':') > 0 && ForeignBus.isNamed(bus)) {
      return ForeignBus.folder(this, bus);
    }
    return bus == null ? conclaveFolder() : path(CommonOptions.BUS.name(), bus);
  }

  /**
   * The folder without a bus that {@code BUS_DIR} names, because it is also Conclave's variable.
   */
  private @Nullable Path conclaveFolder() {
    String folder = shell.variable("PARLEY_BUS") == null ? shell.variable("BUS_DIR") : null;
    if (folder == null || folder.isEmpty() || isInit() || boards) {
      return null;
    }
    Path path = path("BUS_DIR", folder).normalize();
    boolean theirs =
        Files.isDirectory(path)
            ? !Files.exists(path.resolve(BusFolder.SETTINGS))
            : ForeignBus.isKnown(this, path);
    return theirs ? ForeignBus.folder(this, ForeignBus.CONCLAVE + ":" + folder) : null;
  }

  private boolean isInit() {
    Description command = arguments.command();
    return command != null && command.name().equals(Init.NAME);
  }

  /** A path argument. */
  public Path path(String option, String text) {
    try {
      if (!text.isEmpty()) {
        return shell.folder().resolve(text);
      }
    } catch (InvalidPathException e) {
      // Treated like an empty path.
    }
    throw ParleyException.invalid(
        "bad-path", option + " \"" + text + "\" is not a path.", "Give the path of a folder.");
  }

  /** The caller's agent name; null if none is given. */
  public @Nullable String agent() {
    String as = arguments.value(CommonOptions.AS);
    return as != null ? as : shell.variable(AGENT);
  }
}

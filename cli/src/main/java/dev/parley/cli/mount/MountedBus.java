package dev.parley.cli.mount;

import dev.parley.cli.command.Invocation;
import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether a bus has mounts, without loading anything that deals with them. */
public final class MountedBus {
  /** The file of the topic that says what is mounted. */
  static final String FILE = "mounts.jsonl";

  private MountedBus() {}

  /** Whether the bus of a command may have mounts: a look at one file. */
  public static boolean mayBe(Invocation invocation) {
    try {
      return isAt(
          BusFolder.locate(
              invocation.namedBus(),
              invocation.shell().folder(),
              invocation.shell().environment()));
    } catch (ParleyException e) {
      return false; // whatever is wrong with the bus, the command itself says
    }
  }

  /** Whether the bus in a folder may have mounts. */
  public static boolean isAt(Path bus) {
    return Files.exists(bus.resolve(FILE));
  }
}

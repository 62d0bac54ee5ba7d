package dev.parley.cli.trust;

import dev.parley.cli.command.Invocation;
import dev.parley.dialects.mount.Mount;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The mounts that a bus's log describes but the local user has not made. */
final class DescribedMounts {
  private DescribedMounts() {}

  /** The commands that would make them. */
  static List<String> commands(Invocation invocation, BusFolder bus) {
    List<String> commands = new ArrayList<>();
    if (!Files.exists(bus.path().resolve("mounts.jsonl"))) {
      return commands;
    }
    try (Mounts mounts = new Mounts(bus, invocation.notices(), remark -> {})) {
      for (Mount mount : mounts.describedOnly()) {
        commands.add(command(bus, invocation.shell().folder(), mount));
      }
    }
    return commands;
  }

  private static String command(BusFolder bus, Path from, Mount mount) {
    boolean outside = !Files.exists(mount.path()) || !bus.surrounds(mount.path(), from);
    return "parley mount "
        + mount.dialect().word()
        + " "
        + quoted(mount.path().toString())
        + " --name "
        + mount.name()
        + " --topic "
        + quoted(mount.shownTopics())
        + (outside ? " --outside" : "");
  }

  private static String quoted(String path) {
    return "'" + path.replace("'", "'\\''") + "'";
  }
}

package dev.parley.cli.swarm;

import dev.parley.cli.command.Invocation;
import dev.parley.core.ParleyException;
import dev.parley.filelog.trust.TrustedMount;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the Swarm folder of a command. */
final class SwarmFolder {
  private static final String SWARM = "swarm";

  private SwarmFolder() {}

  /**
   * The folder of a mount.
   *
   * @param name of the mount; null if there is only one
   * @throws ParleyException REFUSED if there is none, or several and no name
   */
  static Path of(Invocation invocation, @Nullable String name) {
    List<TrustedMount> mounts =
        invocation.bus().mounts().stream()
            .filter(mount -> mount.dialect().equals(SWARM))
            .filter(mount -> name == null || mount.name().equals(name))
            .toList();
    if (mounts.isEmpty()) {
      throw ParleyException.refused(
          "no-swarm",
          name == null
              ? "No Swarm folder is mounted on this bus; only those have sessions."
              : "No Swarm folder is mounted as " + name + ".",
          "Mount one: parley mount swarm .swarm; or name it: --bus swarm:.swarm");
    }
    if (mounts.size() > 1) {
      List<String> names = mounts.stream().map(TrustedMount::name).toList();
      throw ParleyException.refused(
          "several-swarms",
          "Several Swarm folders are mounted: " + String.join(", ", names) + ".",
          "Choose one: --mount " + names.getFirst());
    }
    return Path.of(mounts.getFirst().path());
  }
}

package dev.parley.cli.command;

import dev.parley.cli.args.CommonOptions;
import dev.parley.core.ParleyException;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A bus for the files of another tool alone, named as {@code dialect:path}: it lies in their
 * folder, or beside their file, as {@code .parley}, and is made when it is first used.
 */
final class ForeignBus {
  private ForeignBus() {}

  static boolean isNamed(String bus) {
    return Dialect.words().contains(bus.substring(0, bus.indexOf(':')));
  }

  static Path folder(Invocation invocation, String bus) {
    int colon = bus.indexOf(':');
    Dialect dialect = Dialect.named(bus.substring(0, colon));
    Path path = invocation.path(CommonOptions.BUS.name(), bus.substring(colon + 1)).normalize();
    Path folder =
        Files.isDirectory(path)
            ? path.resolve(BusFolder.NAME)
            : path.resolveSibling("." + path.getFileName() + BusFolder.NAME);
    Path mounted = folder.resolve("mounts.jsonl");
    if (!Files.exists(mounted)) {
      dialect.check(path);
      BusFolder made =
          BusFolder.init(folder, invocation.shell().folder(), invocation.shell().environment())
              .folder();
      try (Mounts mounts = new Mounts(made, invocation.notices(), remark -> {})) {
        var _ = mounts.add(dialect, path, null, null);
      } catch (ParleyException e) {
        if (e.kind() != ParleyException.Kind.REFUSED || !Files.exists(mounted)) {
          throw e;
        }
        // Somebody else began at the same moment, and was faster.
      }
    }
    return folder;
  }
}

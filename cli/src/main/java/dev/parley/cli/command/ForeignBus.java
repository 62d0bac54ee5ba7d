package dev.parley.cli.command;

import dev.parley.cli.args.CommonOptions;
import dev.parley.core.ParleyException;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A bus for the files of another tool alone, named as {@code dialect:path}: it lies in their
 * folder, or beside their file, as {@code .parley}, and is made when it is first used.
 */
final class ForeignBus {
  private ForeignBus() {}

  static boolean isNamed(String bus) {
    return Dialect.words().contains(bus.substring(0, bus.indexOf(':')));
  }

  static Path folder(Invocation invocation, String name) {
    int colon = name.indexOf(':');
    Dialect dialect = Dialect.named(name.substring(0, colon));
    Path path = invocation.path(CommonOptions.BUS.name(), name.substring(colon + 1)).normalize();
    Path folder =
        Files.isDirectory(path)
            ? path.resolve(BusFolder.NAME)
            : path.resolveSibling("." + path.getFileName() + BusFolder.NAME);
    BusFolder bus = existing(invocation, folder);
    if (bus == null) {
      dialect.check(path);
      bus =
          BusFolder.init(folder, invocation.shell().folder(), invocation.shell().environment())
              .folder();
    }
    if (bus.isOurs() && bus.mounts().isEmpty()) {
      mount(invocation, bus, dialect, path);
    }
    return folder;
  }

  private static @Nullable BusFolder existing(Invocation invocation, Path folder) {
    return Files.isDirectory(folder)
        ? BusFolder.look(folder, invocation.shell().folder(), invocation.shell().environment())
        : null;
  }

  /** The user named these very files, so they may be anywhere. */
  private static void mount(Invocation invocation, BusFolder bus, Dialect dialect, Path path) {
    dialect.check(path);
    try (Mounts mounts = new Mounts(bus, invocation.notices(), remark -> {})) {
      var _ = mounts.add(dialect, path, null, null);
    } catch (ParleyException e) {
      if (!e.code().equals("mounted-already")) {
        throw e;
      }
      // Somebody else began at the same moment, and was faster.
    }
  }
}

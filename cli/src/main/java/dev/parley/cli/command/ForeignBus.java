package dev.parley.cli.command;

import dev.parley.cli.args.CommonOptions;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.trust.TrustedBuses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A bus for the files of another tool alone, named as {@code dialect:path}. It is made when it is
 * first used, in the user's state folder, under a name made of the files' real path: their tool may
 * delete its folder at any time, and the bus must outlive that.
 *
 * <p>A bus that an earlier version made inside that folder is used as long as it is there.
 */
final class ForeignBus {
  /** The folder of those buses in the state folder. */
  private static final String FOLDERS = "folders";

  static final String CONCLAVE = "conclave";

  private static final int NAME_DIGITS = 24;

  private ForeignBus() {}

  static boolean isNamed(String bus) {
    return Dialect.words().contains(bus.substring(0, bus.indexOf(':')));
  }

  static Path folder(Invocation invocation, String name) {
    int colon = name.indexOf(':');
    Dialect dialect = Dialect.named(name.substring(0, colon));
    Path path = invocation.path(CommonOptions.BUS.name(), name.substring(colon + 1)).normalize();
    return folder(invocation, dialect, path);
  }

  /** Whether a bus was made for Conclave's folder at this path, even if the folder is gone. */
  static boolean isKnown(Invocation invocation, Path path) {
    return Files.isDirectory(inState(invocation, Dialect.CONCLAVE, path));
  }

  /** The bus for these files. */
  static Path folder(Invocation invocation, Dialect dialect, Path path) {
    Path earlier =
        Files.isRegularFile(path)
            ? path.resolveSibling("." + path.getFileName() + BusFolder.NAME)
            : path.resolve(BusFolder.NAME);
    Path folder = Files.isDirectory(earlier) ? earlier : inState(invocation, dialect, path);
    BusFolder bus = existing(invocation, folder);
    if (bus == null || (!bus.isOurs() && !Files.exists(folder.resolve(BusFolder.SETTINGS)))) {
      dialect.check(path);
      var _ = TrustedBuses.of(invocation.shell().environment()).makeFolder(FOLDERS);
      bus =
          BusFolder.init(folder, invocation.shell().folder(), invocation.shell().environment())
              .folder();
    }
    if (bus.isOurs() && bus.mounts().isEmpty()) {
      mount(invocation, bus, dialect, path);
    }
    return folder;
  }

  private static Path inState(Invocation invocation, Dialect dialect, Path path) {
    String key = dialect.word() + ":" + real(path);
    return TrustedBuses.of(invocation.shell().environment())
        .folder()
        .resolve(FOLDERS)
        .resolve(dialect.word() + "-" + Fingerprint.hex(key, NAME_DIGITS));
  }

  /** The real path. For missing files, that of the part that exists. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      Path parent = path.getParent();
      return parent == null ? path : real(parent).resolve(String.valueOf(path.getFileName()));
    }
  }

  private static @Nullable BusFolder existing(Invocation invocation, Path folder) {
    return Files.isDirectory(folder)
        ? BusFolder.look(folder, invocation.shell().folder(), invocation.shell().environment())
        : null;
  }

  /** Mounts the files. The user named them, so they may be anywhere. */
  private static void mount(Invocation invocation, BusFolder bus, Dialect dialect, Path path) {
    dialect.check(path);
    Prefix topics = dialect == Dialect.CONCLAVE ? Prefix.ALL : Prefix.of(dialect.usualTopic());
    try (Mounts mounts = new Mounts(bus, invocation.notices(), remark -> {})) {
      var _ = mounts.mount(dialect, path, null, topics);
    } catch (ParleyException e) {
      if (!e.code().equals("mounted-already")) {
        throw e;
      }
      // Another process mounted it at the same moment.
    }
  }
}

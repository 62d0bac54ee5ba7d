package dev.parley.cli.command;

import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.EphemeralFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The bus folder of Conclave while a run lasts (seed 0.6): made with its {@code .pid}, and removed
 * with all that is in it. What the folder of a process that was killed has left is replaced.
 *
 * <p>A folder that a live process owns, such as the run that started this one, is used and left; so
 * is one without a {@code .pid}, which somebody made to keep.
 */
final class ConclaveFolder implements AutoCloseable {
  private final EphemeralFolder owned;

  private ConclaveFolder(EphemeralFolder owned) {
    this.owned = owned;
  }

  /** Creates the folder; null if it is not ours to create and remove. */
  static @Nullable ConclaveFolder make(Path path) {
    if (Files.exists(path.resolve(BusFolder.SETTINGS))) {
      return null; // a bus of our own, which is never removed
    }
    try {
      return new ConclaveFolder(EphemeralFolder.createForConclave(path));
    } catch (ParleyException e) {
      if (e.code().equals("owned") || e.code().equals("not-ephemeral")) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    owned.close();
  }
}

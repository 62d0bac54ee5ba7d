package dev.parley.filelog;

import dev.parley.core.ParleyException;
import dev.parley.filelog.disk.IoErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A bus that is removed when its owner ends; see {@link EphemeralFolder}. */
public final class EphemeralBus implements AutoCloseable {
  private final EphemeralFolder owned;
  private final BusFolder folder;

  private EphemeralBus(EphemeralFolder owned, BusFolder folder) {
    this.owned = owned;
    this.folder = folder;
  }

  /**
   * Makes a bus in a new folder.
   *
   * @throws ParleyException REFUSED if a live process owns the folder, or it holds something that
   *     is not an ephemeral bus
   */
  public static EphemeralBus create(Path path, Map<String, String> environment) {
    EphemeralFolder owned = EphemeralFolder.create(path);
    try {
      BusFolder.create(owned.path(), BusId.random());
      return new EphemeralBus(owned, BusFolder.at(owned.path(), environment));
    } catch (IOException e) {
      owned.close();
      throw IoErrors.reading(owned.path(), e);
    } catch (RuntimeException e) {
      owned.close();
      throw e;
    }
  }

  public BusFolder folder() {
    return folder;
  }

  /** Removes the folder and everything in it. */
  @Override
  public void close() {
    owned.close();
  }
}

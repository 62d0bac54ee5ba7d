package dev.parley.filelog.store;

import dev.parley.core.store.Store;
import dev.parley.core.store.StoreContract;
import dev.parley.filelog.BusFolder;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

class FolderStoreTest extends StoreContract {
  @TempDir private Path folder;

  @Override
  protected Store open() {
    Path bus = folder.resolve(".parley");
    return BusFolder.init(bus, folder, Map.of("PARLEY_STATE", folder.resolve("state").toString()))
        .folder()
        .openStore();
  }

  @Override
  protected Store again() {
    Path bus = folder.resolve(".parley");
    return BusFolder.find(bus, folder, Map.of("PARLEY_STATE", folder.resolve("state").toString()))
        .openStore();
  }
}

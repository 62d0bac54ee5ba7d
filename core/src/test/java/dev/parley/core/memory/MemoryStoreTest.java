package dev.parley.core.memory;

import dev.parley.core.store.Store;
import dev.parley.core.store.StoreContract;
import org.jspecify.annotations.Nullable;

class MemoryStoreTest extends StoreContract {
  @Override
  protected Store open() {
    return Store.inMemory();
  }

  @Override
  protected @Nullable Store again() {
    return null;
  }
}

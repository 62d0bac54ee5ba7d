package dev.parley.core;

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

package dev.parley.core.memory;

import dev.parley.core.store.Contents;
import dev.parley.core.store.Cursors;
import dev.parley.core.store.SessionSecrets;
import dev.parley.core.store.Store;
import dev.parley.core.store.Views;

/** What lasts as long as this process. */
public record MemoryStore(
    MemoryLog log, Views views, Contents contents, Cursors cursors, SessionSecrets secrets)
    implements Store {
  @Override
  public void close() {
    log.close();
  }
}

package dev.parley.filelog.store;

import dev.parley.core.store.Contents;
import dev.parley.core.store.Cursors;
import dev.parley.core.store.SessionSecrets;
import dev.parley.core.store.Store;
import dev.parley.core.store.Views;
import dev.parley.filelog.FileLog;

/** Everything that a bus keeps in its folder, shared by all processes that open the folder. */
public record FolderStore(
    FileLog log,
    Views views,
    Contents contents,
    Cursors cursors,
    SessionSecrets secrets,
    int maxPending)
    implements Store {
  @Override
  public void close() {
    log.close();
  }
}

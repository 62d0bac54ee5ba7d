package dev.parley.filelog;

import dev.parley.core.Contents;
import dev.parley.core.Cursors;
import dev.parley.core.SessionSecrets;
import dev.parley.core.Store;
import dev.parley.core.Views;

/** What a bus keeps in its folder; all processes that open the folder share it. */
record FolderStore(
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

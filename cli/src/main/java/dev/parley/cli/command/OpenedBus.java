package dev.parley.cli.command;

import dev.parley.Parley;
import dev.parley.cli.terminal.Notices;
import dev.parley.coordination.Team;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.store.FolderStore;

/**
 * The bus of one run, opened once. The command and the mounts share one log and one owner of the
 * ledger.
 */
public record OpenedBus(BusFolder folder, FileLog log, Parley parley) implements AutoCloseable {
  static OpenedBus of(BusFolder folder, Notices notices) {
    FolderStore store = folder.openStore();
    return new OpenedBus(folder, store.log(), Parley.on(store, notices));
  }

  /** The services by session. */
  public Team team() {
    return parley.team();
  }

  @Override
  public void close() {
    parley.close();
  }
}

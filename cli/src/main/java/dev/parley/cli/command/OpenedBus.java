package dev.parley.cli.command;

import dev.parley.cli.terminal.Notices;
import dev.parley.coordination.Team;
import dev.parley.core.Reporter;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.time.InstantSource;

/**
 * The bus of one call, opened once: the command itself and whatever keeps mounted files in step
 * share one log and one owner of the ledger.
 */
public record OpenedBus(BusFolder folder, FileLog log, Team team) implements AutoCloseable {
  static OpenedBus of(BusFolder folder, Notices notices) {
    FileLog log = folder.openLog();
    Reporter reporter = notices;
    Team team = new Team(log, folder.views(), folder.contents(), reporter, InstantSource.system());
    return new OpenedBus(folder, log, team);
  }

  @Override
  public void close() {
    log.close();
  }
}

package dev.parley.dialects.conductor;

import dev.parley.core.AgentName;
import dev.parley.core.json.Json;
import dev.parley.dialects.AppendedMirror;
import dev.parley.dialects.BusSide;
import dev.parley.dialects.Mirror;
import dev.parley.dialects.MirrorState;
import dev.parley.dialects.Remark;
import dev.parley.dialects.Round;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Mirrors a message bus: its queue and events, its locks, its workers and its board. */
public final class ConductorMirror implements Mirror {
  private final Path folder;
  private final AppendedMirror<Json> queue;
  private final LockTable locks;
  private final WorkerTable workers;
  private final ForeignWork work;
  private final Herald herald;
  private final BoardTable boards;

  public ConductorMirror(Path folder, BusSide bus) {
    this.folder = folder;
    this.work = new ForeignWork(folder, bus);
    this.queue =
        new AppendedMirror<>(
            new ConductorFiles(folder, bus.topic(), work::hear), bus.limits(), bus.remarks());
    this.locks = new LockTable(folder, bus);
    this.workers = new WorkerTable(folder, bus, work);
    this.herald = new Herald(bus);
    this.boards = new BoardTable(folder, bus, herald);
  }

  @Override
  public List<Path> folders() {
    List<Path> folders = new ArrayList<>(queue.folders());
    folders.add(folder.resolve("events"));
    folders.add(folder.resolve("board"));
    return folders;
  }

  @Override
  public long unread(MirrorState state) {
    return queue.unread(state);
  }

  @Override
  public void exchange(Round round) {
    if (locks.exchange()) {
      round.again();
    }
    queue.exchange(round);
    work.exchange();
    workers.exchange(round);
    boards.exchange(round);
    herald.exchange(round);
  }

  @Override
  public void examine(Consumer<Remark> found) {
    queue.examine(found);
    Path statuses = folder.resolve("worker-status.json");
    var workersThere = new ObjectFile(statuses, found).read();
    if (workersThere != null) {
      for (String name : workersThere.keySet()) {
        if (!AgentName.isValid(name)) {
          found.accept(new Remark(statuses, 0, false, "\"" + name + "\" is no name of a worker"));
        }
      }
    }
    new BoardFiles(folder, found).examine();
    Path file = folder.resolve("locks.json");
    var there = new ObjectFile(file, found).read();
    if (there != null) {
      there.forEach((key, value) -> {
        if (!LockEntry.of(key, value).canBeHeld()) {
          found.accept(
              new Remark(file, 0, false, "\"" + key + "\" is no path inside a working tree"));
        }
      });
    }
  }
}

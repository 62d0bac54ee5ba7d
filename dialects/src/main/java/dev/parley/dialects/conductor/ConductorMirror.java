package dev.parley.dialects.conductor;

import dev.parley.core.AgentName;
import dev.parley.core.json.Json;
import dev.parley.dialects.append.AppendedMirror;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.Mirror;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.sync.SyncPass;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Mirrors a Conductor message bus: its queue and events, its locks, its workers and its board. */
public final class ConductorMirror implements Mirror {
  private final Path folder;
  private final AppendedMirror<Json> queue;
  private final LockTable locks;
  private final WorkerTable workers;
  private final WorkerImport work;
  private final LedgerAnnouncer announcer;
  private final BoardTable boards;

  public ConductorMirror(Path folder, BusAccess bus) {
    this.folder = folder;
    this.work = new WorkerImport(folder, bus);
    this.queue =
        new AppendedMirror<>(
            new ConductorFiles(folder, bus.topic(), work::hear), bus.limits(), bus.remarks());
    this.locks = new LockTable(folder, bus);
    this.workers = new WorkerTable(folder, bus, work);
    this.announcer = new LedgerAnnouncer(bus);
    this.boards = new BoardTable(folder, bus, announcer);
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
  public void exchange(SyncPass pass) {
    if (locks.exchange()) {
      pass.again();
    }
    queue.exchange(pass);
    work.exchange();
    workers.exchange(pass);
    boards.exchange(pass);
    announcer.exchange(pass);
  }

  @Override
  public void examine(Consumer<FileRemark> found) {
    queue.examine(found);
    Path statuses = folder.resolve("worker-status.json");
    var workersThere = new JsonObjectFile(statuses, found).read();
    if (workersThere != null) {
      workersThere.forEach((name, value) -> {
        if (!AgentName.isValid(name)) {
          found.accept(
              new FileRemark(statuses, 0, false, "\"" + name + "\" is not a valid worker name"));
        } else if (WorkerStatus.of(value).status() == null) {
          found.accept(new FileRemark(statuses, 0, false, "the status of " + name + " is unknown"));
        }
      });
    }
    work.examine(found);
    new BoardFiles(folder, found).examine();
    Path file = folder.resolve("locks.json");
    var there = new JsonObjectFile(file, found).read();
    if (there != null) {
      there.forEach((key, value) -> {
        if (!LockEntry.of(key, value).canBeHeld()) {
          found.accept(
              new FileRemark(
                  file, 0, false, "\"" + key + "\" is not a path inside a working tree"));
        }
      });
    }
  }
}

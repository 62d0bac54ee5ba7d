package dev.parley.dialects.conductor;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.roster.Member;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.Flock;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.SyncPass;
import dev.parley.text.Explanation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps {@code worker-status.json} and the roster in step: agents of the bus are shown in the file,
 * and the file's workers are on the roster. An agent that is on the bus itself is never read from
 * the file.
 */
final class WorkerTable {
  /** Note: the last status of a worker of the file. */
  private static final String THEIRS = "worker:";

  /** Note: an agent of the bus is shown in the file. */
  private static final String OURS = "member:";

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final BusAccess bus;
  private final WorkerImport work;
  private final Path mutex;
  private final JsonObjectFile file;

  WorkerTable(Path folder, BusAccess bus, WorkerImport work) {
    this.bus = bus;
    this.work = work;
    this.mutex = folder.resolve(".lock_mutex");
    this.file = new JsonObjectFile(folder.resolve("worker-status.json"), bus.remarks());
  }

  void exchange(SyncPass pass) {
    Map<String, Json> there = file.read();
    if (there != null) {
      there.forEach((name, value) -> pull(pass, name, value));
      push(pass, there);
    }
  }

  private void pull(SyncPass pass, String name, Json value) {
    String said = value.toString();
    if (!AgentName.isValid(name)
        || !bus.isElsewhere(name)
        || pass.told(OURS + name) != null
        || said.equals(pass.told(THEIRS + name))) {
      return;
    }
    WorkerStatus status = WorkerStatus.of(value);
    pass.live(name);
    if (!status.isStale(bus.owner().wall(), bus.owner().look(Ledger::staleAfter))) {
      try {
        var _ = new Sessions(bus.owner()).heartbeat(bus.standIn(name), status.beat());
        work.status(name, status);
      } catch (ParleyException e) {
        bus.remarks().accept(new FileRemark(file.path(), 0, false, Explanation.of(e).message()));
      }
    }
    pass.tell(THEIRS + name, said);
  }

  private void push(SyncPass pass, Map<String, Json> there) {
    Map<String, @Nullable WorkerStatus> news = news(pass, there);
    if (news.isEmpty()) {
      return;
    }
    try (Flock held = Flock.take(mutex, PATIENCE)) {
      boolean written =
          held != null
              && file.change(fields -> {
                news.forEach((name, status) -> {
                  if (status == null) {
                    fields.remove(name);
                  } else {
                    fields.put(name, status.over(fields.get(name)));
                  }
                });
                return fields;
              });
      if (written) {
        news.forEach((name, status) -> pass.tell(OURS + name, status == null ? null : "shown"));
      }
    }
  }

  /** The statuses that the file lacks, by agent; null for agents that are to be removed from it. */
  private Map<String, @Nullable WorkerStatus> news(SyncPass pass, Map<String, Json> there) {
    return bus.owner().look(ledger -> news(ledger, pass, there));
  }

  private Map<String, @Nullable WorkerStatus> news(
      Ledger ledger, SyncPass pass, Map<String, Json> there) {
    Map<String, @Nullable WorkerStatus> news = new LinkedHashMap<>();
    for (Member member : ledger.roster().members()) {
      String name = member.name();
      boolean shown = pass.told(OURS + name) != null;
      if (member.hasLeft()) {
        if (shown) {
          news.put(name, null);
        }
      } else if (!bus.isOurs(name, String.valueOf(member.session()))
          && (shown || !member.isStale(bus.owner().now(), ledger.staleAfter()))) {
        WorkerStatus status = WorkerStatus.of(member, ledger, bus.owner().shown(member.heard()));
        Json before = there.get(name);
        if (before == null || !shown || !status.isNoNewsAfter(WorkerStatus.of(before))) {
          news.put(name, status);
        }
      }
    }
    return news;
  }
}

package dev.parley.dialects.conductor;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.PathPattern;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.wait.Wait;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.Timestamps;
import dev.parley.core.json.Json;
import dev.parley.dialects.BusSide;
import dev.parley.dialects.JsonLine;
import dev.parley.dialects.Remark;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says in the ledger what workers of the files did: their tasks are claimed, done and failed by
 * them, and they wait for what they say that they are blocked on. So waits of the bus end by what
 * they do, and circles through them are seen.
 *
 * <p>Of all that is read at once only the last word on a task and of a worker counts: a long
 * history comes to little. What is old says nothing about now, but that a task is over.
 */
final class ForeignWork {
  /** How long a worker counts as blocked that says nothing more: as long as a lock lasts. */
  private static final Duration BLOCKED_FOR = Duration.ofMinutes(30);

  /** What workers say when a task is over. */
  private static final List<String> ENDS = List.of("TASK_COMPLETE", "TASK_FAILED");

  /** The same, and what they say while they are at work. */
  private static final List<String> WORDS =
      List.of("PROGRESS", "TASK_COMPLETE", "TASK_FAILED", "BLOCKED", "TASK_BLOCKED", "FILE_UNLOCK");

  private static final byte[] NONE = {};

  private final BusSide bus;
  private final Path events;
  private final Map<String, Fields> ofTasks = new LinkedHashMap<>();
  private final Map<String, Fields> ofWorkers = new LinkedHashMap<>();

  /** What was said since then is news; found out once a round. */
  private @Nullable Instant fresh;

  /** A time that was not since then: in a long history many messages have the same. */
  private byte[] old = NONE;

  ForeignWork(Path folder, BusSide bus) {
    this.bus = bus;
    this.events = folder.resolve("events");
  }

  /** Hears a message of the queue; what it comes to is said by {@link #exchange}. */
  void hear(JsonLine line) {
    String type = line.oneOf("type", WORDS);
    boolean counts = type != null && (ENDS.contains(type) || isFresh(line));
    if (!counts || !AgentName.isValid(line.text("source", ""))) {
      return;
    }
    Fields message = Fields.of(line.json());
    String task = message.object("payload").text("task_id", "");
    if (Plan.isId(task)) {
      ofTasks.put(task, message);
    }
    ofWorkers.put(message.text("source", ""), message);
  }

  private boolean isFresh(JsonLine line) {
    if (fresh == null) {
      fresh = bus.clerk().wall().minus(bus.clerk().look(Ledger::staleAfter));
    }
    if (line.is("timestamp", old)) {
      return false;
    }
    String time = line.text("timestamp", "");
    Instant at = Timestamps.parse(time);
    boolean isFresh = at != null && at.isAfter(fresh);
    if (!isFresh) {
      old = ('"' + time + '"').getBytes(StandardCharsets.UTF_8);
    }
    return isFresh;
  }

  void exchange() {
    ofWorkers.forEach((worker, message) -> tolerant(() -> worker(worker, message)));
    ofTasks.forEach((task, message) ->
        tolerant(() ->
            task(
                task,
                message.text("source", ""),
                message.text("type", ""),
                message.object("payload"))));
    ofWorkers.clear();
    ofTasks.clear();
    fresh = null;
    old = NONE;
    tolerant(this::lookAtEvents);
  }

  /** What a worker's status says of its task. */
  void status(String worker, WorkerStatus status) {
    if (!Plan.isId(status.task()) || status.status() == null) {
      return;
    }
    String type =
        switch (status.status()) {
          case RUNNING -> "PROGRESS";
          case BLOCKED -> "BLOCKED";
          case COMPLETE -> "TASK_COMPLETE";
          case FAILED -> "TASK_FAILED";
        };
    Json.ObjectBuilder payload = Json.object();
    if (status.progress() >= 0) {
      payload.put("progress_pct", status.progress());
    }
    tolerant(() -> task(status.task(), worker, type, Fields.of(payload.build())));
  }

  /** What is said of one must not keep others from being heard. */
  private void tolerant(Runnable what) {
    try {
      what.run();
    } catch (ParleyException e) {
      bus.remarks()
          .accept(
              new Remark(
                  events.resolveSibling("queue.jsonl"), 0, true, Explanation.of(e).message()));
    }
  }

  private @Nullable Task known(String id) {
    return bus.clerk().look(ledger -> Optional.ofNullable(ledger.tasks().task(id))).orElse(null);
  }

  private void task(String id, String worker, String type, Fields payload) {
    Task task = known(id);
    if (task != null && task.state().isOver()) {
      return;
    }
    Session session = bus.standIn(worker);
    if (task == null) {
      ask(session, TaskTypes.ADD, Plan.of(id).write());
      task = known(id);
    }
    if (task != null && task.state() == TaskState.READY) {
      ask(session, TaskTypes.CLAIM, Json.object().put("task", id));
    }
    Json.ObjectBuilder said = Json.object().put("task", id);
    switch (type) {
      case "PROGRESS" -> {
        long percent = payload.number("progress_pct", -1);
        ask(session, TaskTypes.PROGRESS, percent < 0 ? said : said.put("progress", percent));
      }
      case "TASK_COMPLETE" -> {
        String commit = payload.text("commit_sha");
        Json.ObjectBuilder done = commit == null ? said : said.put("commit", commit);
        List<String> files = payload.texts("files_modified");
        ask(session, TaskTypes.DONE, done.put("files", Json.ofStrings(files)));
      }
      case "TASK_FAILED" ->
          ask(
              session,
              TaskTypes.FAIL,
              said.put("error", payload.text("error", "")).put("recoverable", true));
      default -> {
        // Blocked: what on is said of the worker.
      }
    }
  }

  private void worker(String worker, Fields message) {
    Fields payload = message.object("payload");
    String type = message.text("type", "");
    if (type.equals("FILE_UNLOCK")) {
      unlocked(worker, payload.text("filepath", ""), message.time("timestamp"));
      return;
    }
    Session session = bus.standIn(worker);
    for (Wait wait : bus.clerk().look(ledger -> List.copyOf(ledger.waits().all()))) {
      if (wait.reported() && wait.name().equals(worker)) {
        ask(session, WaitTypes.END, Json.object().put("wait", wait.position()));
      }
    }
    if (type.endsWith("BLOCKED")) {
      String target = target(payload);
      if (!target.isEmpty()) {
        ask(
            session,
            WaitTypes.REPORT,
            Json.object().put("for", target).put("timeout", BLOCKED_FOR.toSeconds()));
      }
    }
  }

  /** What is blocked on: rather the path that somebody holds than who holds it. */
  private String target(Fields payload) {
    String resource = payload.text("resource", "");
    String path = resource.startsWith("FILE_UNLOCK_") ? resource.substring(12) : resource;
    boolean held =
        bus.clerk()
            .look(ledger ->
                ledger.leases().all().stream()
                    .flatMap(lease -> lease.paths().stream())
                    .anyMatch(pattern -> path.equals(pattern.path())));
    String waitingFor = payload.text("waiting_for", "");
    return held ? "path:" + PathPattern.quote(path) : waitingFor.isEmpty() ? resource : waitingFor;
  }

  /** A worker that is on the bus itself gave a lock back by way of the files. */
  private void unlocked(String worker, String path, @Nullable Instant at) {
    for (Lease lease : leasesOf(worker)) {
      boolean named = lease.paths().stream().anyMatch(held -> path.equals(held.path()));
      if (named && at != null && !bus.clerk().ofWall(at).isBefore(lease.since())) {
        ask(
            bus.standIn(worker),
            LeaseTypes.RELEASE,
            Json.object()
                .put("token", lease.token())
                .put("paths", Json.ofStrings(List.of(PathPattern.quote(path)))));
      }
    }
  }

  private String sessionOf(String worker) {
    return bus.clerk()
        .look(ledger -> Optional.ofNullable(ledger.roster().session(worker)))
        .orElse("");
  }

  private List<Lease> leasesOf(String worker) {
    String session = sessionOf(worker);
    return bus.clerk().look(ledger -> List.copyOf(ledger.leases().of(session)));
  }

  /**
   * A file that is newer than what the ledger knows of a task says that it is over; so does any, of
   * a task that nobody has named but somebody waits for.
   */
  private void lookAtEvents() {
    for (String type : ENDS) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(events, type + "_*.event")) {
        for (Path file : files) {
          String name = String.valueOf(file.getFileName());
          String id = name.substring(type.length() + 1, name.length() - ".event".length());
          Task task = known(id);
          if (task == null) {
            if (Plan.isId(id) && bus.clerk().look(ledger -> ledger.waits().isForTask(id))) {
              task(id, ConductorCodec.DIALECT, type, Fields.of(null));
            }
          } else if (!task.state().isOver()
              && bus.clerk()
                  .ofWall(Files.getLastModifiedTime(file).toInstant())
                  .isAfter(task.since())) {
            signalled(task, type);
          }
        }
      } catch (IOException e) {
        bus.remarks().accept(new Remark(events, 0, false, "can't be read: " + e.getMessage()));
      }
    }
  }

  private void signalled(Task task, String type) {
    String owner = task.owner();
    boolean free = task.state() == TaskState.READY;
    if (free || (owner != null && bus.isElsewhere(owner))) {
      String worker = free || owner == null ? ConductorCodec.DIALECT : owner;
      task(task.id(), worker, type, Fields.of(null));
    }
  }

  private void ask(Session session, String type, Json.ObjectBuilder payload) {
    var _ = bus.clerk().ask(session, type, payload);
  }
}

package dev.parley.dialects.conductor;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.wait.Wait;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.JsonLine;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 *
 * <p>A task that failed is tried again by the worker that next reports on it: dispatchers of the
 * design give it to another worker and say so to nobody.
 */
final class WorkerImport {
  /** How long a worker counts as blocked that says nothing more: as long as a lock lasts. */
  private static final Duration BLOCKED_FOR = Duration.ofMinutes(30);

  /** What workers say when a task is over. */
  private static final List<String> ENDS = List.of("TASK_COMPLETE", "TASK_FAILED");

  /** The same, and what they say while they are at work. */
  private static final List<String> WORDS =
      List.of("PROGRESS", "TASK_COMPLETE", "TASK_FAILED", "BLOCKED", "TASK_BLOCKED", "FILE_UNLOCK");

  /** As often as the ledger lets a task be tried: dispatchers count for themselves. */
  private static final int TRIES = Plan.MOST_TRIES;

  /** How much of an event file is read. */
  private static final int LONGEST_EVENT = 64 << 10;

  private static final byte[] NONE = {};

  private final BusAccess bus;
  private final Path events;
  private final Map<String, Fields> ofTasks = new LinkedHashMap<>();
  private final Map<String, Fields> ofWorkers = new LinkedHashMap<>();
  private final List<Fields> unlocks = new ArrayList<>();

  /** What was said of tasks since then is news; found out once a pass. */
  private @Nullable Instant fresh;

  /** What was said by workers since then may still hold. */
  private Instant recent = Instant.MAX;

  /** A time that was not since then: in a long history many messages have the same. */
  private byte[] old = NONE;

  WorkerImport(Path folder, BusAccess bus) {
    this.bus = bus;
    this.events = folder.resolve("events");
  }

  /** Hears a message of the queue; what it comes to is said by {@link #exchange}. */
  void hear(JsonLine line) {
    String type = line.oneOf("type", WORDS);
    if (type == null || !AgentName.isValid(line.text("source", ""))) {
      return;
    }
    Instant at = timeIfRecent(line);
    boolean ends = ENDS.contains(type);
    if (at == null && !ends) {
      return;
    }
    Fields message = Fields.of(line.json());
    if (type.equals("FILE_UNLOCK")) {
      unlocks.add(message);
      return; // says nothing of what its worker does otherwise
    }
    String task = message.object("payload").text("task_id", "");
    if (Plan.isId(task) && (ends || isFresh(at))) {
      ofTasks.put(task, message);
    }
    if (at != null) {
      ofWorkers.put(message.text("source", ""), message);
    }
  }

  private boolean isFresh(@Nullable Instant at) {
    return at != null && fresh != null && at.isAfter(fresh);
  }

  /** When something was said; null if that is so long ago that it says nothing about now. */
  private @Nullable Instant timeIfRecent(JsonLine line) {
    if (fresh == null) {
      Instant now = bus.owner().wall();
      fresh = now.minus(bus.owner().look(Ledger::staleAfter));
      recent = fresh.isBefore(now.minus(BLOCKED_FOR)) ? fresh : now.minus(BLOCKED_FOR);
    }
    if (line.is("timestamp", old)) {
      return null;
    }
    String time = line.text("timestamp", "");
    Instant at = Timestamps.parse(time);
    if (at == null || !at.isAfter(recent)) {
      old = ('"' + time + '"').getBytes(StandardCharsets.UTF_8);
      return null;
    }
    return at;
  }

  void exchange() {
    // All first, so that those who wait for each other are known to each other.
    ofWorkers.keySet().forEach(worker -> tolerant(() -> bus.standIn(worker)));
    for (Fields unlock : unlocks) {
      tolerant(() ->
          unlocked(
              unlock.text("source", ""),
              unlock.object("payload").text("filepath", ""),
              unlock.time("timestamp")));
    }
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
    unlocks.clear();
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
    Task task = known(status.task());
    boolean lags = // who has failed need not have said so here yet
        task != null && task.state() == TaskState.FAILED && worker.equals(task.owner());
    if (!lags) {
      tolerant(() -> task(status.task(), worker, type, Fields.of(payload.build())));
    }
  }

  /** What is said of one must not keep others from being heard. */
  private void tolerant(Runnable what) {
    try {
      what.run();
    } catch (ParleyException e) {
      bus.remarks()
          .accept(
              new FileRemark(
                  events.resolveSibling("queue.jsonl"), 0, true, Explanation.of(e).message()));
    }
  }

  private @Nullable Task known(String id) {
    return bus.owner().look(ledger -> Optional.ofNullable(ledger.tasks().task(id))).orElse(null);
  }

  private void task(String id, String worker, String type, Fields payload) {
    Task task = known(id);
    boolean again = task != null && task.canBeRetried() && !type.equals("TASK_FAILED");
    if (task != null && task.state().isOver() && !again) {
      return;
    }
    Session session = bus.standIn(worker);
    if (task == null) {
      ask(session, TaskTypes.ADD, Plan.of(id).write().put("tries", TRIES));
      task = known(id);
    } else if (again) {
      ask(session, TaskTypes.RETRY, Json.object().put("task", id));
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
        String note = payload.text("note");
        done = note == null ? done : done.put("note", note);
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
    Session session = bus.standIn(worker);
    for (Wait wait : bus.owner().look(ledger -> List.copyOf(ledger.waits().all()))) {
      if (wait.reported() && wait.name().equals(worker)) {
        ask(session, WaitTypes.END, Json.object().put("wait", wait.position()));
      }
    }
    if (type.endsWith("BLOCKED")) {
      String target = target(payload);
      Instant said = message.time("timestamp");
      Duration left =
          said == null ? BLOCKED_FOR : Duration.between(bus.owner().wall(), said.plus(BLOCKED_FOR));
      if (!target.isEmpty() && left.toSeconds() > 0) {
        makeKnown(session, target);
        long seconds = Math.min(left.toSeconds(), BLOCKED_FOR.toSeconds());
        ask(session, WaitTypes.REPORT, Json.object().put("for", target).put("timeout", seconds));
      }
    }
  }

  /**
   * A worker may be blocked on a task or another worker that nobody has heard of yet. What begins
   * with a digit is a task, as tasks of the design do.
   */
  private void makeKnown(Session session, String target) {
    boolean isKnown =
        bus.owner().look(ledger -> ledger.roster().knows(target) || ledger.tasks().knows(target));
    if (isKnown || target.startsWith("path:") || target.startsWith("FILE_UNLOCK_")) {
      return;
    }
    if (Character.isDigit(target.charAt(0)) && Plan.isId(target)) {
      ask(session, TaskTypes.ADD, Plan.of(target).write().put("tries", TRIES));
    } else if (AgentName.isValid(target)) {
      new Sessions(bus.owner()).expect(Bus.SYSTEM, List.of(target));
    }
  }

  /** What is blocked on: rather the path that somebody holds than who holds it. */
  private String target(Fields payload) {
    String resource = payload.text("resource", "");
    String path = resource.startsWith("FILE_UNLOCK_") ? resource.substring(12) : resource;
    boolean held =
        bus.owner()
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
      if (named && at != null && !bus.owner().ofWall(at).isBefore(lease.since())) {
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
    return bus.owner()
        .look(ledger -> Optional.ofNullable(ledger.roster().session(worker)))
        .orElse("");
  }

  private List<Lease> leasesOf(String worker) {
    String session = sessionOf(worker);
    return bus.owner().look(ledger -> List.copyOf(ledger.leases().of(session)));
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
            if (Plan.isId(id) && bus.owner().look(ledger -> ledger.waits().isForTask(id))) {
              task(id, ConductorCodec.DIALECT, type, content(file, type));
            }
          } else if ((!task.state().isOver()
                  || (task.canBeRetried() && type.equals("TASK_COMPLETE")))
              && bus.owner()
                  .ofWall(Files.getLastModifiedTime(file).toInstant())
                  .isAfter(task.since())) {
            signalled(task, type, content(file, type));
          }
        }
      } catch (NoSuchFileException e) {
        return; // no event yet
      } catch (IOException e) {
        bus.remarks().accept(new FileRemark(events, 0, false, "can't be read: " + e.getMessage()));
      }
    }
  }

  /** What an event file says of its task: a JSON object, or a text. */
  private static Fields content(Path file, String type) {
    String text =
        new String(ForeignFile.read(file, 0, LONGEST_EVENT), StandardCharsets.UTF_8).strip();
    if (text.isEmpty() || text.startsWith("msg-")) {
      return Fields.of(null); // it names the message that says it
    }
    try {
      Json json = Json.parse(text);
      if (json.isObject()) {
        Fields fields = Fields.of(json);
        Fields payload = fields.object("payload");
        return payload.values().isEmpty() ? fields : payload;
      }
    } catch (JsonException e) {
      // Then it is a text.
    }
    String key = type.equals("TASK_FAILED") ? "error" : "note";
    return Fields.of(Json.object().put(key, text).build());
  }

  private void signalled(Task task, String type, Fields content) {
    String owner = task.owner();
    boolean free = task.state() == TaskState.READY || task.state().isOver();
    if (free || (owner != null && bus.isElsewhere(owner))) {
      String worker = free || owner == null ? ConductorCodec.DIALECT : owner;
      task(task.id(), worker, type, content);
    }
  }

  private void ask(Session session, String type, Json.ObjectBuilder payload) {
    var _ = bus.owner().ask(session, type, payload);
  }
}

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
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the work of the files' workers into the ledger: they claim, finish and fail their tasks
 * there, and their BLOCKED messages become waits. So waits on the bus end when these workers
 * finish, and cycles through them are found.
 *
 * <p>Of all messages in one pass only the last about each task and the last of each worker count,
 * so a long history costs little. An old message tells only that a task is over.
 *
 * <p>A failed task is retried by the worker that next reports on it. Conductor's dispatchers give
 * it to another worker without saying so.
 */
final class WorkerImport {
  /**
   * A worker that says nothing more counts as blocked for this long, which is how long a lock
   * lasts.
   */
  private static final Duration BLOCKED_FOR = Duration.ofMinutes(30);

  /** Message types that end a task. */
  private static final List<String> ENDS = List.of("TASK_COMPLETE", "TASK_FAILED");

  /** The message types that are read: {@link #ENDS}, and those of workers at work. */
  private static final List<String> WORDS =
      List.of("PROGRESS", "TASK_COMPLETE", "TASK_FAILED", "BLOCKED", "TASK_BLOCKED", "FILE_UNLOCK");

  /** The ledger's maximum, because dispatchers count tries themselves. */
  private static final int TRIES = Plan.MOST_TRIES;

  /** How much of an event file is read, in bytes. */
  private static final int LONGEST_EVENT = 64 << 10;

  private static final byte[] NONE = {};

  private final BusAccess bus;
  private final Path events;
  private final Map<String, Fields> ofTasks = new LinkedHashMap<>();
  private final Map<String, Fields> ofWorkers = new LinkedHashMap<>();
  private final List<Fields> unlocks = new ArrayList<>();

  /** Reports about tasks after this time are news. Computed once a pass. */
  private @Nullable Instant fresh;

  /** Reports about workers after this time may still hold. */
  private Instant recent = Instant.MAX;

  /**
   * A timestamp known to be too old, quoted: many messages of a long history have the same one, and
   * comparing bytes is cheaper than parsing.
   */
  private byte[] old = NONE;

  WorkerImport(Path folder, BusAccess bus) {
    this.bus = bus;
    this.events = folder.resolve("events");
  }

  /** Collects a message of the queue; {@link #exchange} then updates the ledger. */
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
      return; // says nothing else about its worker
    }
    String task = message.object("payload").text("task_id", "");
    if (Plan.isId(task) && (ends || isFresh(at))) {
      ofTasks.put(task, message);
    }
    if (at != null) {
      ofWorkers.put(message.text("source", ""), message);
    }
  }

  /** What a message says about work in vain, because of a name that is not valid; else null. */
  static @Nullable String ignored(JsonLine line) {
    String type = line.oneOf("type", WORDS);
    if (type == null) {
      return null;
    }
    String source = line.text("source", "");
    if (!AgentName.isValid(source)) {
      return "\""
          + source
          + "\" is not a valid name of a worker, so its "
          + type
          + " has no effect";
    }
    String task = Fields.of(line.json()).object("payload").text("task_id", "");
    return task.isEmpty() || Plan.isId(task)
        ? null
        : "\"" + task + "\" is not a valid name of a task, so a " + type + " has no effect on it";
  }

  /** Reports event files that end a task whose name is not valid. */
  void examine(Consumer<FileRemark> found) {
    for (String type : ENDS) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(events, type + "_*.event")) {
        for (Path file : files) {
          String id = taskOf(file, type);
          if (!Plan.isId(id)) {
            found.accept(
                new FileRemark(file, 0, false, "\"" + id + "\" is not a valid name of a task"));
          }
        }
      } catch (NoSuchFileException e) {
        return; // no folder yet, so no event
      } catch (IOException e) {
        found.accept(new FileRemark(events, 0, false, "can't be read: " + e.getMessage()));
      }
    }
  }

  /** The task in the name of an event file. */
  private static String taskOf(Path file, String type) {
    String name = String.valueOf(file.getFileName());
    return name.substring(type.length() + 1, name.length() - ".event".length());
  }

  private boolean isFresh(@Nullable Instant at) {
    return at != null && fresh != null && at.isAfter(fresh);
  }

  /** The time of a message; null if it is too old to tell anything about now. */
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
    // All workers first, so that workers who wait for each other know each other.
    ofWorkers.keySet().forEach(worker -> tolerant(() -> bus.standIn(worker)));
    for (Fields unlock : unlocks) {
      tolerant(() ->
          unlocked(
              unlock.text("source", ""),
              unlock.object("payload").text("filepath", ""),
              unlock.time("timestamp")));
    }
    ofWorkers.forEach((worker, message) -> tolerant(() -> worker(worker, message)));
    ofTasks.forEach((task, message) -> tolerant(() -> reported(task, message)));
    ofWorkers.clear();
    ofTasks.clear();
    unlocks.clear();
    fresh = null;
    old = NONE;
    tolerant(this::readEventFiles);
  }

  private void reported(String task, Fields message) {
    String worker = message.text("source", "");
    String type = message.text("type", "");
    Fields payload = withEvent(task, type, message.object("payload"));
    handOver(task, worker);
    task(task, worker, type, payload);
  }

  /**
   * Ends another worker's claim of a task. It has failed, and the task was given to this worker
   * before anyone looked; or it was given away without a word.
   */
  private void handOver(String id, String worker) {
    Task task = known(id);
    String owner = task == null || !task.state().hasOwner() ? null : task.owner();
    if (owner != null && !owner.equals(worker) && bus.isElsewhere(owner)) {
      ask(bus.standIn(owner), TaskTypes.RELEASE, Json.object().put("task", id));
    }
  }

  /** Applies what a worker's status says about its task. */
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
    boolean lags = // the status may lag behind the failure
        task != null && task.state() == TaskState.FAILED && worker.equals(task.owner());
    if (!lags) {
      tolerant(() -> task(status.task(), worker, type, Fields.of(payload.build())));
    }
  }

  /** Runs an update and reports its failure, so that one bad message does not stop the others. */
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
        // Blocked: the worker's own message says on what.
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
   * Adds the task or worker that a worker is blocked on, if the bus does not know it yet. A name
   * that begins with a digit is a task, as in Conductor.
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

  /** The target of a wait: the path if somebody holds it, else the worker or resource named. */
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

  /** Releases a lease whose holder is on the bus but gave the lock back through the files. */
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
   * Reads the event files that say a task is over. A file counts if it is newer than the ledger's
   * last change of the task. A file about a task that the ledger does not know counts if somebody
   * waits for that task.
   */
  private void readEventFiles() {
    for (String type : ENDS) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(events, type + "_*.event")) {
        for (Path file : files) {
          String id = taskOf(file, type);
          Task task = known(id);
          if (task == null) {
            if (Plan.isId(id) && bus.owner().look(ledger -> ledger.waits().isForTask(id))) {
              task(id, ConductorCodec.DIALECT, type, content(file, type));
            }
          } else if ((!task.state().isOver()
                  || (task.canBeRetried() && type.equals("TASK_COMPLETE")))
              && isNewerThan(task, file)) {
            signalled(task, type, content(file, type));
          }
        }
      } catch (NoSuchFileException e) {
        return; // no folder yet, so no event
      } catch (IOException e) {
        bus.remarks().accept(new FileRemark(events, 0, false, "can't be read: " + e.getMessage()));
      }
    }
  }

  /** A message about the end of a task, with what only the event file of that end says. */
  private Fields withEvent(String id, String type, Fields said) {
    Path file = events.resolve(type + "_" + id + ".event");
    if (!ENDS.contains(type) || !isNewerThan(known(id), file)) {
      return said;
    }
    Map<String, Json> all = new LinkedHashMap<>(content(file, type).values());
    said.values()
        .forEach((name, value) -> {
          boolean says = !value.equals(Json.NULL) && !"".equals(value.text());
          if (says || !all.containsKey(name)) {
            all.put(name, value);
          }
        });
    return new Fields(all);
  }

  /** Whether a file was written after the last change of a task. */
  private boolean isNewerThan(@Nullable Task task, Path file) {
    FileTime written = ForeignFile.stamp(file).modified();
    return written != null
        && (task == null || bus.owner().ofWall(written.toInstant()).isAfter(task.since()));
  }

  /** The content of an event file: a JSON object, or plain text. */
  private static Fields content(Path file, String type) {
    String text =
        new String(ForeignFile.read(file, 0, LONGEST_EVENT), StandardCharsets.UTF_8).strip();
    if (text.isEmpty() || text.startsWith("msg-")) {
      return Fields.of(null); // names the message that has the content
    }
    try {
      Json json = Json.parse(text);
      if (json.isObject()) {
        Fields fields = Fields.of(json);
        Fields payload = fields.object("payload");
        return payload.values().isEmpty() ? fields : payload;
      }
    } catch (JsonException e) {
      // Not JSON: plain text.
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

package dev.parley.dialects.conductor;

import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.wait.Target;
import dev.parley.core.AgentName;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.SyncPass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Announces changes of the bus's locks and tasks as Conductor messages in the mount's topic. From
 * there they reach the queue and its event files.
 *
 * <pre>
 * in the ledger                           posted
 * --------------------------------------  ------------------------------------------
 * a lease begins or ends                  FILE_LOCK, FILE_UNLOCK
 * a task with dependencies becomes READY  DEP_READY
 * CLAIMED, with progress                  PROGRESS
 * BLOCKED                                 BLOCKED, on the worker that holds it up
 * an agent of ours is in a deadlock       BLOCKED, on the next worker in it
 * DONE, FAILED                            TASK_COMPLETE, TASK_FAILED
 * </pre>
 *
 * The files' own workers announce their locks and tasks themselves.
 */
final class LedgerAnnouncer {
  private static final String LEASE = "lease:";
  private static final String TASK = "task:";
  private static final String CIRCLE = "circle:";
  private static final String UNLOCK = "FILE_UNLOCK_";

  /** Keys are {@code ledger:<subject>/<what was announced>}. */
  private static final String KEY = "ledger:";

  private static final String OVER = "over";

  private final BusAccess bus;

  LedgerAnnouncer(BusAccess bus) {
    this.bus = bus;
  }

  /** An announcement that {@link #say} may have to make. */
  private record News(String about, @Nullable String what, Message.@Nullable Builder message) {}

  void exchange(SyncPass pass) {
    List<News> news = new ArrayList<>();
    bus.owner()
        .look(ledger -> {
          leases(ledger, pass, news);
          ledger.tasks().all().forEach(task -> task(ledger, task, news));
          circles(ledger, pass, news);
          return news;
        });
    for (News each : news) {
      if (!Objects.equals(pass.told(each.about), each.what)) {
        say(pass, each.about, each.what, each.message);
      }
    }
  }

  /**
   * Announces something once. The note is written after the message. A process killed in between
   * has still stored the message's key, and the next pass finds it.
   *
   * @param about the subject
   * @param what the announcement; null if the subject is over
   * @param message how it is said; null if it is only noted
   */
  void say(SyncPass pass, String about, @Nullable String what, Message.@Nullable Builder message) {
    String key = KEY + about + "/" + (what == null ? OVER : what);
    if (message != null && !pass.isSaid(key)) {
      var _ = bus.log().append(bus.topic(), List.of(message.key(key).automatic(true).build()));
    }
    pass.tell(about, what);
  }

  private void leases(Ledger ledger, SyncPass pass, List<News> news) {
    Set<String> held = new HashSet<>();
    for (Lease lease : ledger.leases().all()) {
      if (ledger.roster().isElsewhere(lease.holder())) {
        continue;
      }
      for (PathPattern pattern : lease.paths()) {
        String path = pattern.path() == null ? pattern.toString() : pattern.path();
        String about = lease.token() + " " + path;
        held.add(about);
        Json.ObjectBuilder payload =
            Json.object()
                .put("filepath", path)
                .put("lock_type", lease.terms().shared() ? "shared" : "exclusive")
                .put("expires_at", Timestamps.format(bus.owner().shown(lease.until())));
        news.add(new News(LEASE + about, lease.holder(), of(lease.holder(), "FILE_LOCK", payload)));
      }
    }
    told(pass)
        .forEach((about, holder) -> {
          if (!held.contains(about)) {
            String path = about.substring(about.indexOf(' ') + 1);
            Json.ObjectBuilder payload = Json.object().put("filepath", path);
            news.add(new News(LEASE + about, null, of(holder, "FILE_UNLOCK", payload)));
          }
        });
  }

  /**
   * The announced lease holders. This includes announcements that a killed pass did not note;
   * without them nobody would announce the end of those leases.
   */
  private static Map<String, String> told(SyncPass pass) {
    Map<String, String> told = pass.state().toldOf(LEASE);
    for (String key : pass.saidUnder(KEY + LEASE)) {
      int end = key.lastIndexOf('/');
      String holder = key.substring(end + 1);
      if (!holder.equals(OVER)) {
        String about = key.substring((KEY + LEASE).length(), end);
        told.put(about, holder);
        pass.tell(LEASE + about, holder);
      }
    }
    return told;
  }

  private static void task(Ledger ledger, Task task, List<News> news) {
    String owner = task.owner();
    boolean theirs = owner != null && ledger.roster().isElsewhere(owner);
    Message.Builder message = theirs ? null : message(ledger, task);
    String note = task.state().isOver() || task.note() == null ? "" : task.note();
    String what =
        task.state().word()
            + " "
            + task.claim().token()
            + " "
            + task.claim().progress()
            + " "
            + note;
    news.add(new News(TASK + task.id(), what, message));
  }

  private static Message.@Nullable Builder message(Ledger ledger, Task task) {
    String by = task.owner() != null ? task.owner() : task.addedBy();
    Json.ObjectBuilder payload = Json.object().put("task_id", task.id());
    String note = task.note() == null ? "" : task.note();
    return switch (task.state()) {
      case READY -> task.plan().after().isEmpty() ? null : of(by, "DEP_READY", payload);
      case CLAIMED ->
          of(
              by,
              "PROGRESS",
              payload
                  .put("progress_pct", Math.max(0, task.claim().progress()))
                  .put("current_subtask", note));
      case BLOCKED ->
          of(
              by,
              "BLOCKED",
              payload
                  .put("waiting_for", blocker(ledger, task))
                  .put("resource", resource(task))
                  .put("note", note));
      case DONE ->
          of(
              by,
              "TASK_COMPLETE",
              payload
                  .put("commit_sha", task.result().commit())
                  .put("files_modified", Json.ofStrings(task.result().files()))
                  .put("unblocks", Json.ofStrings(unblocks(ledger, task))));
      case FAILED -> of(by, "TASK_FAILED", payload.put("error", note).put("stack_trace", ""));
      default -> null;
    };
  }

  /**
   * The name of the worker that blocks a task; if none is known, what the task says it is blocked
   * on.
   */
  private static @Nullable String blocker(Ledger ledger, Task task) {
    for (String node : ledger.graph().blockers(task)) {
      String worker = worker(ledger, node);
      if (worker != null) {
        return worker;
      }
    }
    Claim.Block block = task.claim().block();
    return block != null && block.target().kind() == Target.Kind.PATH
        ? UNLOCK + block.target().name()
        : task.claim().blockedOn();
  }

  /** The worker behind a node of the wait graph; null if there is none. */
  private static @Nullable String worker(Ledger ledger, String node) {
    if (AgentName.isValid(node)) {
      return node;
    }
    Task task = node.startsWith(TASK) ? ledger.tasks().task(node.substring(TASK.length())) : null;
    return task != null && task.state().hasOwner() ? task.owner() : null;
  }

  private static String resource(Task task) {
    Claim.Block block = task.claim().block();
    return block == null
        ? ""
        : block.target().kind() == Target.Kind.PATH ? UNLOCK + block.target().name() : block.on();
  }

  /**
   * Conductor's monitor finds cycles from BLOCKED messages alone and never forgets one. So a wait
   * of our agents that belongs to no task is announced only if it closes a cycle.
   */
  private static void circles(Ledger ledger, SyncPass pass, List<News> news) {
    Map<String, String> next = new LinkedHashMap<>();
    for (WaitGraph.Cycle cycle : ledger.graph().cycles()) {
      List<String> workers =
          cycle.members().stream()
              .filter(AgentName::isValid)
              .toList(); // the last member repeats the first
      for (int i = 0; i + 1 < workers.size(); i++) {
        if (!ledger.roster().isElsewhere(workers.get(i))) {
          next.put(workers.get(i), workers.get(i + 1));
        }
      }
    }
    next.forEach((worker, blocker) -> {
      Json.ObjectBuilder payload =
          Json.object().put("task_id", "").put("waiting_for", blocker).put("resource", blocker);
      news.add(new News(CIRCLE + worker, blocker, of(worker, "BLOCKED", payload)));
    });
    for (String worker : pass.state().toldOf(CIRCLE).keySet()) {
      if (!next.containsKey(worker)) {
        news.add(new News(CIRCLE + worker, null, null));
      }
    }
  }

  private static List<String> unblocks(Ledger ledger, Task done) {
    return ledger.tasks().all().stream()
        .filter(task -> task.state() == TaskState.READY)
        .filter(task -> task.plan().after().contains(done.id()))
        .map(Task::id)
        .toList();
  }

  private static Message.Builder of(String by, String type, Json.ObjectBuilder payload) {
    return Message.builder(by, type).payload(payload.build());
  }
}

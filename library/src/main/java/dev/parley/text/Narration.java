package dev.parley.text;

import dev.parley.coordination.ReservedTopic;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.ReachedPhase;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.bulletin.BulletinTypes;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.BrokenLease;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.QueuedRequest;
import dev.parley.coordination.lease.Released;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.task.ClaimedTask;
import dev.parley.coordination.task.DoneTask;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells in words what happens on a bus: what was decided, not what was asked for. It depends on
 * nothing but the envelopes, so the same log always gives the same story. Envelopes that change
 * nothing for agents (ticks, receipts, notes of sent mail) are left out.
 *
 * <p>Text comes from agents and may hold anything: the surface that shows it must escape it.
 */
public final class Narration {
  private static final int COMMIT_DIGITS = 10;
  private static final int MOST_KEYS = 4096;

  private final Function<Instant, String> times;
  private final Ledger ledger = new Ledger();
  private final Map<String, TaskState> states = new HashMap<>();

  private final Map<String, Claimed> claims = new HashMap<>();

  /** Keys of mail that was told; the same message again counts for nothing in its mailbox. */
  private final Map<String, Boolean> keys =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_KEYS;
        }
      };

  /** The owner of each task as last told. */
  private final Map<String, String> owners = new HashMap<>();

  private Position last = Position.START;

  /**
   * @param times how a time is written
   */
  public Narration(Function<Instant, String> times) {
    this.times = times;
  }

  /** The tasks after the last envelope. */
  public List<Task> tasks() {
    return ledger.tasks().all();
  }

  /** The sessions of boards after the last envelope. */
  public List<BoardSession> boards() {
    return List.copyOf(ledger.boards().all());
  }

  /**
   * The events of an envelope; often none. The envelopes of a topic must come in their order, and
   * those of the ledger from its beginning.
   */
  public List<Event> tell(Envelope envelope) {
    List<Event> events = new ArrayList<>();
    if (!envelope.topic().equals(Ledger.TOPIC)) {
      String text = message(envelope);
      if (text != null) {
        events.add(event(envelope, envelope.sender(), text, false, envelope.task()));
      }
      return events;
    }
    ledger.apply(envelope, last);
    last = envelope.position();
    tellOfLostTasks(envelope, events);
    Outcome outcome = ledger.outcome();
    boolean refused = outcome instanceof Outcome.Refused;
    Fields payload = Fields.of(envelope.payload());
    String text =
        outcome instanceof Outcome.Refused no
            ? refusal(envelope, payload, no)
            : decision(envelope, payload, outcome);
    if (text != null) {
      String task = task(payload, outcome);
      boolean bad = refused || envelope.type().equals(TaskTypes.FAIL);
      events.add(event(envelope, envelope.sender(), text, bad, task.isEmpty() ? null : task));
      Task told = ledger.tasks().task(task);
      if (told != null && told.owner() != null) {
        owners.put(task, told.owner());
      }
    }
    return events;
  }

  /** The last claim of a task. */
  private record Claimed(@Nullable String owner, long token) {}

  private static Event event(
      Envelope envelope, String agent, String text, boolean bad, @Nullable String task) {
    return new Event(
        agent,
        text,
        bad,
        envelope.type(),
        task,
        envelope.time(),
        envelope.position().in(envelope.topic()));
  }

  /** Adds the tasks whose owners lost them with this envelope. */
  private void tellOfLostTasks(Envelope envelope, List<Event> events) {
    for (Task task : ledger.tasks().all()) {
      TaskState before = states.put(task.id(), task.state());
      Claimed last = claims.put(task.id(), new Claimed(task.owner(), task.claim().token()));
      if (before != null && before.hasOwner() && task.state().hasOwner() && last != null) {
        if (last.token != task.claim().token()) { // lost and claimed again with one envelope
          String text = "loses " + task.id() + ": silent for too long";
          events.add(
              event(envelope, Objects.requireNonNullElse(last.owner, ""), text, true, task.id()));
        }
        continue;
      }
      boolean failed = task.state() == TaskState.FAILED;
      boolean lost =
          before != null && before.hasOwner() && (failed || task.state() == TaskState.READY);
      if (lost && !envelope.type().equals(failed ? TaskTypes.FAIL : TaskTypes.RELEASE)) {
        String owner = Objects.requireNonNullElse(task.owner(), "");
        String text = "loses " + task.id() + ": " + task.note() + (failed ? "; it has failed" : "");
        events.add(event(envelope, owner, text, true, task.id()));
      }
    }
  }

  private @Nullable String refusal(Envelope envelope, Fields payload, Outcome.Refused refused) {
    Fields details = Fields.of(refused.details());
    if (refused.code().equals("would-deadlock")) {
      return "is refused "
          + paths(payload)
          + ": "
          + String.join(" → ", details.texts("cycle"))
          + " would wait for each other";
    }
    return switch (envelope.type()) {
      // Agents repeat these requests, and a refusal changes nothing.
      case LeaseTypes.ACCEPT,
          LeaseTypes.RENEW,
          LeaseTypes.RELEASE,
          LeaseTypes.CANCEL,
          WaitTypes.END,
          TaskTypes.NEXT ->
          null;
      default -> {
        String about = payload.text("task", payload.text("board", paths(payload)));
        yield "is refused "
            + (about.isEmpty() ? envelope.type() : about)
            + ": "
            + Messages.of(refused.code(), details, times);
      }
    };
  }

  /** The task that a line names, or that its agent was given. */
  private static String task(Fields payload, Outcome outcome) {
    String other =
        switch (outcome) {
          case ClaimedTask claimed -> claimed.task();
          case Released released when released.kept() != null -> released.kept().task();
          default -> "";
        };
    return payload.text("task", other);
  }

  private @Nullable String decision(Envelope envelope, Fields payload, Outcome outcome) {
    String task = task(payload, outcome);
    return switch (envelope.type()) {
      case LedgerTypes.JOIN ->
          payload.flag("takeOver") ? "takes the name over; its last session has ended" : "joins";
      case LedgerTypes.LEAVE -> "leaves" + colon(payload.text("reason", ""));
      case LedgerTypes.HEARTBEAT -> heartbeat(payload);
      case LedgerTypes.EXPECT -> "expects " + String.join(", ", payload.texts("names"));
      case LedgerTypes.UNDO -> "takes back a line of the ledger";
      case TaskTypes.ADD -> "adds " + task + " " + payload.text("title", "") + after(payload);
      case TaskTypes.CLAIM, TaskTypes.NEXT -> "claims " + task + again(task);
      case TaskTypes.PROGRESS -> progress(task, payload);
      case TaskTypes.BLOCK -> "is blocked in " + task + " on " + payload.text("on", "");
      case TaskTypes.CANCEL -> "drops " + task + ": " + payload.text("reason", "");
      case TaskTypes.DONE -> "finishes " + task + commit(payload) + ready(outcome);
      case TaskTypes.FAIL -> "fails " + task + colon(payload.text("error", ""));
      case TaskTypes.RELEASE -> "releases " + task;
      case TaskTypes.RETRY -> "allows another attempt at " + task;
      case LeaseTypes.REQUEST ->
          outcome instanceof QueuedRequest queued
              ? "waits in line for "
                  + paths(payload)
                  + ", after "
                  + String.join(", ", queued.behind())
              : "locks " + paths(payload);
      case LeaseTypes.ACCEPT ->
          "has its turn: locks "
              + (outcome instanceof Grant grant ? String.join(", ", grant.paths()) : "");
      case LeaseTypes.RELEASE ->
          "unlocks " + (outcome instanceof Released released ? paths(released.paths()) : "");
      case LeaseTypes.BREAK ->
          outcome instanceof BrokenLease broken
              ? "breaks "
                  + broken.holder()
                  + "'s lock on "
                  + paths(broken.paths())
                  + colon(payload.text("reason", ""))
              : null;
      case WaitTypes.BEGIN -> "waits for " + payload.text("about", payload.text("for", ""));
      case BoardTypes.OPEN ->
          "opens "
              + (outcome instanceof ReachedPhase standing ? standing.board() : "a board")
              + " "
              + payload.text("checkpoint", "");
      case BoardTypes.ASSESS -> "assesses: " + payload.text("verdict", "");
      case BoardTypes.DISCUSS ->
          payload.text("kind", "")
              + " to "
              + payload.text("to", "")
              + ": "
              + payload.text("body", "");
      case BoardTypes.VOTE ->
          "votes " + payload.text("verdict", "") + colon(payload.text("reason", ""));
      case BoardTypes.RESOLVE ->
          "closes "
              + payload.text("board", "the board")
              + ": "
              + verdict(payload.text("board", ""));
      default -> null;
    };
  }

  /**
   * The message of an agent: by mail, on a bulletin, or in a free topic; null for other envelopes.
   */
  private @Nullable String message(Envelope envelope) {
    Fields payload = Fields.of(envelope.payload());
    ReservedTopic books = ReservedTopic.of(envelope.topic());
    if (books == ReservedTopic.MAIL) {
      return isRepeat(envelope) ? null : letter(envelope, payload);
    }
    return switch (envelope.type()) {
      case BulletinTypes.DISCOVERY -> "discovers: " + payload.text("text", "");
      case BulletinTypes.WARNING -> "warns: " + payload.text("text", "");
      case BulletinTypes.INTENT -> "plans: " + payload.text("text", "");
      case BulletinTypes.CONTEXT -> "adds: " + payload.text("text", "");
      default ->
          books == null
              ? "says in " + envelope.topic() + " (" + envelope.type() + "): " + free(envelope)
              : null;
    };
  }

  /** Two who answer one message at the same time use one key, and the first answer counts. */
  private boolean isRepeat(Envelope envelope) {
    return envelope.key() != null
        && keys.put(envelope.topic() + " " + envelope.sender() + " " + envelope.key(), true)
            != null;
  }

  private static @Nullable String letter(Envelope envelope, Fields payload) {
    if (!MailTypes.isMessage(envelope.type()) || envelope.type().equals(MailTypes.BOARD_CALL)) {
      return null; // what electors say shows that a phase has begun
    }
    String to = envelope.to().isEmpty() ? "?" : String.join(", ", envelope.to());
    String subject = payload.text("subject", "");
    String body = payload.text("body", "");
    String text = subject.isEmpty() || body.isEmpty() ? subject + body : subject + " — " + body;
    return switch (envelope.type()) {
      case "question" -> "asks " + to + ": " + text;
      case "reply" -> "answers " + to + ": " + (body.isEmpty() ? subject : body);
      default -> "tells " + to + " (" + envelope.type() + "): " + text;
    };
  }

  private static String free(Envelope envelope) {
    Fields payload = Fields.of(envelope.payload());
    String text = payload.text("text", payload.text("body", ""));
    return text.isEmpty() ? envelope.payload().toString() : text;
  }

  private static @Nullable String heartbeat(Fields payload) {
    String status = payload.text("status", "");
    String note = payload.text("note", "");
    return status.isEmpty() && note.isEmpty() ? null : ("is " + status).strip() + colon(note);
  }

  private static @Nullable String progress(String task, Fields payload) {
    long percent = payload.number("progress", -1);
    String note = payload.text("note", "");
    return percent < 0 && note.isEmpty()
        ? null
        : percent < 0 ? task + ": " + note : task + " is at " + percent + " %" + colon(note);
  }

  private static String paths(Fields payload) {
    return String.join(", ", payload.texts("paths"));
  }

  private static String paths(List<PathPattern> paths) {
    return String.join(", ", paths.stream().map(PathPattern::toString).toList());
  }

  private static String colon(String text) {
    return text.isEmpty() ? "" : ": " + text;
  }

  private static String commit(Fields payload) {
    String commit = payload.text("commit", "");
    return commit.isEmpty()
        ? ""
        : ", commit " + commit.substring(0, Math.min(COMMIT_DIGITS, commit.length()));
  }

  private static String after(Fields payload) {
    List<String> after = payload.texts("after");
    return after.isEmpty() ? "" : " (after " + String.join(", ", after) + ")";
  }

  private String again(String id) {
    Task task = ledger.tasks().task(id);
    if (task == null || task.tried() <= 1) {
      return "";
    }
    String before = owners.get(task.id());
    return before == null || before.equals(task.owner())
        ? " again"
        : ", which " + before + " began";
  }

  private static String ready(Outcome outcome) {
    List<String> ready = outcome instanceof DoneTask done ? done.unblocks() : List.of();
    return ready.isEmpty() ? "" : "; ready now: " + String.join(", ", ready);
  }

  private String verdict(String board) {
    BoardSession meeting = ledger.boards().meeting(board);
    Resolution resolution = meeting == null ? null : meeting.resolution();
    if (resolution == null) {
      return "";
    }
    List<String> against = resolution.dissent().stream().map(Resolution.Dissent::director).toList();
    return resolution.verdict()
        + (against.isEmpty() ? "" : ", against " + String.join(", ", against));
  }
}

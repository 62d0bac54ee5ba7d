package dev.parley.cli.demo;

import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.Meeting;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.bulletin.BulletinTypes;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the envelopes of the demo tell, in words: a function of the bus and nothing else, so that
 * anybody can tell the story again from the bus that it left.
 */
final class Flow {
  /** The topic of what only the demo says. */
  static final String TOPIC = "demo";

  private final Ledger ledger = new Ledger();
  private final Map<String, TaskState> states = new HashMap<>();
  private Position last = Position.START;

  /**
   * One thing that happened.
   *
   * @param agent who did it
   * @param bad whether somebody was refused or ended
   * @param proof the envelope that says so, as topic@position
   */
  record Beat(String agent, String text, boolean bad, String proof) {}

  /** The ledger as far as it was told. */
  Ledger ledger() {
    return ledger;
  }

  /** What an envelope tells; often nothing. Those of one topic must come in their order. */
  List<Beat> tell(Envelope envelope) {
    List<Beat> beats = new ArrayList<>();
    if (envelope.topic().equals(Ledger.TOPIC)) {
      ledger.apply(envelope, last);
      last = envelope.position();
      freed(envelope, beats);
      String text = said(envelope, ledger.outcome());
      if (text != null) {
        add(beats, envelope, text, ledger.outcome() instanceof Outcome.Refused);
      }
      return beats;
    }
    Fields payload = Fields.of(envelope.payload());
    String text =
        switch (envelope.type()) {
          case "question" ->
              "asks " + String.join(", ", envelope.to()) + ": " + payload.text("subject", "");
          case "reply" ->
              "answers " + String.join(", ", envelope.to()) + ": " + payload.text("body", "");
          case BulletinTypes.DISCOVERY -> "discovers: " + payload.text("text", "");
          case DemoTypes.KILLED -> "kills " + payload.text("agent", "") + " (SIGKILL)";
          default -> null;
        };
    if (text != null && !envelope.topic().name().startsWith("sent.")) {
      add(beats, envelope, text, envelope.type().equals(DemoTypes.KILLED));
    }
    return beats;
  }

  private static void add(List<Beat> beats, Envelope envelope, String text, boolean bad) {
    beats.add(new Beat(envelope.sender(), text, bad, envelope.position().in(envelope.topic())));
  }

  /** Tasks that lost their owner by the time this envelope brought. */
  private void freed(Envelope envelope, List<Beat> beats) {
    for (Task task : ledger.tasks().all()) {
      TaskState before = states.put(task.id(), task.state());
      boolean freed = before != null && before.hasOwner() && task.state() == TaskState.READY;
      if (freed && !envelope.type().equals(TaskTypes.RELEASE)) {
        beats.add(
            new Beat(
                Objects.requireNonNullElse(task.owner(), ""),
                "loses " + task.id() + ": " + task.note(),
                true,
                envelope.position().in(envelope.topic())));
      }
    }
  }

  private @Nullable String said(Envelope envelope, Outcome outcome) {
    Fields payload = Fields.of(envelope.payload());
    if (outcome instanceof Outcome.Refused refused) {
      return refused.code().equals("would-deadlock")
          ? "is refused " + paths(payload) + ": " + cycle(refused)
          : null;
    }
    Fields what = Fields.of(((Outcome.Accepted) outcome).what());
    String task = payload.text("task", what.text("task", ""));
    return switch (envelope.type()) {
      case LedgerTypes.JOIN -> "joins";
      case LedgerTypes.LEAVE -> "leaves";
      case TaskTypes.ADD -> "adds " + task + " " + payload.text("title", "") + after(payload);
      case TaskTypes.CLAIM, TaskTypes.NEXT -> "claims " + what.text("task", "") + again(what);
      case TaskTypes.PROGRESS -> task + " is at " + payload.number("progress", 0) + " %";
      case TaskTypes.CANCEL -> "drops " + task + ": " + payload.text("reason", "");
      case TaskTypes.DONE ->
          "finishes " + task + ", commit " + payload.text("commit", "") + ready(what);
      case LeaseTypes.REQUEST ->
          what.json("token") == null
              ? "waits in line for "
                  + paths(payload)
                  + ", after "
                  + String.join(", ", what.texts("for"))
              : "locks " + paths(payload);
      case LeaseTypes.ACCEPT -> "has its turn: locks " + String.join(", ", what.texts("paths"));
      case LeaseTypes.RELEASE -> "unlocks " + String.join(", ", what.texts("paths"));
      case WaitTypes.BEGIN -> "waits for " + payload.text("about", payload.text("for", ""));
      case BoardTypes.OPEN ->
          "opens " + what.text("board", "a board") + " " + payload.text("checkpoint", "");
      case BoardTypes.ASSESS -> "assesses: " + payload.text("verdict", "");
      case BoardTypes.DISCUSS ->
          payload.text("kind", "")
              + " to "
              + payload.text("to", "")
              + ": "
              + payload.text("body", "");
      case BoardTypes.VOTE -> "votes " + payload.text("verdict", "") + reason(payload);
      case BoardTypes.RESOLVE -> "closes the board: " + verdict(payload.text("board", ""));
      default -> null;
    };
  }

  private static String paths(Fields payload) {
    return String.join(", ", payload.texts("paths"));
  }

  private static String cycle(Outcome.Refused refused) {
    return String.join(" → ", Fields.of(refused.details()).texts("cycle"))
        + " would wait for each other";
  }

  private static String after(Fields payload) {
    List<String> after = payload.texts("after");
    return after.isEmpty() ? "" : " (after " + String.join(", ", after) + ")";
  }

  private String again(Fields what) {
    Task task = ledger.tasks().task(what.text("task", ""));
    return task != null && task.tried() > 1 ? ", which somebody else began" : "";
  }

  private static String ready(Fields what) {
    List<String> ready = what.texts("unblocks");
    return ready.isEmpty() ? "" : "; ready now: " + String.join(", ", ready);
  }

  private static String reason(Fields payload) {
    String reason = payload.text("reason", "");
    return reason.isEmpty() ? "" : ": " + reason;
  }

  private String verdict(String board) {
    Meeting meeting = ledger.boards().meeting(board);
    Resolution resolution = meeting == null ? null : meeting.resolution();
    return resolution == null
        ? ""
        : resolution.verdict()
            + ", against "
            + String.join(
                ", ", resolution.dissent().stream().map(Resolution.Dissent::director).toList());
  }
}

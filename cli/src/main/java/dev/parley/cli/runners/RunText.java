package dev.parley.cli.runners;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.orchestration.ask.RunTypes;
import dev.parley.orchestration.loop.Loop;
import dev.parley.orchestration.loop.LoopTypes;
import dev.parley.orchestration.wave.TaskStatus;
import dev.parley.orchestration.wave.WaveTypes;
import dev.parley.text.Event;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the events of loops and waves in words; a task appears as the actor. */
public final class RunText {
  private static final int SHORT = 8;

  private final Map<String, String> asks = new HashMap<>();

  /**
   * The event of an envelope; null if there is none. The envelopes of one topic must come in order.
   */
  public @Nullable Event tell(Envelope envelope) {
    Fields fields = Fields.of(envelope.payload());
    return switch (envelope.type()) {
      case WaveTypes.TASK -> state(envelope, fields);
      case WaveTypes.REMARK -> event(envelope, envelope.sender(), fields.text("text", ""), true);
      case LoopTypes.GATE -> gate(envelope, fields);
      case LoopTypes.END -> end(envelope, fields);
      case RunTypes.ASK -> asked(envelope, fields);
      case RunTypes.ANSWER -> answered(envelope, fields);
      default -> null;
    };
  }

  private static Event event(Envelope envelope, String task, String text, boolean bad) {
    return new Event(
        task,
        text,
        bad,
        envelope.type(),
        task,
        envelope.time(),
        envelope.position().in(envelope.topic()));
  }

  private static @Nullable Event state(Envelope envelope, Fields fields) {
    String task = "task-" + fields.number("task", 0);
    String why = fields.text("why", "");
    TaskStatus.State state = fields.choice("state", TaskStatus.State.values());
    if (state == null) {
      return null;
    }
    return switch (state) {
      case PENDING -> event(envelope, task, "is run again: " + why, true);
      case RUNNING ->
          event(
              envelope,
              task,
              "runs in wave " + (fields.number("wave", 0) + 1) + ", in " + fields.text("tree", ""),
              false);
      case WORKED -> event(envelope, task, "has passed its gates", false);
      case MERGED -> event(envelope, task, "is merged as " + cut(fields), false);
      case FAILED -> event(envelope, task, "failed: " + why, true);
      case SKIPPED -> event(envelope, task, "is skipped: " + why, true);
    };
  }

  private static String cut(Fields fields) {
    String commit = fields.text("commit", "");
    return commit.substring(0, Math.min(SHORT, commit.length()));
  }

  private static @Nullable Event gate(Envelope envelope, Fields fields) {
    Fields evidence = fields.object("evidence");
    boolean passed = evidence.flag("passed");
    String gate = evidence.text("gate", "");
    if (passed && gate.equals(Loop.IMPLEMENT)) {
      return null; // its answer was shown
    }
    String why = evidence.text("why", "");
    String reason = why.isEmpty() ? "exit code " + evidence.number("exit", 0) : why;
    String when =
        fields.flag("merge") ? "after the merge" : "in iteration " + fields.number("iteration", 0);
    return event(
        envelope,
        fields.text("task", ""),
        "gate " + gate + (passed ? " passed " : " failed ") + when + (passed ? "" : ": " + reason),
        !passed);
  }

  private static @Nullable Event end(Envelope envelope, Fields fields) {
    Fields result = fields.object("result");
    String outcome = result.text("outcome", "");
    boolean done = outcome.equals("done");
    String why = result.text("why", "");
    return done
        ? event(envelope, fields.text("task", ""), "is done", false)
        : event(envelope, fields.text("task", ""), "ends " + outcome + ": " + why, true);
  }

  private @Nullable Event asked(Envelope envelope, Fields fields) {
    String task = fields.text("task", "");
    if (task.isEmpty()) {
      return null;
    }
    asks.put(envelope.topic() + " " + fields.text("key", ""), task);
    return event(
        envelope,
        task,
        "asks " + fields.text("agent", "") + ": " + fields.text("stage", ""),
        false);
  }

  private @Nullable Event answered(Envelope envelope, Fields fields) {
    String task = asks.remove(envelope.topic() + " " + fields.text("key", ""));
    if (task == null) {
      return null;
    }
    long tokens =
        Math.max(0, fields.number("inputTokens", -1))
            + Math.max(0, fields.number("outputTokens", -1));
    String error = fields.text("error", "");
    String text =
        fields.text("agent", "")
            + " has "
            + fields.text("status", "")
            + " after "
            + String.format(Locale.ROOT, "%.1f s", fields.number("millis", 0) / 1000.0)
            + (tokens > 0 ? String.format(Locale.ROOT, ", %,d tokens", tokens) : "")
            + (error.isEmpty() ? "" : ": " + error);
    return event(envelope, task, text, !fields.text("status", "").equals("answered"));
  }
}

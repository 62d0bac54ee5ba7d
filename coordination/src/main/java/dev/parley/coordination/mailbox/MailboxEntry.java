package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message in a mailbox, without its content, and its delivery steps so far.
 *
 * <p>The content stays in the log: {@link #after} and {@link #position} find it there.
 */
public final class MailboxEntry {
  private final Position after;
  private final Position position;
  private final String id;
  private final String from;
  private final String type;
  private final Priority priority;
  private final @Nullable String thread;
  private final @Nullable String replyTo;
  private final boolean needsReply;
  private final @Nullable Instant deadline;
  private final boolean automatic;
  private final @Nullable BootTime clock;

  /** The time to the deadline when the message was stored. */
  private final @Nullable Duration left;

  private final List<DeliveryStep> trail;

  MailboxEntry(Envelope envelope, Position after) {
    this.after = after;
    this.position = envelope.position();
    // A foreign line may have no id: its position names it then.
    this.id = envelope.id().isEmpty() ? envelope.position().in(envelope.topic()) : envelope.id();
    this.from = envelope.sender();
    this.type = envelope.type();
    this.priority = Priority.of(envelope.priority());
    this.thread = envelope.thread();
    this.replyTo = envelope.replyTo();
    this.needsReply = envelope.needsReply();
    this.deadline = StoredTimes.kept(envelope.deadline());
    this.automatic = envelope.automatic();
    this.clock = envelope.isNative() ? envelope.clock() : null;
    this.left = clock == null ? null : left(envelope, deadline);
    this.trail = new ArrayList<>(2);
  }

  private static @Nullable Duration left(Envelope envelope, @Nullable Instant deadline) {
    Instant stamp = StoredTimes.kept(envelope.time());
    return deadline == null || stamp == null || deadline.isBefore(stamp)
        ? null
        : Duration.ofMillis(Duration.between(stamp, deadline).toMillis());
  }

  private MailboxEntry(Fields saved) {
    this.after = new Position(saved.number("after", -1));
    this.position = new Position(saved.number("position", -1));
    this.id = saved.text("id", "");
    this.from = saved.text("from", "");
    this.type = saved.text("type", "");
    this.priority = Priority.of(saved.text("priority"));
    this.thread = saved.text("thread");
    this.replyTo = saved.text("replyTo");
    this.needsReply = saved.flag("needsReply");
    this.deadline = saved.time("deadline");
    this.automatic = saved.flag("automatic");
    this.clock = BootTime.parse(saved.text("clock"));
    this.left =
        saved.json("left") == null ? null : Duration.ofMillis(saved.number("left", Long.MAX_VALUE));
    this.trail = new ArrayList<>();
    for (Json step : saved.items("trail")) {
      trail.add(DeliveryStep.load(Fields.of(step)));
    }
  }

  private MailboxEntry(MailboxEntry other) {
    this.after = other.after;
    this.position = other.position;
    this.id = other.id;
    this.from = other.from;
    this.type = other.type;
    this.priority = other.priority;
    this.thread = other.thread;
    this.replyTo = other.replyTo;
    this.needsReply = other.needsReply;
    this.deadline = other.deadline;
    this.automatic = other.automatic;
    this.clock = other.clock;
    this.left = other.left;
    this.trail = List.copyOf(other.trail);
  }

  /** A copy that later steps do not change. */
  public MailboxEntry asItIs() {
    return new MailboxEntry(this);
  }

  static MailboxEntry load(Json saved) {
    return new MailboxEntry(Fields.of(saved));
  }

  Json save() {
    Json.ObjectBuilder json =
        Json.object()
            .put("after", after.value())
            .put("position", position.value())
            .put("id", id)
            .put("from", from)
            .put("type", type);
    if (priority != Priority.NORMAL) {
      json.put("priority", priority.word());
    }
    if (thread != null) {
      json.put("thread", thread);
    }
    if (replyTo != null) {
      json.put("replyTo", replyTo);
    }
    if (needsReply) {
      json.put("needsReply", true);
    }
    if (deadline != null) {
      json.put("deadline", Timestamps.format(deadline));
    }
    if (automatic) {
      json.put("automatic", true);
    }
    if (clock != null) {
      json.put("clock", clock.toString());
    }
    if (left != null) {
      json.put("left", left.toMillis());
    }
    return json.put("trail", Json.of(trail.stream().map(DeliveryStep::toJson).toList())).build();
  }

  /** Adds a step from the mailbox's topic. Those come before all steps from the receipts. */
  void arrive(DeliveryStep step) {
    trail.add(has(DeliveryState.HELD) ? 1 : 0, step);
  }

  /** Adds a step from the receipts. */
  void step(DeliveryStep step) {
    trail.add(step);
  }

  /** Removes the steps that these lines prove; false if there was none. */
  boolean takeBack(Set<String> proofs) {
    return trail.removeIf(step -> proofs.contains(step.proof()));
  }

  /** The position of the line before it. */
  public Position after() {
    return after;
  }

  public Position position() {
    return position;
  }

  /** The id of the message; {@code topic@position} if it has none. */
  public String id() {
    return id;
  }

  public String from() {
    return from;
  }

  public String type() {
    return type;
  }

  public Priority priority() {
    return priority;
  }

  /** The conversation of the message; a message that names none begins its own. */
  public String thread() {
    return thread != null ? thread : replyTo != null ? replyTo : id;
  }

  public @Nullable String replyTo() {
    return replyTo;
  }

  public boolean needsReply() {
    return needsReply;
  }

  public @Nullable Instant deadline() {
    return deadline;
  }

  public boolean automatic() {
    return automatic;
  }

  /** The boot clock when the message was stored; null if not known. */
  @Nullable BootTime clock() {
    return clock;
  }

  /** The time to the deadline at that moment; null if there is no deadline, or it is not known. */
  @Nullable Duration left() {
    return left;
  }

  /** The delivery steps so far, the first one first. */
  public List<DeliveryStep> trail() {
    return Collections.unmodifiableList(trail);
  }

  /** The step that brought the message to a state; null if it never came there. */
  public @Nullable DeliveryStep at(DeliveryState state) {
    for (DeliveryStep step : trail) {
      if (step.state() == state) {
        return step;
      }
    }
    return null;
  }

  public boolean has(DeliveryState state) {
    return at(state) != null;
  }

  public boolean hasEnded() {
    return has(DeliveryState.DONE) || has(DeliveryState.DEAD);
  }

  /** Whether the damper still holds the message. */
  public boolean isHeld() {
    return !has(DeliveryState.STORED) && !hasEnded();
  }

  /** The furthest state that the message has come to. */
  public DeliveryState state() {
    DeliveryState state = DeliveryState.HELD;
    if (isHeld()) {
      return state;
    }
    for (DeliveryStep step : trail) {
      state = step.state().compareTo(state) > 0 ? step.state() : state;
    }
    return state;
  }
}

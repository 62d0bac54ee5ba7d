package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.core.AgentName;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A message before it is sent. Immutable: each call returns another draft. */
public final class Draft {
  /** The recipient that stands for everyone on the roster except the sender. */
  public static final String ALL = "all";

  /** The field that all copies of a broadcast have: {@code {"id": …}}, with the same id. */
  public static final String BROADCAST = "broadcast";

  /** The type of a message that does not name one. */
  public static final String DEFAULT_TYPE = "message";

  // Changed only before anyone else sees the draft: see but().
  private List<String> to = List.of();
  private String type = DEFAULT_TYPE;
  private MailContent content = MailContent.EMPTY;
  private Priority priority = Priority.NORMAL;
  private @Nullable String thread;
  private @Nullable String replyTo;
  private boolean needsReply;
  private @Nullable Instant deadline;
  private @Nullable String key;
  private boolean automatic;
  private @Nullable String run;
  private @Nullable String task;
  private @Nullable String broadcast;

  private Draft() {}

  /** A copy of this draft with one change. */
  private Draft but(Consumer<Draft> change) {
    Draft other = new Draft();
    other.to = to;
    other.type = type;
    other.content = content;
    other.priority = priority;
    other.thread = thread;
    other.replyTo = replyTo;
    other.needsReply = needsReply;
    other.deadline = deadline;
    other.key = key;
    other.automatic = automatic;
    other.run = run;
    other.task = task;
    other.broadcast = broadcast;
    change.accept(other);
    return other;
  }

  public static Draft to(String... agents) {
    return new Draft().sentTo(agents);
  }

  /** An answer; its recipient is the sender of the message it answers. */
  public static Draft answer(String body) {
    return new Draft().type("reply").says("", body);
  }

  /** A task for another agent. */
  public static Draft task(String to, String subject, String body) {
    return to(to).type("task").says(subject, body);
  }

  /** The result of a task. */
  public static Draft result(String to, String subject, String body, String thread) {
    return to(to).type("result").says(subject, body).thread(thread);
  }

  /** The sender's status, for everyone: starting, in_progress, complete, error, blocked. */
  public static Draft status(String status, String summary) {
    return to(ALL)
        .type("status")
        .says("Status: " + status, summary)
        .metadata(Json.object().put("status", status).build());
  }

  /** A question, which needs an answer. */
  public static Draft question(String to, String question, String context) {
    return to(to).type("question").says(question, context).needsReply(null);
  }

  /** A reviewer's verdict: approved, needs_revision, rejected. */
  public static Draft feedback(String to, String subject, String feedback, String verdict) {
    return to(to)
        .type("feedback")
        .says(subject, feedback)
        .metadata(Json.object().put("verdict", verdict).build());
  }

  Draft sentTo(String... agents) {
    return but(it -> it.to = List.of(agents));
  }

  /**
   * Sets the type.
   *
   * @throws ParleyException INVALID if it is one of Parley's own types
   */
  public Draft type(String value) {
    if (!MailTypes.isMessage(value)) {
      throw ParleyException.invalid(
          "reserved-type", Json.object().put("reserved", MailTypes.reserved()));
    }
    return but(it -> it.type = value);
  }

  Draft content(MailContent value) {
    return but(it -> it.content = value);
  }

  public Draft says(String subject, String body) {
    return content(content.says(subject, body));
  }

  public Draft metadata(@Nullable Json value) {
    return content(content.metadata(value));
  }

  public Draft artifacts(List<String> values) {
    return content(content.artifacts(values));
  }

  public Draft escalateTo(@Nullable String agent) {
    return content(content.escalateTo(agent == null ? null : new AgentName(agent).name()));
  }

  public Draft priority(Priority value) {
    return but(it -> it.priority = value);
  }

  public Draft thread(@Nullable String value) {
    return but(it -> it.thread = value);
  }

  public Draft replyTo(@Nullable String id) {
    return but(it -> it.replyTo = id);
  }

  /** Asks for an answer, by a certain time if one is given. */
  public Draft needsReply(@Nullable Instant by) {
    return but(it -> {
      it.needsReply = true;
      it.deadline = by;
    });
  }

  public Draft key(@Nullable String value) {
    return but(it -> it.key = value);
  }

  /** Marks the message as written by a program, without a decision of an agent. */
  public Draft automatic(boolean value) {
    return but(it -> it.automatic = value);
  }

  /** Names the run and the task that the message belongs to. */
  public Draft of(@Nullable String ofRun, @Nullable String ofTask) {
    return but(it -> {
      it.run = ofRun;
      it.task = ofTask;
    });
  }

  List<String> recipients() {
    return to;
  }

  String type() {
    return type;
  }

  MailContent content() {
    return content;
  }

  @Nullable String key() {
    return key;
  }

  /** The same draft as a broadcast: its copies share a thread and an id. */
  Draft broadcast() {
    String id = key != null ? key : UUID.randomUUID().toString();
    return but(it -> {
      it.broadcast = id;
      it.thread = thread != null || replyTo != null ? thread : id;
    });
  }

  Message message(String sender, List<String> recipients) {
    Message.Builder message = message(sender);
    if (broadcast != null) {
      message.extra(BROADCAST, Json.object().put("id", broadcast).build());
    }
    return message.to(recipients).build();
  }

  private Message.Builder message(String sender) {
    return Message.builder(sender, type)
        .payload(content.toJson())
        .thread(thread)
        .replyTo(replyTo)
        .priority(priority == Priority.NORMAL ? null : priority.word())
        .needsReply(needsReply)
        .deadline(deadline)
        .key(key)
        .automatic(automatic)
        .run(run)
        .task(task);
  }

  /** The note for the sender's outbox: the positions of the copies, not the content. */
  Message note(String sender, List<Outbox.Copy> copies) {
    return Message.builder(sender, MailTypes.SENT)
        .payload(Outbox.note(type, content.subject(), copies))
        .thread(thread)
        .needsReply(needsReply)
        .deadline(deadline)
        .automatic(true)
        .build();
  }
}

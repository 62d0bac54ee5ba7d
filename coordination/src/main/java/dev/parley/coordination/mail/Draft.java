package dev.parley.coordination.mail;

import dev.parley.core.AgentName;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message before it is sent. Each call gives another draft; this one stays as it is. */
public record Draft(
    List<String> to,
    String type,
    Content content,
    Priority priority,
    @Nullable String thread,
    @Nullable String replyTo,
    boolean needsReply,
    @Nullable Instant deadline,
    @Nullable String key,
    boolean automatic,
    @Nullable String run,
    @Nullable String task) {
  /** The name that stands for everyone on the roster but the sender. */
  public static final String ALL = "all";

  /** The type of a message that does not say. */
  public static final String DEFAULT_TYPE = "message";

  public Draft {
    to = List.copyOf(to);
    if (!MailTypes.isMessage(type)) {
      throw ParleyException.invalid(
          "reserved-type",
          "Types that begin with " + MailTypes.RESERVED + " are Parley's own.",
          "Choose another type, such as task, question or result.");
    }
  }

  public static Draft to(String... agents) {
    return new Draft(
        List.of(agents),
        DEFAULT_TYPE,
        new Content("", "", List.of(), null, null),
        Priority.NORMAL,
        null,
        null,
        false,
        null,
        null,
        false,
        null,
        null);
  }

  /** An answer: what it answers says to whom it goes. */
  public static Draft answer(String body) {
    return to(new String[0]).type("reply").says("", body);
  }

  /** Work for somebody. */
  public static Draft task(String to, String subject, String body) {
    return to(to).type("task").says(subject, body);
  }

  /** What came of a task. */
  public static Draft result(String to, String subject, String body, String thread) {
    return to(to).type("result").says(subject, body).thread(thread);
  }

  /** Where the sender stands, for everyone: starting, in_progress, complete, error, blocked. */
  public static Draft status(String status, String summary) {
    return to(ALL)
        .type("status")
        .says("Status: " + status, summary)
        .metadata(Json.object().put("status", status).build());
  }

  /** A question, which expects an answer. */
  public static Draft question(String to, String question, String context) {
    return to(to).type("question").says(question, context).needsReply(null);
  }

  /** What a reviewer thinks: approved, needs_revision, rejected. */
  public static Draft feedback(String to, String subject, String feedback, String verdict) {
    return to(to)
        .type("feedback")
        .says(subject, feedback)
        .metadata(Json.object().put("verdict", verdict).build());
  }

  public Draft type(String value) {
    return new Draft(
        to,
        value,
        content,
        priority,
        thread,
        replyTo,
        needsReply,
        deadline,
        key,
        automatic,
        run,
        task);
  }

  public Draft says(String subject, String body) {
    return content(
        new Content(subject, body, content.artifacts(), content.metadata(), content.escalateTo()));
  }

  public Draft metadata(@Nullable Json value) {
    return content(
        new Content(
            content.subject(), content.body(), content.artifacts(), value, content.escalateTo()));
  }

  public Draft artifacts(List<String> values) {
    return content(
        new Content(
            content.subject(),
            content.body(),
            List.copyOf(values),
            content.metadata(),
            content.escalateTo()));
  }

  public Draft escalateTo(@Nullable String agent) {
    String checked = agent == null ? null : new AgentName(agent).name();
    return content(
        new Content(
            content.subject(), content.body(), content.artifacts(), content.metadata(), checked));
  }

  Draft content(Content value) {
    return new Draft(
        to,
        type,
        value,
        priority,
        thread,
        replyTo,
        needsReply,
        deadline,
        key,
        automatic,
        run,
        task);
  }

  public Draft priority(Priority value) {
    return new Draft(
        to, type, content, value, thread, replyTo, needsReply, deadline, key, automatic, run, task);
  }

  public Draft thread(@Nullable String value) {
    return new Draft(
        to,
        type,
        content,
        priority,
        value,
        replyTo,
        needsReply,
        deadline,
        key,
        automatic,
        run,
        task);
  }

  public Draft replyTo(@Nullable String id) {
    return new Draft(
        to, type, content, priority, thread, id, needsReply, deadline, key, automatic, run, task);
  }

  /** Expects an answer, by a certain time if one is given. */
  public Draft needsReply(@Nullable Instant by) {
    return new Draft(
        to, type, content, priority, thread, replyTo, true, by, key, automatic, run, task);
  }

  public Draft key(@Nullable String value) {
    return new Draft(
        to,
        type,
        content,
        priority,
        thread,
        replyTo,
        needsReply,
        deadline,
        value,
        automatic,
        run,
        task);
  }

  /** Nobody decided to write it: a program did. */
  public Draft automatic(boolean value) {
    return new Draft(
        to, type, content, priority, thread, replyTo, needsReply, deadline, key, value, run, task);
  }

  /** What it belongs to. */
  public Draft of(@Nullable String ofRun, @Nullable String ofTask) {
    return new Draft(
        to,
        type,
        content,
        priority,
        thread,
        replyTo,
        needsReply,
        deadline,
        key,
        automatic,
        ofRun,
        ofTask);
  }

  Message message(String sender, List<String> recipients) {
    return Message.builder(sender, type)
        .payload(content.toJson())
        .to(recipients)
        .thread(thread)
        .replyTo(replyTo)
        .priority(priority == Priority.NORMAL ? null : priority.word())
        .needsReply(needsReply)
        .deadline(deadline)
        .key(key)
        .automatic(automatic)
        .run(run)
        .task(task)
        .build();
  }
}

package dev.parley.dialects.swarm;

import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.names.SpellingSuggestion;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.FolderChanges;
import dev.parley.dialects.swarm.database.MessageRow;
import dev.parley.dialects.swarm.database.SwarmDatabase;
import dev.parley.dialects.swarm.database.SwarmSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Swarm's functions, under their own names, on the files of one {@code .swarm} folder.
 *
 * <p>Some behaviour differs from Swarm's, because Swarm's would lose or leak something. These are
 * refused: a name that could leave the folder, an unknown recipient, a message to a full inbox, and
 * a status, verdict or priority that Swarm does not have. Invalid entries are skipped with a remark
 * and stay in their file. The functions take Swarm's parameters; each also has a shorter form.
 *
 * <p>Safe for use by many threads and processes.
 */
public final class SwarmMessageBus extends SwarmQueues {
  /**
   * @param swarm the folder, usually named {@code .swarm}
   * @param remarks receives remarks about entries and files that can't be read
   */
  public SwarmMessageBus(Path swarm, int maxInbox, Consumer<FileRemark> remarks) {
    super(swarm, maxInbox, remarks);
  }

  public SwarmMessageBus(Path swarm, Consumer<FileRemark> remarks) {
    this(swarm, MAX_INBOX, remarks);
  }

  /** The same folder, with another receiver of remarks. */
  public SwarmMessageBus telling(Consumer<FileRemark> other) {
    return new SwarmMessageBus(swarm, maxInbox, other);
  }

  // Messages

  public static boolean validateMessage(Json message) {
    return SwarmMessage.problem(message) == null;
  }

  public static boolean isValidAgent(String agent) {
    return VALID_AGENTS.contains(agent);
  }

  public static SwarmMessage createMessage(SendMessageInput input) {
    return input.message(UUID.randomUUID().toString(), Instant.now());
  }

  /** {@code thread_<uuid>}. */
  public static String createThreadId() {
    return "thread_" + UUID.randomUUID();
  }

  // Sending

  /**
   * Puts a message into the sender's outbox and the recipient's inbox. {@code broadcast} means
   * everyone but the sender.
   *
   * <p>If the message is to be kept in the database and that fails, it is delivered anyway, and a
   * remark says why it is not kept.
   *
   * @throws ParleyException before anything is delivered, if a recipient is unknown, an inbox is
   *     full, or the session to keep it under is unknown
   */
  public SwarmMessage sendMessage(SendMessageInput input, SendOptions options) {
    String session = options.session(input.sessionId());
    MessagePersistence persistence =
        session == null ? null : MessagePersistence.under(swarm, session);
    SwarmMessage message = createMessage(input);
    String problem = SwarmMessage.problem(message.json());
    if (problem != null) {
      throw ParleyException.invalid(
          "bad-message", "The message " + problem + ".", "See the design's list of fields.");
    }
    List<String> recipients = recipients(message);
    for (String recipient : recipients) {
      if (inbox(recipient).entries(null).count() >= maxInbox) {
        throw full(recipient);
      }
    }
    ensureMessageDirs();
    addToOutbox(message.from(), message);
    recipients.forEach(recipient -> addToInbox(recipient, message));
    String notKept = persistence == null ? null : persistence.keep(List.of(message));
    if (notKept != null) {
      remarks.accept(
          new FileRemark(
              swarm.resolve(SwarmDatabase.NAME),
              0,
              false,
              "message " + message.id() + " is delivered, not kept: " + notKept));
    }
    return message;
  }

  public SwarmMessage sendMessage(SendMessageInput input) {
    return sendMessage(input, SendOptions.NONE);
  }

  private List<String> recipients(SwarmMessage message) {
    List<String> known = agents();
    if (message.to().equals(SwarmCodec.BROADCAST)) {
      return known.stream().filter(agent -> !agent.equals(message.from())).toList();
    }
    String to = new AgentName(message.to()).name();
    if (!known.contains(to)) {
      String nearest = SpellingSuggestion.to(to, known);
      throw ParleyException.refused(
          "unknown-recipient",
          "Unknown recipient: " + to + ". Nothing was sent.",
          nearest == null ? "It has no inbox." : "Did you mean " + nearest + "?");
    }
    return List.of(to);
  }

  /** Sends to everyone but the sender. */
  public SwarmMessage broadcastMessage(
      String from, String type, Json content, SendOptions options) {
    return sendMessage(new SendMessageInput(from, SwarmCodec.BROADCAST, type, content), options);
  }

  public SwarmMessage broadcastMessage(String from, String type, Json content) {
    return broadcastMessage(from, type, content, SendOptions.NONE);
  }

  public SwarmMessage sendTask(String from, String to, String subject, String body) {
    return sendTask(from, to, subject, body, SendOptions.NONE);
  }

  public SwarmMessage sendTask(
      String from, String to, String subject, String body, SendOptions options) {
    return sendTask(from, to, subject, body, "normal", null, options);
  }

  public SwarmMessage sendTask(
      String from,
      String to,
      String subject,
      String body,
      String priority,
      @Nullable String threadId,
      SendOptions options) {
    return sendMessage(
        SendMessageInput.of(from, to, "task", subject, body)
            .priority(priority)
            .in(threadId)
            .asking(),
        options);
  }

  public SwarmMessage sendResult(
      String from, String to, String subject, String body, String threadId) {
    return sendResult(from, to, subject, body, threadId, SendOptions.NONE);
  }

  public SwarmMessage sendResult(
      String from, String to, String subject, String body, String threadId, SendOptions options) {
    return sendMessage(
        SendMessageInput.of(from, to, "result", subject, body).in(threadId), options);
  }

  public SwarmMessage sendStatus(String from, String status, String summary) {
    return sendStatus(from, status, summary, SendOptions.NONE);
  }

  /**
   * Sends the sender's status to the orchestrator.
   *
   * @throws ParleyException INVALID if it is not one of {@link SwarmMessage#STATUSES}
   */
  public SwarmMessage sendStatus(String from, String status, String summary, SendOptions options) {
    oneOf(SwarmMessage.STATUSES, "status", status);
    return sendMessage(
        SendMessageInput.of(from, "orchestrator", "status", "Status: " + status, summary)
            .with("status", status),
        options);
  }

  public SwarmMessage sendQuestion(String from, String to, String question, String context) {
    return sendQuestion(from, to, question, context, null, SendOptions.NONE);
  }

  public SwarmMessage sendQuestion(
      String from, String to, String question, String context, @Nullable String threadId) {
    return sendQuestion(from, to, question, context, threadId, SendOptions.NONE);
  }

  public SwarmMessage sendQuestion(
      String from,
      String to,
      String question,
      String context,
      @Nullable String threadId,
      SendOptions options) {
    return sendMessage(
        SendMessageInput.of(from, to, "question", question, context).in(threadId).asking(),
        options);
  }

  public SwarmMessage sendFeedback(
      String from, String to, String subject, String feedback, String verdict) {
    return sendFeedback(from, to, subject, feedback, verdict, null, SendOptions.NONE);
  }

  public SwarmMessage sendFeedback(
      String from,
      String to,
      String subject,
      String feedback,
      String verdict,
      @Nullable String threadId) {
    return sendFeedback(from, to, subject, feedback, verdict, threadId, SendOptions.NONE);
  }

  /**
   * Sends a reviewer's verdict.
   *
   * @throws ParleyException INVALID if it is not one of {@link SwarmMessage#VERDICTS}
   */
  public SwarmMessage sendFeedback(
      String from,
      String to,
      String subject,
      String feedback,
      String verdict,
      @Nullable String threadId,
      SendOptions options) {
    oneOf(SwarmMessage.VERDICTS, "verdict", verdict);
    return sendMessage(
        SendMessageInput.of(from, to, "feedback", subject, feedback)
            .in(threadId)
            .with("verdict", verdict),
        options);
  }

  // Waiting

  public @Nullable SwarmMessage pollInbox(String agent) throws InterruptedException {
    return pollInbox(agent, PollOptions.DEFAULT);
  }

  /** Waits for a message in the inbox, and leaves it there; null after the timeout. */
  public @Nullable SwarmMessage pollInbox(String agent, PollOptions options)
      throws InterruptedException {
    return FolderChanges.await(
        List.of(inboxes),
        options.interval(),
        options.timeout(),
        () -> readInbox(agent).stream().filter(options.filter()).findFirst().orElse(null));
  }

  public @Nullable SwarmMessage pollForType(String agent, String type) throws InterruptedException {
    return pollForType(agent, type, PollOptions.DEFAULT);
  }

  public @Nullable SwarmMessage pollForType(String agent, String type, PollOptions options)
      throws InterruptedException {
    return pollInbox(agent, options.also(message -> message.type().equals(type)));
  }

  public @Nullable SwarmMessage pollForThreadResponse(String agent, String threadId)
      throws InterruptedException {
    return pollForThreadResponse(agent, threadId, PollOptions.DEFAULT);
  }

  public @Nullable SwarmMessage pollForThreadResponse(
      String agent, String threadId, PollOptions options) throws InterruptedException {
    return pollInbox(agent, options.also(message -> threadId.equals(message.threadId())));
  }

  public @Nullable SwarmMessage pollForCompletion(String agent) throws InterruptedException {
    return pollForCompletion(agent, PollOptions.DEFAULT);
  }

  /** Waits for a status that says complete. */
  public @Nullable SwarmMessage pollForCompletion(String agent, PollOptions options)
      throws InterruptedException {
    return pollInbox(
        agent,
        options.also(message ->
            message.type().equals("status") && "complete".equals(message.metadata("status"))));
  }

  // History

  /**
   * Begins a session in the database, to keep messages under.
   *
   * @return its id
   */
  public String startSession(String goal, String workflow) {
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      return database.startSession(goal, workflow);
    }
  }

  /** Ends a session; false if there is none with this id. */
  public boolean endSession(String sessionId, boolean failed) {
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      return database.endSession(sessionId, failed);
    }
  }

  /** All sessions, newest first. */
  public List<SwarmSession> getSessions() {
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      return database.sessions();
    }
  }

  /** The kept messages of a thread, oldest first. */
  public List<SwarmMessage> getThreadHistory(String sessionId, String threadId) {
    return kept(sessionId, database -> database.thread(sessionId, threadId));
  }

  /** All messages kept under a session, oldest first. */
  public List<SwarmMessage> getSessionMessages(String sessionId) {
    return kept(sessionId, database -> database.messages(sessionId));
  }

  /** The messages kept under a session from or to one agent. */
  public List<SwarmMessage> getAgentMessages(String sessionId, String agent) {
    return kept(sessionId, database -> database.ofAgent(sessionId, agent));
  }

  /** What is damaged in the database; null if nothing is. */
  public @Nullable FileRemark databaseDamage() {
    String damage = SwarmDatabase.damage(swarm);
    return damage == null
        ? null
        : new FileRemark(swarm.resolve(SwarmDatabase.NAME), 0, false, "can't be used: " + damage);
  }

  private List<SwarmMessage> kept(
      String sessionId, Function<SwarmDatabase, List<MessageRow>> rows) {
    var _ = SendOptions.keptIn(sessionId).session(null);
    if (Files.notExists(swarm.resolve(SwarmDatabase.NAME))) {
      return List.of();
    }
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      return rows.apply(database).stream().map(MessagePersistence::message).toList();
    }
  }
}

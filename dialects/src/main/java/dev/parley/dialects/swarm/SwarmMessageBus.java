package dev.parley.dialects.swarm;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.names.SpellingSuggestion;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.FolderChanges;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.swarm.database.MessageRow;
import dev.parley.dialects.swarm.database.SwarmDatabase;
import dev.parley.dialects.swarm.database.SwarmSession;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The design's functions, under their names, on the files of one {@code .swarm} folder.
 *
 * <p>What differs from the design, each because its own way loses something: a name that could
 * leave the folder is refused; so is a recipient that nobody knows, and a message for an inbox that
 * is full, and a status, verdict or priority that the design does not have. Invalid entries are
 * passed over with a remark and stay in their file. What the design's functions may be given, these
 * may be given too: each has a shorter form without.
 *
 * <p>Safe for use by many threads and processes.
 */
public final class SwarmMessageBus {
  /** The agents that always have queues. */
  public static final List<String> VALID_AGENTS =
      List.of("researcher", "developer", "reviewer", "architect", "orchestrator");

  /** How many messages an inbox takes, unless told otherwise. */
  public static final int MAX_INBOX = 1000;

  private final Path swarm;
  private final Path inboxes;
  private final Path outboxes;
  private final int maxInbox;
  private final Consumer<FileRemark> remarks;

  /** Kept, because each remembers what it has read. */
  private final Map<Path, QueueFile> queues = new ConcurrentHashMap<>();

  /**
   * @param swarm the folder that is usually called {@code .swarm}
   * @param remarks is told of entries and files that can't be read
   */
  public SwarmMessageBus(Path swarm, int maxInbox, Consumer<FileRemark> remarks) {
    this.swarm = swarm;
    this.inboxes = swarm.resolve("messages").resolve("inbox");
    this.outboxes = swarm.resolve("messages").resolve("outbox");
    this.maxInbox = maxInbox;
    this.remarks = remarks;
  }

  public SwarmMessageBus(Path swarm, Consumer<FileRemark> remarks) {
    this(swarm, MAX_INBOX, remarks);
  }

  /** The same folder, with remarks told to another. */
  public SwarmMessageBus telling(Consumer<FileRemark> other) {
    return new SwarmMessageBus(swarm, maxInbox, other);
  }

  // Folders

  public void ensureMessageDirs() {
    try {
      SafeFiles.createFolder(inboxes);
      SafeFiles.createFolder(outboxes);
    } catch (IOException e) {
      throw ForeignFile.trouble("Making", inboxes, e);
    }
  }

  /** Makes the queues of the five agents; what is there stays as it is. */
  public void initializeAgentQueues() {
    ensureMessageDirs();
    for (String agent : VALID_AGENTS) {
      inbox(agent).create();
      outbox(agent).create();
    }
  }

  /** Empties the queues of every agent. */
  public void clearAllQueues() {
    for (String agent : agents()) {
      clearInbox(agent);
      clearOutbox(agent);
    }
  }

  /** Who has a queue here, and the five. */
  public List<String> agents() {
    TreeSet<String> others = new TreeSet<>();
    for (Path folder : List.of(inboxes, outboxes)) {
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
          for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            others.add(name.substring(0, name.length() - ".json".length()));
          }
        } catch (IOException e) {
          throw ForeignFile.trouble("Reading", folder, e);
        }
      }
    }
    List<String> agents = new ArrayList<>(VALID_AGENTS);
    others.stream()
        .filter(name -> AgentName.isValid(name) && !VALID_AGENTS.contains(name))
        .forEach(agents::add);
    return agents;
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

  // Inbox

  public Path getInboxPath(String agent) {
    return path(inboxes, agent);
  }

  public List<SwarmMessage> readInbox(String agent) {
    return inbox(agent).read();
  }

  /**
   * Adds a message.
   *
   * @throws ParleyException REFUSED if the inbox is full; nothing is lost to make room
   */
  public void addToInbox(String agent, SwarmMessage message) {
    inbox(agent)
        .add(
            entries -> {
              if (entries.count() >= maxInbox) {
                throw full(agent);
              }
              return List.of(message.json());
            },
            null);
  }

  private ParleyException full(String agent) {
    return ParleyException.refused(
        "inbox-full",
        "The inbox of " + agent + " is full: " + maxInbox + " messages.",
        agent + " must remove some first.");
  }

  public void clearInbox(String agent) {
    inbox(agent).clear();
  }

  /** Takes a message out; false if it is not there. */
  public boolean removeFromInbox(String agent, String messageId) {
    boolean[] found = new boolean[1];
    inbox(agent)
        .change(items -> {
          List<Json> rest = new ArrayList<>(items);
          found[0] = rest.removeIf(item -> messageId.equals(Fields.of(item).text("id")));
          return rest;
        });
    return found[0];
  }

  /** All that is in the inbox: what was read is taken out. */
  public List<SwarmMessage> getUnreadInbox(String agent) {
    return readInbox(agent);
  }

  public List<SwarmMessage> getInboxByType(String agent, String type) {
    return readInbox(agent).stream().filter(message -> message.type().equals(type)).toList();
  }

  /** The messages that are at least so urgent. */
  public List<SwarmMessage> getInboxByPriority(String agent, String minPriority) {
    oneOf(SwarmMessage.PRIORITIES, "priority", minPriority);
    int least = SwarmMessage.PRIORITIES.indexOf(minPriority);
    return readInbox(agent).stream()
        .filter(message -> SwarmMessage.PRIORITIES.indexOf(message.priority()) <= least)
        .toList();
  }

  // Outbox

  public Path getOutboxPath(String agent) {
    return path(outboxes, agent);
  }

  public List<SwarmMessage> readOutbox(String agent) {
    return outbox(agent).read();
  }

  public void addToOutbox(String agent, SwarmMessage message) {
    outbox(agent).add(message);
  }

  public void clearOutbox(String agent) {
    outbox(agent).clear();
  }

  /** What was sent after a time; times are compared as times, however they are written. */
  public List<SwarmMessage> getNewOutboxMessages(String agent, String since) {
    Instant after = Timestamps.parse(since);
    if (after == null) {
      throw ParleyException.invalid(
          "bad-time", "\"" + since + "\" is not a time.", "Write 2024-01-15T10:30:00.000Z.");
    }
    return readOutbox(agent).stream()
        .filter(message -> {
          Instant sent = Timestamps.parse(message.timestamp());
          return sent != null && sent.isAfter(after);
        })
        .toList();
  }

  // Sending

  /**
   * Puts a message into the sender's outbox and the inbox of its recipient; {@code broadcast} means
   * everyone but the sender.
   *
   * <p>If it is to be kept in the database and that fails, it is delivered all the same, and a
   * remark says why it is not kept.
   *
   * @throws ParleyException before anything is delivered, if a recipient is not known, an inbox is
   *     full, or it is to be kept under a session that is not known
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
          "Nobody here is called " + to + ". Nothing was sent.",
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
   * Tells the orchestrator where the sender stands.
   *
   * @throws ParleyException INVALID if it is none of {@link SwarmMessage#STATUSES}
   */
  public SwarmMessage sendStatus(String from, String status, String summary, SendOptions options) {
    oneOf(SwarmMessage.STATUSES, "status", status);
    return sendMessage(
        SendMessageInput.of(from, "orchestrator", "status", "Status: " + status, summary)
            .with("status", status),
        options);
  }

  /** Fails clearly where the design's compiler would. */
  private static void oneOf(List<String> words, String what, String word) {
    if (!words.contains(word)) {
      throw ParleyException.invalid(
          "bad-" + what,
          "There is no " + what + " \"" + word + "\".",
          "Use one of " + String.join(", ", words) + ".");
    }
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
   * Sends what a reviewer thinks.
   *
   * @throws ParleyException INVALID if the verdict is none of {@link SwarmMessage#VERDICTS}
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

  /** Waits for a message in the inbox; null if the time is over. It stays in the inbox. */
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
   * Begins a session in the database, under which messages can be kept.
   *
   * @return its id
   */
  public String startSession(String goal, String workflow) {
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      return database.startSession(goal, workflow);
    }
  }

  /** Ends a session; false if there is none of this id. */
  public boolean endSession(String sessionId, boolean failed) {
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      return database.endSession(sessionId, failed);
    }
  }

  /** All sessions, the newest first. */
  public List<SwarmSession> getSessions() {
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      return database.sessions();
    }
  }

  /** The messages of a thread that are kept in the database, the oldest first. */
  public List<SwarmMessage> getThreadHistory(String sessionId, String threadId) {
    return kept(sessionId, database -> database.thread(sessionId, threadId));
  }

  /** All messages that are kept under a session, the oldest first. */
  public List<SwarmMessage> getSessionMessages(String sessionId) {
    return kept(sessionId, database -> database.messages(sessionId));
  }

  /** Those of them that are from or to one agent. */
  public List<SwarmMessage> getAgentMessages(String sessionId, String agent) {
    return kept(sessionId, database -> database.ofAgent(sessionId, agent));
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

  /** How many messages are in a queue. */
  public record QueueSizes(int inbox, int outbox) {}

  public Map<String, QueueSizes> getQueueSummary() {
    Map<String, QueueSizes> summary = new LinkedHashMap<>();
    for (String agent : agents()) {
      summary.put(agent, new QueueSizes(readInbox(agent).size(), readOutbox(agent).size()));
    }
    return summary;
  }

  /** What is in all queues. */
  public record Dump(
      Map<String, List<SwarmMessage>> inbox, Map<String, List<SwarmMessage>> outbox) {}

  public Dump dumpAllMessages() {
    Map<String, List<SwarmMessage>> inbox = new LinkedHashMap<>();
    Map<String, List<SwarmMessage>> outbox = new LinkedHashMap<>();
    for (String agent : agents()) {
      inbox.put(agent, readInbox(agent));
      outbox.put(agent, readOutbox(agent));
    }
    return new Dump(inbox, outbox);
  }

  private QueueFile inbox(String agent) {
    return queue(getInboxPath(agent));
  }

  private QueueFile outbox(String agent) {
    return queue(getOutboxPath(agent));
  }

  public QueueFile queue(Path file) {
    return queues.computeIfAbsent(
        file,
        path ->
            new QueueFile(
                path,
                (line, understood, reason) ->
                    remarks.accept(new FileRemark(path, line, understood, reason))));
  }

  private static Path path(Path folder, String agent) {
    return folder.resolve(new AgentName(agent).name() + ".json");
  }
}

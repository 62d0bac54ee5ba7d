package dev.parley.dialects.swarm;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The inboxes and outboxes of one {@code .swarm} folder: Swarm's functions that read and change
 * queues.
 */
public abstract sealed class SwarmQueues permits SwarmMessageBus {
  /** The agents that always have queues. */
  public static final List<String> VALID_AGENTS =
      List.of("researcher", "developer", "reviewer", "architect", "orchestrator");

  /** The default capacity of an inbox, in messages. */
  public static final int MAX_INBOX = 1000;

  private static final String SUFFIX = ".json";

  final Path swarm;
  final Path inboxes;
  private final Path outboxes;
  final int maxInbox;
  final Consumer<FileRemark> remarks;

  /** Cached, because each remembers what it has read. */
  private final Map<Path, QueueFile> queues = new ConcurrentHashMap<>();

  /**
   * @param swarm the folder, usually named {@code .swarm}
   * @param remarks receives remarks about entries and files that can't be read
   */
  SwarmQueues(Path swarm, int maxInbox, Consumer<FileRemark> remarks) {
    this.swarm = swarm;
    this.inboxes = swarm.resolve("messages").resolve("inbox");
    this.outboxes = swarm.resolve("messages").resolve("outbox");
    this.maxInbox = maxInbox;
    this.remarks = remarks;
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

  /** Creates the queues of the five standard agents. Existing queues are left as they are. */
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

  /** The agents that have a queue here, and the five standard ones. */
  public List<String> agents() {
    TreeSet<String> others = new TreeSet<>();
    files("*" + SUFFIX).forEach(file -> others.add(ownerOf(file)));
    List<String> agents = new ArrayList<>(VALID_AGENTS);
    others.stream()
        .filter(name -> AgentName.isValid(name) && !VALID_AGENTS.contains(name))
        .forEach(agents::add);
    return agents;
  }

  /** The queues that are not read, because their names are not those of agents. */
  public List<Path> unreadQueues() {
    return files("*" + SUFFIX).stream().filter(file -> !AgentName.isValid(ownerOf(file))).toList();
  }

  /** The files with former content of queues that could not be read. */
  public List<Path> damagedQueues() {
    return files("*" + SUFFIX + QueueFile.DAMAGED + "*");
  }

  private static String ownerOf(Path queue) {
    String name = String.valueOf(queue.getFileName());
    return name.substring(0, name.length() - SUFFIX.length());
  }

  private List<Path> files(String pattern) {
    List<Path> found = new ArrayList<>();
    for (Path folder : List.of(inboxes, outboxes)) {
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
          files.forEach(found::add);
        } catch (IOException e) {
          throw ForeignFile.trouble("Reading", folder, e);
        }
      }
    }
    return found;
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
   * @throws ParleyException REFUSED if the inbox is full; no other message is dropped to make room
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

  final ParleyException full(String agent) {
    return ParleyException.refused(
        "inbox-full",
        "The inbox of " + agent + " is full: " + maxInbox + " messages.",
        agent + " must remove some first.");
  }

  public void clearInbox(String agent) {
    inbox(agent).clear();
  }

  /** Removes a message; false if it is not there. */
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

  /**
   * All messages in the inbox. There is no other mark for unread: a message that was read is
   * removed.
   */
  public List<SwarmMessage> getUnreadInbox(String agent) {
    return readInbox(agent);
  }

  public List<SwarmMessage> getInboxByType(String agent, String type) {
    return readInbox(agent).stream().filter(message -> message.type().equals(type)).toList();
  }

  /** The messages of at least this priority. */
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

  /** The messages sent after a time. Times are parsed, so their notation does not matter. */
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

  /** Rejects a word that Swarm's compiler would reject. */
  static void oneOf(List<String> words, String what, String word) {
    if (!words.contains(word)) {
      throw ParleyException.invalid(
          "bad-" + what,
          "There is no " + what + " \"" + word + "\".",
          "Use one of " + String.join(", ", words) + ".");
    }
  }

  public record QueueSizes(int inbox, int outbox) {}

  public Map<String, QueueSizes> getQueueSummary() {
    Map<String, QueueSizes> summary = new LinkedHashMap<>();
    for (String agent : agents()) {
      summary.put(agent, new QueueSizes(readInbox(agent).size(), readOutbox(agent).size()));
    }
    return summary;
  }

  /** The content of all queues. */
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

  final QueueFile inbox(String agent) {
    return queue(getInboxPath(agent));
  }

  final QueueFile outbox(String agent) {
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
    return folder.resolve(new AgentName(agent).name() + SUFFIX);
  }
}

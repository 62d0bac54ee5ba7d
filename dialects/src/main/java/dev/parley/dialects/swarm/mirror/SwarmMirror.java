package dev.parley.dialects.swarm.mirror;

import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.swarm.QueueEntries;
import dev.parley.dialects.swarm.QueueFile;
import dev.parley.dialects.swarm.SwarmCodec;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.Mirror;
import dev.parley.dialects.sync.SyncPass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Mirrors the queues of a {@code .swarm} folder.
 *
 * <pre>
 * an entry of an outbox                   is delivered once; see {@link OutboxEntryRules}
 *   that lacks what a message needs       gets it first, in the file; see {@link EntryCompletion}
 *   with the id of another message        gets another id first, in the file; see {@link ReusedIds}
 * an entry of an inbox that nobody sent   is the agent's mail
 * an entry of an inbox that has vanished  was seen; it is not written again
 * mail for an agent who has an inbox      becomes an entry of it, and of the sender's outbox
 *   that has ended on the bus             leaves the inbox
 * a status                                is the sender's on the roster
 * </pre>
 */
public final class SwarmMirror implements Mirror {
  /** How long a file that is blank or no array may be one that is just being written. */
  static final Duration UNSETTLED = Duration.ofSeconds(1);

  private final SwarmMessageBus bus;
  private final BusAccess access;
  private final SwarmCodec codec = new SwarmCodec();
  private final Map<Path, QueueEntries> known = new HashMap<>();

  public SwarmMirror(Path swarm, BusAccess access) {
    this.bus = new SwarmMessageBus(swarm, access.remarks());
    this.access = access;
  }

  SwarmMessageBus bus() {
    return bus;
  }

  BusAccess access() {
    return access;
  }

  SwarmCodec codec() {
    return codec;
  }

  /** Who has an inbox here: the design's programs look for their mail there, whoever else does. */
  @Override
  public List<String> holders() {
    return bus.agents().stream().filter(agent -> Files.exists(bus.getInboxPath(agent))).toList();
  }

  @Override
  public List<Path> folders() {
    List<Path> folders = new ArrayList<>();
    for (Path file : List.of(bus.getInboxPath("developer"), bus.getOutboxPath("developer"))) {
      Path folder = file.getParent();
      if (folder != null) {
        folders.add(folder);
      }
    }
    return folders;
  }

  @Override
  public void exchange(SyncPass pass) {
    new SwarmPass(this, pass).run();
  }

  /**
   * The valid entries of an outbox, completed where somebody wrote less than is needed; null if it
   * can't be read now.
   *
   * @param byHand is told of those that will be completed, before they are
   */
  @Nullable List<SwarmMessage> outbox(String agent, Consumer<List<SwarmMessage>> byHand) {
    QueueFile queue = bus.queue(bus.getOutboxPath(agent));
    List<SwarmMessage> messages = messages(queue);
    // Only where something is no message, a look at what it lacks.
    boolean doubtful =
        messages != null
            && messages.size() < known.getOrDefault(queue.file(), QueueEntries.NONE).count();
    Map<Json, Json> completed = doubtful ? completed(queue, agent) : Map.of();
    if (completed.isEmpty()) {
      return messages;
    }
    byHand.accept(completed.values().stream().map(SwarmMessage::new).toList());
    queue.change(items -> items.stream().map(item -> completed.getOrDefault(item, item)).toList());
    queue.remarks().add(0, true, "entries that lacked what a message needs were completed");
    return messages(queue);
  }

  private static Map<Json, Json> completed(QueueFile queue, String agent) {
    Map<Json, Json> completed = new HashMap<>();
    for (Json item : queue.items()) {
      Json better = EntryCompletion.of(item, agent);
      if (better != null) {
        completed.put(item, better);
      }
    }
    return completed;
  }

  /**
   * The messages of a queue, which is read again only if it has changed; null if it is no array, or
   * somebody may just be writing it: that nothing is there then means nothing.
   */
  @Nullable List<SwarmMessage> messages(QueueFile queue) {
    QueueEntries now = queue.settled(known.get(queue.file()), UNSETTLED);
    if (now == null) {
      if (queue.age().compareTo(UNSETTLED) > 0) {
        queue.remarks().add(0, false, "is no JSON array");
      }
      return null;
    }
    known.put(queue.file(), now);
    return now.messages(queue.remarks());
  }

  @Override
  public void examine(Consumer<FileRemark> found) {
    SwarmMessageBus reading = bus.telling(found);
    for (String agent : bus.agents()) {
      var _ = reading.readInbox(agent);
      var _ = reading.readOutbox(agent);
    }
  }
}

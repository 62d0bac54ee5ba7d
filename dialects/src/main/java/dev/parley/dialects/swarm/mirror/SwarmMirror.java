package dev.parley.dialects.swarm.mirror;

import dev.parley.core.AgentName;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.swarm.QueueEntries;
import dev.parley.dialects.swarm.QueueFile;
import dev.parley.dialects.swarm.SwarmCodec;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.Mirror;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.sync.SyncPass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Mirrors the queues of a {@code .swarm} folder.
 *
 * <pre>
 * in the files or on the bus               what the mirror does
 * ---------------------------------------  ------------------------------------------------------
 * entry of an outbox                       delivers it once; see {@link OutboxEntryRules}
 *   incomplete                             completes it first, in the file: {@link EntryCompletion}
 *   with the id of another message         gives it a new id first, in the file: {@link ReusedIds}
 * entry of an inbox that is in no outbox   stores it as the agent's mail
 * entry removed from an inbox              marks it as seen; does not write it again
 * mail for an agent with an inbox          adds it to the inbox and to the sender's outbox
 *   ended on the bus                       removes it from the inbox
 * status                                   sets the sender's status on the roster
 * </pre>
 */
public final class SwarmMirror implements Mirror {
  /**
   * A bridge makes a pass twice a second and at every change. A longer pause means that it was not
   * watching.
   */
  private static final Duration GAP = Duration.ofSeconds(2);

  private final SwarmMessageBus bus;
  private final BusAccess access;
  private final SwarmCodec codec = new SwarmCodec();
  private final Map<Path, QueueEntries> known = new HashMap<>();
  private final Set<String> lookedAt = new HashSet<>();
  private Instant lastLook = Instant.MIN;
  private Instant watchedSince = Instant.MIN;

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

  /**
   * The agents with an inbox here. Swarm's programs look for their mail there, even if others read
   * it elsewhere.
   */
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

  /** Since when this process has watched the folder without a gap. Called at each pass. */
  Instant watchedSince(Instant now) {
    if (lastLook.plus(GAP).isBefore(now)) {
      watchedSince = now;
    }
    lastLook = now;
    return watchedSince;
  }

  static String past(int count) {
    return (count == 1 ? "1 message is" : count + " messages are")
        + " older than the mount and no longer in the inbox: counted as read;"
        + " parley mount swarm <path> --route-old delivers them all the same";
  }

  static String perhapsUnread(String id, List<String> agents) {
    return "message "
        + id
        + " counts as read, but was never seen in the inbox of "
        + String.join(", ", agents)
        + "; parley mount swarm <path> --route-old puts it there";
  }

  static String perhapsTwice(String id, List<String> agents) {
    return "message "
        + id
        + " was never seen in the inbox of "
        + String.join(", ", agents)
        + " and was put there; perhaps its sender had put it there as well";
  }

  /** Whether this is the process's first pass over the agent's outbox. */
  boolean isFirstPassOver(String agent) {
    return lookedAt.add(agent);
  }

  /**
   * The valid entries of an outbox, with incomplete ones completed; null if it can't be read now.
   *
   * @param byHand receives the entries that will be completed
   * @param isDelivered whether a message with this id was delivered before
   */
  @Nullable List<SwarmMessage> outbox(
      String agent, Consumer<List<SwarmMessage>> byHand, Predicate<String> isDelivered) {
    QueueFile queue = bus.queue(bus.getOutboxPath(agent));
    List<SwarmMessage> messages = messages(queue);
    // Only entries that are not messages are checked for what they lack.
    boolean doubtful =
        messages != null
            && messages.size() < known.getOrDefault(queue.file(), QueueEntries.NONE).count();
    Map<Json, List<Json>> completed =
        doubtful
            ? EntryCompletion.of(
                queue.items(),
                agent,
                id -> isRepeated(queue, isDelivered.test(id)),
                queue.written())
            : Map.of();
    if (completed.isEmpty()) {
      return messages;
    }
    byHand.accept(
        completed.values().stream().flatMap(List::stream).map(SwarmMessage::new).toList());
    queue.change(items -> completed(items, completed));
    queue.remarks().add(0, true, "incomplete entries were completed");
    return messages(queue);
  }

  private static boolean isRepeated(QueueFile queue, boolean repeated) {
    if (repeated) {
      queue
          .remarks()
          .add(
              0,
              true,
              "an entry that was delivered before was written again; it is delivered again");
    }
    return repeated;
  }

  private static List<Json> completed(List<Json> items, Map<Json, List<Json>> completed) {
    Map<Json, Integer> copies = new HashMap<>();
    List<Json> after = new ArrayList<>();
    for (Json item : items) {
      List<Json> messages = completed.getOrDefault(item, List.of());
      int copy = copies.merge(item, 1, Integer::sum);
      after.add(copy <= messages.size() ? messages.get(copy - 1) : item);
    }
    return after;
  }

  /**
   * The messages of a queue, which is read again only if it has changed. Null if it is not an array
   * or another program may be writing it; then a missing entry means nothing.
   */
  @Nullable List<SwarmMessage> messages(QueueFile queue) {
    QueueEntries now = queue.settled(known.get(queue.file()), QueueFile.WRITING);
    if (now == null) {
      if (queue.age().compareTo(QueueFile.WRITING) > 0) {
        queue.remarks().add(0, false, "is not a JSON array");
      }
      return null;
    }
    known.put(queue.file(), now);
    return now.messages(queue.remarks());
  }

  @Override
  public Set<String> recallable(MirrorState state) {
    Set<String> all = new LinkedHashSet<>(state.past());
    DeliveryEvidence.guesses(state)
        .forEach((mark, guess) -> {
          if (!DeliveryEvidence.agents(guess, DeliveryEvidence.READ).isEmpty()) {
            all.add(mark);
          }
        });
    return all;
  }

  @Override
  public void examine(Consumer<FileRemark> found) {
    MirrorState state = access.state().get();
    Path outboxes = bus.getOutboxPath("developer").resolveSibling("");
    DeliveryEvidence.guesses(state)
        .forEach((mark, guess) -> {
          List<String> read = DeliveryEvidence.agents(guess, DeliveryEvidence.READ);
          List<String> sent = DeliveryEvidence.agents(guess, DeliveryEvidence.SENT);
          String id = SwarmMessage.idOf(mark);
          String reason = read.isEmpty() ? perhapsTwice(id, sent) : perhapsUnread(id, read);
          found.accept(new FileRemark(outboxes, 0, read.isEmpty(), reason));
        });
    if (!state.past().isEmpty()) {
      found.accept(new FileRemark(outboxes, 0, true, past(state.past().size())));
    }
    for (Path queue : bus.unreadQueues()) {
      found.accept(new FileRemark(queue, 0, false, "is not read, because its name is no agent's"));
    }
    for (Path kept : bus.damagedQueues()) {
      found.accept(
          new FileRemark(
              kept,
              0,
              false,
              "holds what could not be read of a queue; put into the queue what counts, then delete"
                  + " this file"));
    }
    FileRemark damage = bus.databaseDamage();
    if (damage != null) {
      found.accept(damage);
    }
    SwarmMessageBus reading = bus.telling(found);
    for (String agent : bus.agents()) {
      Path inbox = bus.getInboxPath(agent);
      Path outbox = bus.getOutboxPath(agent);
      reading.readInbox(agent).forEach(entry -> examine(entry, inbox, found));
      for (SwarmMessage entry : reading.readOutbox(agent)) {
        examine(entry, outbox, found);
        if (!isRecipient(entry.to())) {
          found.accept(new FileRemark(outbox, 0, false, badRecipient(entry)));
        }
      }
    }
  }

  private void examine(SwarmMessage entry, Path file, Consumer<FileRemark> found) {
    String tooLong = ForeignMessage.tooLong(entry.id(), access.limits());
    if (tooLong != null) {
      found.accept(new FileRemark(file, 0, false, tooLong));
    }
  }

  static boolean isRecipient(String name) {
    return name.equals(SwarmCodec.BROADCAST) || AgentName.isValid(name);
  }

  static String badRecipient(SwarmMessage entry) {
    return "message " + entry.id() + " has a recipient that is not a valid agent name";
  }
}

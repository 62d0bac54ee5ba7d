package dev.parley.dialects.swarm;

import dev.parley.coordination.mail.Mailbox;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.Fingerprint;
import dev.parley.dialects.ForeignFile;
import dev.parley.dialects.Mirror;
import dev.parley.dialects.MirrorState.Waiting;
import dev.parley.dialects.Origin;
import dev.parley.dialects.Outgoing;
import dev.parley.dialects.Remark;
import dev.parley.dialects.Round;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Mirrors the queues of a {@code .swarm} folder.
 *
 * <pre>
 * an entry of an outbox                   is routed to its recipients once, by its id
 *   without id, timestamp or from         gets them first, in the file
 * an entry of an inbox that nobody routed is the agent's mail
 * an entry of an inbox that has vanished  was seen; it is not written again
 * mail for an agent who has queues here   becomes an entry of its inbox, announced before
 * </pre>
 */
public final class SwarmMirror implements Mirror {
  /** How long a file that is blank or no array may be one that is just being written. */
  private static final Duration UNSETTLED = Duration.ofSeconds(1);

  private final MessageBus bus;
  private final Topic topic;
  private final Consumer<Remark> remarks;
  private final SwarmCodec codec = new SwarmCodec();
  private final Map<Path, Entries> known = new HashMap<>();

  /**
   * @param topic where messages go that are for nobody
   */
  public SwarmMirror(Path swarm, Topic topic, Consumer<Remark> remarks) {
    this.bus = new MessageBus(swarm, remarks);
    this.topic = topic;
    this.remarks = remarks;
  }

  /** Who has queues here. */
  public List<String> agents() {
    return bus.agents();
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
  public void exchange(Round round) {
    List<String> agents = agents();
    agents.forEach(round::live);
    Set<String> sent = new HashSet<>();
    boolean complete = true;
    for (String agent : agents) {
      List<SwarmMessage> messages = outbox(agent);
      complete &= messages != null;
      for (SwarmMessage message : messages == null ? List.<SwarmMessage>of() : messages) {
        sent.add(message.id());
        if (!round.isFull()) {
          route(round, message);
        }
      }
    }
    if (complete) {
      round.state().taken().stream().filter(id -> !sent.contains(id)).forEach(round::dropped);
    }
    for (String agent : agents) {
      inbox(round, agent, sent);
    }
  }

  private void route(Round round, SwarmMessage message) {
    if (round.state().taken().contains(message.id())) {
      return;
    }
    if (!round.isPulled(message.id())) {
      List<String> to =
          List.of(message.to().equals(SwarmCodec.BROADCAST) ? Round.EVERYONE : message.to());
      if (!to.getFirst().equals(Round.EVERYONE) && !AgentName.isValid(message.to())) {
        remarks.accept(
            new Remark(
                bus.getOutboxPath(Origin.sender(message.from(), SwarmCodec.DIALECT)),
                0,
                false,
                "message " + message.id() + " is for nobody who could exist"));
      }
      if (pull(round, message, to) == null) {
        return;
      }
    }
    round.taken(message.id());
  }

  /** Takes a message in; null if it can't be stored. */
  private @Nullable String pull(Round round, SwarmMessage message, List<String> to) {
    try {
      return round.pull(
          message.id(),
          codec.toLog(message),
          to,
          () -> List.copyOf(message.json().fields().keySet()),
          topic);
    } catch (ParleyException e) {
      if (e.kind() != ParleyException.Kind.INVALID) {
        throw e;
      }
      Path file = bus.getOutboxPath(Origin.sender(message.from(), SwarmCodec.DIALECT));
      remarks.accept(new Remark(file, 0, false, "a message is left out: " + e.getMessage()));
      return null;
    }
  }

  /**
   * The valid entries of an outbox, completed where somebody wrote less than is needed; null if it
   * can't be read now.
   */
  private @Nullable List<SwarmMessage> outbox(String agent) {
    Queue queue = bus.queue(bus.getOutboxPath(agent));
    List<SwarmMessage> messages = messages(queue);
    // Only where something is no message, a look at what it lacks.
    boolean doubtful =
        messages != null
            && messages.size() < known.getOrDefault(queue.file(), Entries.NONE).count();
    if (doubtful && queue.items().stream().anyMatch(item -> completed(item, agent) != null)) {
      queue.change(items -> {
        List<Json> complete = new ArrayList<>();
        for (Json item : items) {
          Json better = completed(item, agent);
          complete.add(better == null ? item : better);
        }
        return complete;
      });
      remarks.accept(
          new Remark(queue.file(), 0, true, "entries without id, timestamp or from got them"));
    }
    return messages(queue);
  }

  /**
   * The messages of a queue, which is read again only if it has changed; null if it is no array, or
   * somebody may just be writing it: that nothing is there then means nothing.
   */
  private @Nullable List<SwarmMessage> messages(Queue queue) {
    Entries now = queue.settled(known.get(queue.file()), UNSETTLED);
    if (now == null) {
      if (queue.age().compareTo(UNSETTLED) > 0) {
        queue.remarks().add(0, false, "is no JSON array");
      }
      return null;
    }
    known.put(queue.file(), now);
    return now.messages(queue.remarks());
  }

  /** An entry with an id, a timestamp and a sender; null if it has them, or that would not help. */
  private static @Nullable Json completed(Json item, String agent) {
    if (!item.isObject() || SwarmMessage.problem(item) == null) {
      return null;
    }
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of(Fingerprint.unique()));
    fields.put("timestamp", Json.of(SendMessageInput.MILLIS.format(Instant.now())));
    fields.put("from", Json.of(agent));
    item.fields()
        .forEach((name, value) -> {
          String text = value.text();
          if (!fields.containsKey(name) || (text != null && !text.isEmpty())) {
            fields.put(name, value);
          }
        });
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return SwarmMessage.problem(json.build()) == null ? json.build() : null;
  }

  private void inbox(Round round, String agent, Set<String> sent) {
    Queue queue = bus.queue(bus.getInboxPath(agent));
    Map<String, Outgoing> mail = new LinkedHashMap<>();
    for (Outgoing outgoing : round.outgoing()) {
      if (agent.equals(outgoing.recipient())) {
        mail.put(message(round, outgoing, queue).id(), outgoing);
      }
    }
    Set<String> present = new HashSet<>();
    Set<String> waiting = new HashSet<>();
    List<SwarmMessage> entries = messages(queue);
    if (entries == null) {
      if (queue.age().compareTo(UNSETTLED) > 0) {
        push(round, agent, queue, mail, waiting);
      } else {
        round.postpone(Mailbox.mailOf(agent));
      }
      return;
    }
    for (SwarmMessage message : entries) {
      present.add(message.id());
    }
    for (Waiting entry : round.state().waiting()) {
      if (entry.agent().equals(agent)) {
        waiting.add(entry.foreign());
        if (!present.contains(entry.foreign())) {
          round.gone(entry);
        }
      }
    }
    for (SwarmMessage message : entries) {
      String id = message.id();
      boolean ours = waiting.contains(id) || mail.containsKey(id) || sent.contains(id);
      if (!ours && !round.isPulled(id) && !round.isFull()) {
        String envelope = pull(round, message, List.of(agent));
        if (envelope != null) {
          round.waits(id, agent, envelope);
        }
      }
    }
    push(round, agent, queue, mail, waiting);
  }

  private void push(
      Round round, String agent, Queue queue, Map<String, Outgoing> mail, Set<String> waiting) {
    mail.keySet().removeAll(waiting);
    if (mail.isEmpty()) {
      return;
    }
    Set<String> delivered = delivered(round, queue);
    List<String> fresh = new ArrayList<>();
    queue.add(
        entries -> {
          fresh.clear();
          Set<String> there = entries.ids();
          there.addAll(delivered);
          List<Json> more = new ArrayList<>();
          mail.forEach((id, outgoing) -> {
            if (!there.contains(id)) {
              fresh.add(id);
              more.add(addressed(message(round, outgoing, queue), agent));
            }
          });
          return more;
        },
        temporary -> round.announce(temporary.toString(), fresh));
    mail.forEach((id, outgoing) -> {
      round.waits(id, agent, outgoing.envelope().id());
      round.pushed(outgoing, id);
    });
  }

  /**
   * The entries that a killed process put into a queue and could not note any more: they may have
   * been read and removed since. Where its temporary file is left, they were not put there; so that
   * stays until it is noted that it is dealt with.
   */
  private static Set<String> delivered(Round round, Queue queue) {
    Set<String> delivered = new HashSet<>();
    String begin = queue.file() + ".tmp.";
    round
        .state()
        .announced()
        .forEach((by, ids) -> {
          if (by.startsWith(begin)) {
            Path temporary = Path.of(by);
            if (Files.notExists(temporary)) {
              delivered.addAll(ids);
            } else {
              round.afterwards(() -> ForeignFile.delete(temporary));
            }
            round.settled(by);
          }
        });
    return delivered;
  }

  private SwarmMessage message(Round round, Outgoing outgoing, Queue queue) {
    return codec.fromLog(round.whole(outgoing, reason -> queue.remarks().add(0, false, reason)));
  }

  /** Of a mail to several, the copy for one. */
  private static Json addressed(SwarmMessage message, String agent) {
    if (message.to().equals(agent) || message.to().equals(SwarmCodec.BROADCAST)) {
      return message.json();
    }
    Json.ObjectBuilder json = Json.object();
    message
        .json()
        .fields()
        .forEach((name, value) -> json.put(name, name.equals("to") ? Json.of(agent) : value));
    return json.build();
  }

  @Override
  public void examine(Consumer<Remark> found) {
    MessageBus reading = bus.telling(found);
    for (String agent : agents()) {
      var _ = reading.readInbox(agent);
      var _ = reading.readOutbox(agent);
    }
  }
}

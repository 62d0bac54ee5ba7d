package dev.parley.dialects.swarm.mirror;

import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.swarm.QueueFile;
import dev.parley.dialects.swarm.SwarmCodec;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.sync.MirrorState.Waiting;
import dev.parley.dialects.sync.OutgoingMessage;
import dev.parley.dialects.sync.SyncBudget;
import dev.parley.dialects.sync.SyncPass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the bus's messages into the queues of a folder, each exactly once. */
final class QueueExport {
  private final SwarmMirror mirror;
  private final SyncPass pass;
  private final List<String> agents;
  private final Map<String, InboxSnapshot> inboxes;

  /** Mail by agent, then by id. */
  private final Map<String, Map<String, Mail>> mails = new LinkedHashMap<>();

  private final Map<String, Set<String>> waiting = new HashMap<>();
  private final Set<String> ours = new HashSet<>();

  /** An envelope for an agent, as a queue entry; {@code fromHere} if it came from these files. */
  private record Mail(OutgoingMessage outgoing, SwarmMessage message, boolean fromHere) {
    String envelope() {
      return outgoing.envelope().id();
    }
  }

  /** The copy of a mail for its sender's outbox. */
  private record Copy(String time, String sender, String id, Json entry) {}

  /**
   * @param inboxes may be filled until {@link #push}
   */
  QueueExport(
      SwarmMirror mirror, SyncPass pass, List<String> agents, Map<String, InboxSnapshot> inboxes) {
    this.mirror = mirror;
    this.pass = pass;
    this.agents = agents;
    this.inboxes = inboxes;
    String own = mirror.access().mount() + "/";
    for (OutgoingMessage outgoing : pass.outgoing()) {
      String agent = outgoing.recipient();
      if (agent != null) {
        String key = outgoing.envelope().key();
        boolean fromHere = key != null && key.startsWith(own);
        SwarmMessage message = message(outgoing, agent);
        mails
            .computeIfAbsent(agent, name -> new LinkedHashMap<>())
            .putIfAbsent(message.id(), new Mail(outgoing, message, fromHere));
        if (!fromHere) {
          ours.add(message.id());
        }
      }
    }
    for (Waiting entry : pass.state().waiting()) {
      waiting.computeIfAbsent(entry.agent(), name -> new HashSet<>()).add(entry.foreign());
    }
  }

  private SwarmMessage message(OutgoingMessage outgoing, String agent) {
    QueueFile inbox = mirror.bus().queue(mirror.bus().getInboxPath(agent));
    Envelope whole = pass.whole(outgoing, reason -> inbox.remarks().add(0, false, reason));
    return mirror.codec().fromLog(whole);
  }

  /** Whether an id belongs to mail from elsewhere that no pass has noted as written here. */
  boolean isOurs(String id) {
    return ours.contains(id);
  }

  /** Whether there is mail with this id for an agent that no pass has noted as written here. */
  boolean isFor(String agent, String id) {
    return mails.getOrDefault(agent, Map.of()).containsKey(id);
  }

  /** The ids of the entries noted as being in an inbox. */
  Set<String> waitingOf(String agent) {
    return waiting.getOrDefault(agent, Set.of());
  }

  /**
   * The envelope of an entry that was noted before its message was stored; null if it is not known
   * yet.
   */
  @Nullable Waiting whole(Waiting entry) {
    if (!entry.envelope().isEmpty()) {
      return entry;
    }
    Mail mail = mails.getOrDefault(entry.agent(), Map.of()).get(entry.foreign());
    if (mail == null) {
      boolean cut = pass.outgoing().size() >= SyncBudget.OUTGOING;
      return cut ? null : entry;
    }
    Waiting whole = new Waiting(entry.foreign(), entry.agent(), mail.envelope());
    pass.waits(whole.foreign(), whole.agent(), whole.envelope());
    pushed(mail);
    return whole;
  }

  /**
   * The agent's open mail on the bus; null if the agent was never on the bus and so deals with its
   * mail in the files alone.
   */
  @Nullable Set<String> openOn(String agent, Predicate<MailboxEntry> wanted) {
    if (pass.isElsewhere(agent)) {
      return null;
    }
    return mirror.access().deputy().inbox(agent).stream()
        .filter(wanted)
        .map(MailboxEntry::id)
        .collect(Collectors.toSet());
  }

  /** Writes what outboxes and inboxes lack. */
  void push() {
    Map<String, Map<String, Mail>> toInboxes = new LinkedHashMap<>();
    List<Copy> copies = new ArrayList<>();
    for (String agent : agents) {
      InboxSnapshot inbox = inboxes.get(agent);
      Map<String, Mail> wanted = wanted(agent);
      if (inbox == null || wanted.isEmpty()) {
        continue;
      }
      if (inbox.messages() == null && inbox.queue().age().compareTo(QueueFile.WRITING) <= 0) {
        pass.postpone(Mailbox.mailOf(agent));
        continue;
      }
      toInboxes.put(agent, wanted);
      wanted.forEach((id, mail) -> {
        String sender = mail.message().from();
        if (!mail.fromHere() && hasOutbox(sender)) {
          copies.add(
              new Copy(
                  mail.outgoing().envelope().timestamp(),
                  sender,
                  id,
                  mail.message().addressedTo(agent).json()));
        }
      });
    }
    outboxEntries(copies)
        .forEach((agent, entries) -> {
          add(mirror.bus().queue(mirror.bus().getOutboxPath(agent)), entries);
          entries.values().forEach(entry -> pass.taken(new SwarmMessage(entry).mark()));
        });
    toInboxes.forEach((agent, mail) -> {
      Map<String, Json> entries = new LinkedHashMap<>();
      mail.forEach((id, each) -> entries.put(id, each.message().addressedTo(agent).json()));
      add(mirror.bus().queue(mirror.bus().getInboxPath(agent)), entries);
      mail.forEach((id, each) -> {
        pass.waits(id, agent, each.envelope());
        pushed(each);
      });
    });
  }

  /** The entries to add to outboxes, by sender and id, in the order in which they were sent. */
  private static Map<String, Map<String, Json>> outboxEntries(List<Copy> copies) {
    Map<String, Map<String, Json>> entries = new LinkedHashMap<>();
    copies.stream()
        .sorted(Comparator.comparing(Copy::time))
        .forEach(copy ->
            entries
                .computeIfAbsent(copy.sender(), name -> new LinkedHashMap<>())
                .putIfAbsent(copy.id(), copy.entry()));
    return entries;
  }

  /** The mail that an inbox lacks, without what its agent is done with, wherever it read that. */
  private Map<String, Mail> wanted(String agent) {
    Map<String, Mail> wanted = new LinkedHashMap<>(mails.getOrDefault(agent, Map.of()));
    wanted.keySet().removeAll(waitingOf(agent));
    Set<String> unread =
        wanted.isEmpty() ? null : openOn(agent, entry -> !entry.has(DeliveryState.SEEN));
    InboxSnapshot inbox = inboxes.get(agent);
    if (inbox != null) {
      wanted
          .entrySet()
          .removeIf(mail -> {
            String envelope = mail.getValue().envelope();
            boolean isOver =
                unread == null
                    ? mirror.access().deputy().isHandled(agent, envelope)
                    : !unread.contains(envelope);
            return isOver && !inbox.hasId(mail.getKey());
          });
    }
    return wanted;
  }

  /** Puts an entry into inboxes although it was stored before and taken for read there. */
  void putAgain(SwarmMessage entry, List<String> agents) {
    for (Envelope envelope : pass.mailUnder(Set.of(entry.id()))) {
      boolean same = mirror.codec().fromLog(envelope).mark().equals(entry.mark());
      for (String agent : agents) {
        if (same && Mailbox.mailOf(agent).equals(envelope.topic())) {
          QueueFile inbox = mirror.bus().queue(mirror.bus().getInboxPath(agent));
          add(inbox, Map.of(entry.id(), entry.addressedTo(agent).json()));
          pass.waits(entry.id(), agent, envelope.id());
        }
      }
    }
  }

  private void pushed(Mail mail) {
    String id = mail.message().id();
    if (mail.message().to().equals(SwarmCodec.BROADCAST)) {
      pass.pushedCopy(mail.outgoing(), id);
    } else {
      pass.pushed(mail.outgoing(), id);
    }
  }

  /** Whether a sender's mail on the bus is copied to an outbox here. */
  private boolean hasOutbox(String sender) {
    return AgentName.isValid(sender) && (agents.contains(sender) || !pass.isElsewhere(sender));
  }

  private void add(QueueFile queue, Map<String, Json> wanted) {
    Set<String> delivered = delivered(queue);
    List<String> fresh = new ArrayList<>();
    queue.add(
        entries -> {
          fresh.clear();
          Set<String> there = entries.ids();
          there.addAll(delivered);
          List<Json> more = new ArrayList<>();
          wanted.forEach((id, entry) -> {
            if (!there.contains(id)) {
              fresh.add(id);
              more.add(entry);
            }
          });
          return more;
        },
        new QueueFile.Announcer() {
          @Override
          public void announce(Path temporary) {
            pass.announce(temporary.toString(), fresh);
          }

          @Override
          public void withdraw(Path temporary) {
            pass.afterwards(() -> ForeignFile.delete(temporary));
          }
        });
  }

  /**
   * The entries that a killed process put into a queue without noting it; their readers may have
   * removed them since. If its temporary file still exists, the entries were not written. So that
   * file is deleted only after this is noted.
   */
  private Set<String> delivered(QueueFile queue) {
    Set<String> delivered = new HashSet<>();
    String begin = queue.file() + ".tmp.";
    pass.state()
        .announced()
        .forEach((by, ids) -> {
          if (by.startsWith(begin)) {
            Path temporary = Path.of(by);
            if (Files.notExists(temporary)) {
              delivered.addAll(ids);
            } else {
              pass.afterwards(() -> ForeignFile.delete(temporary));
            }
            pass.settled(by);
          }
        });
    return delivered;
  }
}

package dev.parley.dialects.swarm.mirror;

import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.swarm.QueueFile;
import dev.parley.dialects.swarm.SwarmCodec;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.sync.MirrorState.Waiting;
import dev.parley.dialects.sync.SyncPass;
import dev.parley.text.Explanation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One pass of a {@link SwarmMirror}: reads all queues, stores what is new, and has {@link
 * QueueExport} write the bus's messages.
 *
 * <p>An inbox entry is noted before its message is stored, with an empty envelope id. If this
 * process is killed in between and the entry is read and removed, the next process does not take it
 * for mail that it still has to write. A later pass adds the envelope id.
 */
final class SwarmPass {
  /** The key under which the first pass over a folder is noted. */
  private static final String FIRST_LOOK = "messages";

  /** The value while the first pass is not finished. */
  private static final long BEGUN = 1;

  private final SwarmMirror mirror;
  private final BusAccess access;
  private final SwarmMessageBus bus;
  private final SyncPass pass;
  private final MirrorState state;
  private final List<String> agents;
  private final Instant now = Instant.now();
  private final boolean first;
  private final DeliveryEvidence evidence;
  private final Instant watchedSince;
  private final ReusedIds reusedIds = new ReusedIds();
  private final StatusImport statusImport;
  private final Map<String, List<SwarmMessage>> outboxes = new LinkedHashMap<>();
  private final Map<String, InboxSnapshot> inboxes = new LinkedHashMap<>();
  private final List<Found> found = new ArrayList<>();

  /** Entries delivered by way of an outbox, now or before. */
  private final Set<String> routed = new HashSet<>();

  /** The entries of {@link #found} that are or were in inboxes. */
  private final Set<Waiting> foreseen = new HashSet<>();

  /** The entries that are to be sent whatever the other rules say. */
  private final Set<String> recalled;

  private boolean complete = true;
  private int past;

  /**
   * An entry whose message is to be stored.
   *
   * @param queue the queue with the entry
   * @param to the recipients
   * @param inboxes the recipients whose inbox has or had it
   */
  private record Found(
      SwarmMessage message, QueueFile queue, boolean sent, List<String> to, List<String> inboxes) {}

  SwarmPass(SwarmMirror mirror, SyncPass pass) {
    this.mirror = mirror;
    this.access = mirror.access();
    this.bus = mirror.bus();
    this.pass = pass;
    this.state = pass.state();
    this.agents = bus.agents();
    this.recalled = new HashSet<>(state.recalled());
    this.statusImport = new StatusImport(access);
    this.evidence = new DeliveryEvidence(pass);
    this.watchedSince = mirror.watchedSince(now);
    long looked = state.looked(FIRST_LOOK);
    // Earlier versions noted residents, but no first pass.
    this.first = looked == BEGUN || (looked == 0 && state.residents().isEmpty());
  }

  void run() {
    agents.forEach(pass::live);
    QueueExport export = new QueueExport(mirror, pass, agents, inboxes);
    readOutboxes();
    for (String agent : agents) {
      QueueFile inbox = bus.queue(bus.getInboxPath(agent));
      inboxes.put(agent, InboxSnapshot.at(inbox, mirror::messages));
    }
    outboxes.forEach((agent, entries) -> entries.forEach(entry -> route(agent, entry, export)));
    inboxes.forEach((agent, inbox) -> takeIn(agent, inbox, export));
    reusedIds.settle(pass, mirror.codec());
    found.removeIf(each -> reusedIds.isRenamed(each.message(), each.queue()));
    store();
    inboxes.forEach((agent, inbox) -> follow(agent, inbox, export));
    export.push();
    statusImport.tell(bus.getOutboxPath("developer"));
    noteLooks();
  }

  private void readOutboxes() {
    Set<String> present = new HashSet<>();
    for (String agent : agents) {
      if (mirror.isFirstPassOver(agent)) {
        recover(bus.queue(bus.getOutboxPath(agent)));
      }
      List<SwarmMessage> entries = mirror.outbox(agent, this::noteByHand, this::isDelivered);
      complete &= entries != null;
      for (SwarmMessage entry : entries == null ? List.<SwarmMessage>of() : entries) {
        reusedIds.meet(entry);
        present.add(entry.id());
        present.add(entry.mark());
      }
      outboxes.put(agent, entries == null ? List.of() : entries);
    }
    if (complete) {
      Set<String> remembered = new HashSet<>(state.taken());
      remembered.addAll(state.past());
      remembered.addAll(recalled);
      remembered.stream().filter(mark -> !present.contains(mark)).forEach(pass::dropped);
      DeliveryEvidence.guesses(state).keySet().stream()
          .filter(mark -> !present.contains(mark))
          .forEach(evidence::forget);
    }
  }

  /** Notes entries written by hand, because that can't be told once they are complete. */
  private void noteByHand(List<SwarmMessage> entries) {
    if (!first) {
      List<String> marks = entries.stream().map(SwarmMessage::mark).toList();
      pass.recall(marks);
      recalled.addAll(marks);
    }
  }

  /**
   * Takes over files that killed processes left. An announced file is left to {@link QueueExport}.
   */
  private void recover(QueueFile outbox) {
    outbox.recover(left -> !state.announced().containsKey(left.toString()));
  }

  /** Whether one of these agents has mail under the id of an entry, from whomever. */
  private boolean isMailed(SwarmMessage entry, List<String> to) {
    Set<String> senders = new HashSet<>(agents);
    senders.add(entry.from());
    String key = access.mount() + "/" + entry.id();
    return to.stream()
        .anyMatch(
            agent -> AgentName.isValid(agent) && access.deputy().hasMail(agent, senders, key));
  }

  private boolean isDelivered(String id) {
    return !pass.mailUnder(Set.of(id)).isEmpty();
  }

  /** Decides what to do with an outbox entry. */
  private void route(String agent, SwarmMessage entry, QueueExport export) {
    QueueFile outbox = bus.queue(bus.getOutboxPath(agent));
    if (reusedIds.isRepeated(entry) || entry.isIn(state.past())) {
      return;
    }
    boolean taken = entry.isIn(state.taken());
    boolean stored = reusedIds.isUnique(entry.id()) && pass.isPulled(entry.id());
    if (taken || stored || export.isOurs(entry.id())) {
      routed.add(entry.mark());
      reconsider(entry, export);
      if (!taken) { // by a process that could not note it
        statusImport.hear(entry);
        pass.taken(entry.mark());
      }
      return;
    }
    if (reusedIds.isShared(entry, outbox)) {
      routed.add(entry.mark());
      return;
    }
    boolean called = entry.isIn(recalled);
    boolean old = first && !called;
    boolean broadcast = entry.to().equals(SwarmCodec.BROADCAST);
    List<String> to =
        broadcast
            ? agents.stream().filter(name -> !name.equals(entry.from())).toList()
            : List.of(entry.to());
    Map<String, OutboxEntryState> states = states(entry, to, since(agent), called);
    if (states.containsValue(OutboxEntryState.UNCLEAR)) {
      complete = false; // the next pass decides
      return;
    }
    List<String> there = with(state -> state == OutboxEntryState.THERE, states);
    if (old && there.isEmpty()) {
      past++;
      pass.past(entry.mark());
      return;
    }
    routed.add(entry.mark());
    noteGuesses(entry, outbox, states);
    reusedIds.lookUp(entry, outbox, isMailed(entry, to));
    if (old) {
      found.add(new Found(entry, outbox, true, there, there));
    } else {
      List<String> inboxed = with(SwarmPass::isInboxed, states);
      List<String> all = broadcast ? List.of(SyncPass.EVERYONE) : to;
      found.add(new Found(entry, outbox, true, all, inboxed));
    }
  }

  /**
   * Delivers an entry that was taken for read, if that was requested or its sender is known by now.
   */
  private void reconsider(SwarmMessage entry, QueueExport export) {
    List<String> agents = evidence.perhapsUnread(entry.mark());
    if (agents.isEmpty()) {
      return;
    }
    boolean unsent = entry.isIn(recalled) || evidence.leaves(entry.from());
    if (unsent) {
      export.putAgain(entry, agents);
    }
    if (unsent || evidence.writes(entry.from())) {
      evidence.forget(entry.mark());
    }
  }

  /** Notes and reports decisions that were made without evidence. */
  private void noteGuesses(
      SwarmMessage entry, QueueFile outbox, Map<String, OutboxEntryState> states) {
    List<String> read = with(state -> state == OutboxEntryState.PERHAPS_READ, states);
    List<String> unsent = with(state -> state == OutboxEntryState.PERHAPS_UNSENT, states);
    if (!read.isEmpty()) {
      evidence.guess(entry.mark(), DeliveryEvidence.READ, read);
      outbox.remarks().add(0, false, SwarmMirror.perhapsUnread(entry.id(), read));
    } else if (!unsent.isEmpty()) {
      evidence.guess(entry.mark(), DeliveryEvidence.SENT, unsent);
      outbox.remarks().add(0, true, SwarmMirror.perhapsTwice(entry.id(), unsent));
    }
  }

  private Map<String, OutboxEntryState> states(
      SwarmMessage entry, List<String> to, Instant since, boolean recalled) {
    OutboxEntryRules rules = new OutboxEntryRules(inboxes, now, first, evidence, watchedSince);
    Map<String, OutboxEntryState> states = new LinkedHashMap<>();
    to.forEach(agent -> states.put(agent, rules.of(entry, agent, since, recalled)));
    return states;
  }

  /** Whether an entry is or was in its recipient's inbox. */
  private static boolean isInboxed(OutboxEntryState state) {
    return state != OutboxEntryState.UNSENT && state != OutboxEntryState.PERHAPS_UNSENT;
  }

  private static List<String> with(
      Predicate<OutboxEntryState> wanted, Map<String, OutboxEntryState> states) {
    return states.entrySet().stream()
        .filter(each -> wanted.test(each.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * When the outbox, as last read, was written; else the time of the first pass over the folder.
   */
  private Instant since(String agent) {
    long outbox = state.looked(nameOf(bus.getOutboxPath(agent)));
    return Instant.ofEpochMilli(Math.max(outbox, state.looked(FIRST_LOOK)));
  }

  private static String nameOf(Path outbox) {
    return "outbox/" + outbox.getFileName();
  }

  /** Finds the entries of an inbox that are not stored yet. */
  private void takeIn(String agent, InboxSnapshot inbox, QueueExport export) {
    if (inbox.messages() == null) {
      return;
    }
    Set<String> waiting = export.waitingOf(agent);
    for (SwarmMessage entry : inbox.messages()) {
      String id = entry.id();
      SwarmMessage other = inbox.byId().get(id);
      if (other != null && !other.saysTheSame(entry)) {
        reusedIds.rename(entry, inbox.queue());
      }
      boolean known =
          !entry.equals(other)
              || waiting.contains(id)
              || export.isFor(agent, id)
              || routed.contains(entry.mark());
      if (!known && !(reusedIds.isUnique(id) && pass.isPulled(id))) {
        reusedIds.lookUp(entry, inbox.queue(), isMailed(entry, List.of(agent)));
        found.add(new Found(entry, inbox.queue(), false, List.of(agent), List.of(agent)));
      }
    }
  }

  private void store() {
    List<Found> part = found.subList(0, Math.min(found.size(), pass.budget().messages()));
    for (Found each : part) {
      for (String agent : each.inboxes()) {
        foreseen.add(new Waiting(each.message().id(), agent, ""));
      }
    }
    if (!foreseen.isEmpty()) {
      pass.foresee(List.copyOf(foreseen));
    }
    part.forEach(this::store);
    if (part.size() < found.size()) {
      pass.again();
    }
  }

  private void store(Found each) {
    SwarmMessage message = each.message();
    boolean known = reusedIds.isKnown(message);
    String envelope = known ? "" : pull(each);
    if (envelope == null) {
      return;
    }
    if (!first) {
      statusImport.hear(message);
    }
    if (each.sent()) {
      pass.taken(message.mark());
    } else if (!known) {
      pass.waits(message.id(), each.to().getFirst(), envelope);
    }
  }

  /** Stores a message; null if it can't be stored. */
  private @Nullable String pull(Found each) {
    SwarmMessage message = each.message();
    if (!SwarmMirror.isRecipient(message.to())) {
      remark(each.queue(), SwarmMirror.badRecipient(message));
    }
    try {
      return pass.pull(
          message.id(),
          mirror.codec().toLog(message),
          each.to(),
          () -> List.copyOf(message.json().fields().keySet()),
          access.topic());
    } catch (ParleyException e) {
      if (e.kind() != ParleyException.Kind.INVALID) {
        throw e;
      }
      remark(each.queue(), "a message was skipped: " + Explanation.messageOf(e));
      return null;
    }
  }

  private static void remark(QueueFile queue, String reason) {
    queue.remarks().add(0, false, reason);
  }

  /** Finds out which noted entries have left an inbox. */
  private void follow(String agent, InboxSnapshot inbox, QueueExport export) {
    if (inbox.messages() == null) {
      return;
    }
    Set<String> open = export.openOn(agent, entry -> true);
    Set<String> ended = new HashSet<>();
    for (Waiting noted : state.waiting()) {
      Waiting entry = noted.agent().equals(agent) ? export.whole(noted) : null;
      if (entry == null || foreseen.contains(noted)) {
        continue;
      }
      boolean gone = !inbox.hasId(entry.foreign());
      boolean over =
          open != null && !entry.envelope().isEmpty() && !open.contains(entry.envelope());
      if (gone || over) {
        pass.gone(entry);
      }
      if (over && !gone) {
        ended.add(entry.foreign());
      }
    }
    if (!ended.isEmpty()) {
      inbox.queue().remove(ended);
    }
  }

  private void noteLooks() {
    for (String agent : agents) {
      Path outbox = bus.getOutboxPath(agent);
      if (Files.exists(outbox)) {
        pass.looked(nameOf(outbox), bus.queue(outbox).written());
      }
    }
    boolean unclear = inboxes.values().stream().anyMatch(InboxSnapshot::isUnclear);
    boolean over = found.size() <= pass.budget().messages() && complete && !unclear;
    long looked = state.looked(FIRST_LOOK);
    if (looked <= BEGUN) {
      pass.begun(FIRST_LOOK, first && !over ? BEGUN : now.toEpochMilli());
    }
    if (past > 0) {
      access
          .remarks()
          .accept(
              new FileRemark(
                  bus.getOutboxPath("developer").resolveSibling(""),
                  0,
                  true,
                  SwarmMirror.past(past)));
    }
  }
}

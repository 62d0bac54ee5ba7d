package dev.parley.dialects;

import dev.parley.coordination.ledger.Roster;
import dev.parley.coordination.mail.Deputy;
import dev.parley.core.AgentName;
import dev.parley.core.Bus;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One exchange between a mount's files and the log. What it did is noted by {@link #finish} in one
 * envelope; should that not be reached, every step is recognised and not done again: what was
 * pulled by its key, what was pushed by its id.
 */
public final class Round {
  /** How many messages are pulled in one round, so that the note about them fits into a line. */
  public static final int MOST = 1000;

  /** Everyone but the sender. */
  public static final String EVERYONE = "*";

  private final String mount;
  private final Log log;
  private final MirrorState state;
  private final Roster roster;
  private final Deputy deputy;
  private final Outgoing.Found found;
  private final Map<String, MirrorState.FilePlace> files = new LinkedHashMap<>();
  private final Map<Topic, List<Taken>> undirected = new LinkedHashMap<>();
  private final Set<String> residents = new LinkedHashSet<>();
  private final List<Json> pulled = new ArrayList<>();
  private final List<Json> pushed = new ArrayList<>();
  private final Set<String> taken = new LinkedHashSet<>();
  private final Set<String> dropped = new LinkedHashSet<>();
  private final List<Json> waiting = new ArrayList<>();
  private final List<Json> gone = new ArrayList<>();
  private final Set<String> settled = new LinkedHashSet<>();
  private final Set<String> pulledNow = new HashSet<>();

  /** A foreign message for all to read, before it is stored. */
  private record Taken(String foreign, Message message) {}

  public Round(
      String mount,
      Log log,
      MirrorState state,
      Roster roster,
      Deputy deputy,
      Outgoing.Found found) {
    this.mount = mount;
    this.log = log;
    this.state = state;
    this.roster = roster;
    this.deputy = deputy;
    this.found = found;
  }

  /** How a mount marks what came from it: the key of such an envelope begins so. */
  static String keyPrefix(String mount) {
    return mount + "/";
  }

  public MirrorState state() {
    return state;
  }

  /** What the log has for the files, the oldest of each topic first. */
  public List<Outgoing> outgoing() {
    return found.outgoing();
  }

  /** Whether a foreign message is in the log though no round has noted it. */
  public boolean isPulled(String foreign) {
    return found.pulled().contains(keyPrefix(mount) + foreign) || pulledNow.contains(foreign);
  }

  /** Whether this round has pulled all that it may; the next one goes on. */
  public boolean isFull() {
    return pulledNow.size() >= MOST;
  }

  /** The ids of all foreign messages that were ever pulled: for when a file has changed. */
  public Set<String> everPulled() {
    return RoundHistory.pulled(log, mount);
  }

  /**
   * Stores a foreign message: in the mailboxes of those it is for, or for all to read.
   *
   * @param to names, or {@link #EVERYONE}; nobody if it is for all to read
   * @param repliesTo the foreign id of what it answers
   * @param topic where it goes if it is for nobody in particular
   * @return the id of the envelope, or the first of them; empty if it is not stored yet
   */
  public String pull(
      String foreign,
      Message.Builder message,
      Collection<String> to,
      @Nullable String repliesTo,
      Topic topic) {
    message.key(keyPrefix(mount) + foreign);
    pulledNow.add(foreign);
    Message plain = message.build();
    Set<String> recipients = recipients(plain.sender(), to);
    MirrorState.Pair answered = answered(plain, repliesTo);
    if (answered != null) {
      message.replyTo(answered.envelope()).thread(answered.thread());
      if (recipients.isEmpty()) {
        recipients.add(answered.sender());
      }
    }
    live(plain.sender());
    if (recipients.isEmpty()) {
      undirected
          .computeIfAbsent(topic, name -> new ArrayList<>())
          .add(new Taken(foreign, message.build()));
      return "";
    }
    Message directed = message.to(List.copyOf(recipients)).build();
    String first = "";
    for (String recipient : recipients) {
      String id = deputy.deliver(recipient, directed);
      first = first.isEmpty() ? id : first;
    }
    notePulled(foreign, first, plain);
    return first;
  }

  private void notePulled(String foreign, String envelope, Message message) {
    pulled.add(
        new MirrorState.Pair(foreign, envelope, message.sender(), message.thread()).toJson());
  }

  private MirrorState.@Nullable Pair answered(Message message, @Nullable String repliesTo) {
    if (repliesTo != null) {
      return state.pushedAs(repliesTo);
    }
    return message.thread() == null ? null : state.pushedIn(message.thread());
  }

  private Set<String> recipients(String sender, Collection<String> to) {
    Set<String> recipients = new LinkedHashSet<>();
    for (String name : to) {
      if (name.equals(EVERYONE)) {
        roster.members().stream()
            .filter(member -> !member.hasLeft())
            .forEach(member -> recipients.add(member.name()));
        recipients.addAll(roster.expected());
        recipients.remove(sender);
      } else if (AgentName.isValid(name)) {
        recipients.add(name);
      }
    }
    return recipients;
  }

  /** Takes note that an agent lives in the foreign files, unless it is on the bus itself. */
  public void live(String agent) {
    if (!state.residents().contains(agent) && roster.member(agent) == null) {
      residents.add(agent);
    }
  }

  /** An envelope stands in the files now, under this id. */
  public void pushed(Outgoing outgoing, String foreign) {
    Envelope envelope = outgoing.envelope();
    String thread = envelope.thread() != null ? envelope.thread() : envelope.id();
    pushed.add(new MirrorState.Pair(foreign, envelope.id(), envelope.sender(), thread).toJson());
    if (outgoing.recipient() != null) {
      deputy.delivered(outgoing.recipient(), List.of(envelope.id()));
    }
  }

  /** A file was read up to here. */
  public void read(String file, MirrorState.FilePlace place) {
    if (!state.place(file).equals(place)) {
      files.put(file, place);
    }
  }

  /**
   * Says in the log that entries are about to be put into a file, by way of another: whoever comes
   * after a killed process tells by that whether they were.
   */
  public void announce(String by, List<String> ids) {
    note(Json.object().put("announced", Json.of(List.of(MirrorState.announcement(by, ids)))));
    settled.add(by);
  }

  /** What was announced is dealt with. */
  public void settled(String by) {
    settled.add(by);
  }

  /** An entry of an outbox was routed and is still there. */
  public void taken(String foreign) {
    taken.add(foreign);
  }

  public void dropped(String foreign) {
    dropped.add(foreign);
  }

  /** An entry stands in an inbox. */
  public void waits(String foreign, String agent, String envelope) {
    waiting.add(new MirrorState.Waiting(foreign, agent, envelope).toJson());
  }

  /** An entry was taken out of an inbox: it was read there. */
  public void gone(MirrorState.Waiting entry) {
    deputy.seen(entry.agent(), List.of(entry.envelope()));
    gone.add(entry.toJson());
  }

  public Set<String> newResidents() {
    return residents;
  }

  /** Stores what is left and notes the round; false if there was nothing to do. */
  public boolean finish() {
    undirected.forEach((topic, all) -> {
      List<Stored> stored = log.append(topic, all.stream().map(Taken::message).toList());
      for (int i = 0; i < stored.size(); i++) {
        notePulled(all.get(i).foreign, stored.get(i).id(), all.get(i).message);
      }
    });
    Json.ObjectBuilder note = Json.object();
    put(note, "pulled", pulled);
    put(note, "pushed", pushed);
    put(note, "waiting", waiting);
    put(note, "gone", gone);
    put(note, "residents", strings(residents));
    put(note, "taken", strings(taken));
    put(note, "dropped", strings(dropped));
    put(note, "settled", strings(settled));
    if (!files.isEmpty()) {
      Json.ObjectBuilder places = Json.object();
      files.forEach((file, place) -> places.put(file, MirrorState.placeJson(place)));
      note.put("files", places.build());
    }
    boolean busy = !note.build().equals(Json.EMPTY_OBJECT);
    if (busy || found.isFar()) {
      Json.ObjectBuilder topics = Json.object();
      found.ends().forEach((topic, end) -> topics.put(topic.name(), end.value()));
      note(note.put("topics", topics.build()));
    }
    return busy;
  }

  private void note(Json.ObjectBuilder note) {
    Message message =
        Message.builder(Bus.SYSTEM, MirrorTypes.SYNCED)
            .payload(note.build())
            .automatic(true)
            .build();
    var _ = log.append(MirrorState.topicOf(mount), List.of(message));
  }

  private static List<Json> strings(Collection<String> texts) {
    return texts.stream().map(Json::of).toList();
  }

  private static void put(Json.ObjectBuilder note, String name, List<Json> items) {
    if (!items.isEmpty()) {
      note.put(name, Json.of(items));
    }
  }
}

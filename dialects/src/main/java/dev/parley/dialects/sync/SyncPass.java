package dev.parley.dialects.sync;

import dev.parley.coordination.mail.ForeignMailProxy;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.roster.Roster;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.message.OversizeStore;
import dev.parley.text.Explanation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One exchange between a mount's files and the log. {@link #finish} notes what it did in one go. If
 * the process is killed before that, the next pass recognises each step and does not repeat it: a
 * pulled message by its key, a pushed one by its id.
 */
public final class SyncPass {
  /** If a part of a file has more messages than this, the next parts probably have too. */
  private static final int MANY = 500;

  /** Everyone but the sender. */
  public static final String EVERYONE = "*";

  private final String mount;
  private final String keyPrefix;
  private final Log log;
  private final MirrorState state;
  private final Roster roster;
  private final ForeignMailProxy proxy;
  private final OversizeStore oversize;
  private final int longestId;
  private final SyncBudget budget;
  private final OutgoingMessage.Found found;
  private final Map<String, MirrorState.FilePlace> files = new LinkedHashMap<>();
  private final TopicImport topicImport;
  private final Set<String> residents = new LinkedHashSet<>();
  private final List<Json> pulled = new ArrayList<>();
  private final List<Json> pushed = new ArrayList<>();
  private final Set<String> taken = new LinkedHashSet<>();
  private final Set<String> dropped = new LinkedHashSet<>();
  private final Set<String> past = new LinkedHashSet<>();
  private final Map<String, Long> looked = new LinkedHashMap<>();
  private final List<Json> waiting = new ArrayList<>();
  private final List<Json> gone = new ArrayList<>();
  private final Set<String> settled = new LinkedHashSet<>();
  private final Map<String, @Nullable String> told = new LinkedHashMap<>();
  private Set<String> pulledNow = new HashSet<>();
  private final Map<String, Set<String>> deliveredTo = new LinkedHashMap<>();
  private final Map<String, Set<String>> seenBy = new LinkedHashMap<>();
  private final Set<Topic> postponed = new HashSet<>();
  private final List<Runnable> afterwards = new ArrayList<>();
  private long bytes;
  private int delivered;
  private String lastSender = "";
  private boolean again;
  private boolean begun;

  /**
   * @param longestId the longest foreign message id that is accepted, in characters
   * @param budget the most work this pass does
   * @param found what the log has for the files
   */
  public SyncPass(
      String mount,
      Log log,
      MirrorState state,
      Roster roster,
      ForeignMailProxy proxy,
      OversizeStore oversize,
      int longestId,
      SyncBudget budget,
      OutgoingMessage.Found found) {
    this.mount = mount;
    this.keyPrefix = keyPrefix(mount);
    this.log = log;
    this.state = state;
    this.roster = roster;
    this.proxy = proxy;
    this.oversize = oversize;
    this.longestId = longestId;
    this.budget = budget;
    this.found = found;
    this.topicImport = new TopicImport(log, found.ends());
  }

  /** The prefix of the keys of envelopes that came from a mount. */
  static String keyPrefix(String mount) {
    return mount + "/";
  }

  public MirrorState state() {
    return state;
  }

  /** What the log has for the files, oldest first in each topic. */
  public List<OutgoingMessage> outgoing() {
    return found.outgoing();
  }

  /**
   * An envelope with its full content; with the shortened content if the rest is lost.
   *
   * @param trouble is told what is lost
   */
  public Envelope whole(OutgoingMessage outgoing, Consumer<String> trouble) {
    try {
      return oversize.whole(outgoing.envelope());
    } catch (ParleyException | JsonException e) {
      String id = outgoing.envelope().id();
      trouble.accept("message " + id + " can't be written whole: " + Explanation.messageOf(e));
      return outgoing.envelope();
    }
  }

  /** Whether a foreign message is in the log although no pass has noted it. */
  public boolean isPulled(String foreign) {
    return pulledNow.contains(foreign) || isFound(foreign);
  }

  private boolean isFound(String foreign) {
    return !found.pulled().isEmpty() && found.pulled().contains(keyPrefix + foreign);
  }

  /** Counts bytes read from the files, and the messages in them. */
  public void carried(long count, int messages) {
    bytes += count;
    if (pulledNow.isEmpty() && messages > MANY) {
      pulledNow = HashSet.newHashSet((int) (messages * (budget.bytes() / count + 1)));
    }
  }

  /** Whether this key was stored for the files although no pass has noted it. */
  public boolean isSaid(String key) {
    return found.pulled().contains(key);
  }

  /** The stored keys with this prefix that no pass has noted. */
  public List<String> saidUnder(String beginning) {
    return found.pulled().stream().filter(key -> key.startsWith(beginning)).toList();
  }

  public SyncBudget budget() {
    return budget;
  }

  /** Whether this pass has used up its budget. The next one continues. */
  public boolean isFull() {
    return delivered >= budget.messages() || bytes >= budget.bytes();
  }

  /** The ids of everything that ever went through the mount. Needed when a file was rewritten. */
  public Set<String> everPulled(Topic topic) {
    Set<Topic> topics = new LinkedHashSet<>(log.topics(new Prefix(topic)));
    topics.addAll(log.topics(Prefix.of("mail")));
    return MirroredIds.of(log, mount, topics);
  }

  /** Stores a message found in a file, unless it is stored already. */
  public void pull(ForeignMessage message, Topic topic) {
    if (isFound(message.id())) {
      // The storing process was killed before it noted that the sender lives here.
      live(message.message().build().sender());
    } else if (pulledNow.add(message.id())) {
      var _ =
          store(
              message.id(),
              message.message(),
              message.to(),
              message.repliesTo(),
              message::order,
              topic);
    }
  }

  /**
   * Stores a foreign message: in its recipients' mailboxes, or for everyone to read.
   *
   * @param to names, or {@link #EVERYONE}; empty if it is for everyone to read
   * @param order the order of its fields in the file
   * @param topic its topic if it has no recipients
   * @return the id of the first envelope; empty if it is not stored yet
   * @throws ParleyException INVALID if it is not stored and never can be
   */
  public String pull(
      String foreign,
      Message.Builder message,
      Collection<String> to,
      Supplier<List<String>> order,
      Topic topic) {
    pulledNow.add(foreign);
    return store(foreign, message, to, null, order, topic);
  }

  private String store(
      String foreign,
      Message.Builder message,
      Collection<String> to,
      @Nullable String repliesTo,
      Supplier<List<String>> order,
      Topic topic) {
    if (foreign.length() > longestId) {
      throw ParleyException.invalid(
          "foreign-id-too-long",
          "Its id has "
              + foreign.length()
              + " characters; this bus takes at most "
              + longestId
              + " (maxForeignId).",
          "Raise maxForeignId in bus.json, or give it a shorter one.");
    }
    message.key(keyPrefix + foreign);
    Message plain = message.build();
    live(plain.sender());
    Set<String> recipients = recipients(plain.sender(), to);
    MirrorState.Pair answered = answered(plain, repliesTo);
    if (answered != null) {
      message.replyTo(answered.envelope()).thread(answered.thread());
      if (recipients.isEmpty()) {
        recipients = Set.of(answered.sender());
      }
    }
    if (recipients.isEmpty()) {
      topicImport.add(topic, oversize.fit(topic, plain, order));
      return "";
    }
    Message directed = message.to(List.copyOf(recipients)).build();
    String first = "";
    for (String recipient : recipients) {
      directed = oversize.fit(Mailbox.mailOf(recipient), directed, order);
      String id = proxy.deliver(recipient, directed);
      first = first.isEmpty() ? id : first;
      delivered++;
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
    return message.thread() == null ? null : state.pushedIn(message.thread(), message.sender());
  }

  private Set<String> recipients(String sender, Collection<String> to) {
    if (to.isEmpty()) {
      return Set.of();
    }
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

  /** Notes that an agent lives in the foreign files, unless it is on the bus itself. */
  public void live(String agent) {
    if (!agent.equals(lastSender)
        && !state.residents().contains(agent)
        && roster.isElsewhere(agent)) {
      residents.add(agent);
    }
    lastSender = agent;
  }

  /** Notes that an envelope is in the files, under this id. */
  public void pushed(OutgoingMessage outgoing, String foreign) {
    Envelope envelope = outgoing.envelope();
    String thread = envelope.thread() != null ? envelope.thread() : envelope.id();
    pushed.add(new MirrorState.Pair(foreign, envelope.id(), envelope.sender(), thread).toJson());
    if (outgoing.recipient() != null) {
      add(deliveredTo, outgoing.recipient(), envelope.id());
    }
  }

  /** Notes one of several copies that share one id in the files. */
  public void pushedCopy(OutgoingMessage outgoing, String foreign) {
    pushed(outgoing, MirrorState.copyFor(foreign, String.valueOf(outgoing.recipient())));
  }

  /** Notes how far a file was read. */
  public void read(String file, MirrorState.FilePlace place) {
    if (!state.place(file).equals(place)) {
      files.put(file, place);
    }
  }

  /** Leaves a topic's messages to a later pass, because the files can't be written now. */
  public void postpone(Topic topic) {
    postponed.add(topic);
  }

  /**
   * Appends to the log that entries are about to be put into a file through a temporary file. If
   * this process is killed, the next one can tell from that whether they were.
   */
  public void announce(String by, List<String> ids) {
    SyncNotes notes = new SyncNotes();
    notes.addAll("announced", List.of(MirrorState.announcement(by, ids)));
    notes.appendTo(log, mount);
    settled.add(by);
  }

  /** Notes that an announcement is dealt with. */
  public void settled(String by) {
    settled.add(by);
  }

  /** Runs an action after the pass is noted; it must not run earlier. */
  public void afterwards(Runnable action) {
    afterwards.add(action);
  }

  /** Notes that an outbox entry was routed and is still there. */
  public void taken(String foreign) {
    taken.add(foreign);
  }

  public void dropped(String foreign) {
    dropped.add(foreign);
  }

  /** Notes that an outbox entry is not sent: it is older than the mount, and was dealt with. */
  public void past(String foreign) {
    past.add(foreign);
  }

  /** Appends to the log that outbox entries are to be sent whatever the other rules say. */
  public void recall(List<String> entries) {
    SyncNotes notes = new SyncNotes();
    notes.addAll("recalled", strings(entries));
    notes.appendTo(log, mount);
  }

  /**
   * Notes the modification time of a file at this pass; written only if the pass is noted anyway.
   */
  public void looked(String file, long written) {
    if (state.looked(file) != written) {
      looked.put(file, written);
    }
  }

  /** Notes the modification time of a file even if the pass has no other notes. */
  public void begun(String file, long at) {
    begun |= state.looked(file) != at;
    looked(file, at);
  }

  /**
   * Appends to the log that entries are or were in inboxes, before their messages are stored.
   * Otherwise, if this process were killed and the entries removed, the next pass would take them
   * for mail that it still has to put there.
   */
  public void foresee(List<MirrorState.Waiting> entries) {
    SyncNotes notes = new SyncNotes();
    notes.addAll("waiting", entries.stream().map(MirrorState.Waiting::toJson).toList());
    notes.appendTo(log, mount);
  }

  /** Whether an agent was never on the bus itself. */
  public boolean isElsewhere(String agent) {
    return roster.isElsewhere(agent);
  }

  /** All mail ever stored under some foreign ids. */
  public List<Envelope> mailUnder(Set<String> foreign) {
    List<Envelope> all = new ArrayList<>();
    for (Topic topic : log.topics(Prefix.of("mail"))) {
      WholeTopic.forEach(
          log,
          topic,
          envelope -> {
            String key = envelope.key();
            if (key != null
                && key.startsWith(keyPrefix)
                && foreign.contains(key.substring(keyPrefix.length()))) {
              all.add(whole(new OutgoingMessage(envelope, null), lost -> {}));
            }
          });
    }
    return all;
  }

  /** Notes that an entry is in an inbox. */
  public void waits(String foreign, String agent, String envelope) {
    waiting.add(new MirrorState.Waiting(foreign, agent, envelope).toJson());
  }

  /** Notes that an entry has left its inbox: its recipient has read it there. */
  public void gone(MirrorState.Waiting entry) {
    add(seenBy, entry.agent(), entry.envelope());
    gone.add(entry.toJson());
  }

  private static void add(Map<String, Set<String>> receipts, String agent, String envelope) {
    receipts.computeIfAbsent(agent, name -> new HashSet<>()).add(envelope);
  }

  /** Asks for another pass, because this one may have made work for it. */
  public void again() {
    again = true;
  }

  /** What the files know last about a subject; null if nothing. */
  public @Nullable String told(String about) {
    return told.containsKey(about) ? told.get(about) : state.told(about);
  }

  /** Notes what the files know about a subject; null removes the note. */
  public void tell(String about, @Nullable String what) {
    if (!Objects.equals(told(about), what)) {
      told.put(about, what);
    }
  }

  public Set<String> newResidents() {
    return residents;
  }

  /** Waits for background work, so that a pass that is given up leaves no thread behind. */
  public void settle() {
    topicImport.settle();
  }

  /** Stores the rest and notes the pass; false if there was nothing to do. */
  public boolean finish() {
    topicImport.finish();
    deliveredTo.forEach(proxy::delivered);
    seenBy.forEach(proxy::seen);
    topicImport.latest((message, stored) -> {
      String foreign = String.valueOf(message.key()).substring(keyPrefix.length());
      notePulled(foreign, stored.id(), message);
    });
    SyncNotes notes = new SyncNotes();
    notes.addAll("pulled", pulled);
    notes.addAll("pushed", pushed);
    notes.addAll("waiting", waiting);
    notes.addAll("gone", gone);
    notes.addAll("residents", strings(residents));
    notes.addAll("taken", strings(taken));
    notes.addAll("dropped", strings(dropped));
    notes.addAll("past", strings(past));
    notes.addAll("settled", strings(settled));
    notes.tell(told);
    files.forEach((file, place) -> notes.put("files", file, MirrorState.placeJson(place)));
    boolean busy = !notes.isEmpty() || begun;
    if (busy || found.isFar()) {
      looked.forEach((file, at) -> notes.put("looked", file, Json.of(at)));
      topicImport
          .ends()
          .forEach((topic, end) -> {
            if (!postponed.contains(topic)) {
              notes.put("topics", topic.name(), Json.of(end.value()));
            }
          });
      notes.appendTo(log, mount);
    }
    afterwards.forEach(Runnable::run);
    return busy || again;
  }

  private static List<Json> strings(Collection<String> texts) {
    return texts.stream().map(Json::of).toList();
  }
}

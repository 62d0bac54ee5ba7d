package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Shelved;
import dev.parley.coordination.fold.Times;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One agent's mail: what is in the inbox, and how far each message has come.
 *
 * <pre>
 * mail.&lt;agent&gt;   condition                                      effect
 * -------------  ---------------------------------------------  ------------------------------------
 * any message    its sender has used its key here before        nothing: it is a repeat
 *                too many automatic ones in a row in its thread  held
 *                else                                           stored
 * mail.let-go    the message is held                            stored
 * mail.limits    all that it names are in range                 those limits are replaced
 *
 * receipts.&lt;agent&gt;
 * -------------  ---------------------------------------------  ------------------------------------
 * mail.receipt   for each message in the inbox that it covers   delivered, seen
 * mail.overdue   in the inbox, needs a reply, and the           overdue
 *                receipts' time is at or after its deadline
 * mail.end       in the inbox; DEAD only if not delivered       done or dead: it leaves the inbox
 * mail.undo      for each message with a step that one of the   the step is taken back; a message
 *                lines it names proves, if it has a reason        that ended by it is in the inbox
 * any            of another mailbox than this one, or of a      nothing
 *                message with another id than it names
 * </pre>
 *
 * What ends a message is decided in one topic, so every message has one end, whoever was at it.
 *
 * <p>The two topics can be read in any turns. A receipt is written after what it speaks of was
 * read, names it by an id that nobody knows before, and is applied after it. And neither topic asks
 * what the other has said of a message: whether it is held is the mail's business alone, so whoever
 * writes receipts leaves out what is held. For the same reason nothing asks here whether a message
 * that is said to be dead waited for as long as the limits say: limits stand in the mail, and
 * readers who have read more of it would come to another end. Whoever says so has looked.
 *
 * <p>Messages that have ended are forgotten but for the last {@link MailLimit#RECENT}.
 */
public final class Mailbox implements Fold {
  /** How many of the messages that ended last are remembered, with their way. */
  private final Topic mail;

  private final TreeMap<Position, Entry> inbox = new TreeMap<>();
  private final Map<String, String> keys = new LinkedHashMap<>();
  private final ArrayDeque<Shelved<Entry>> recent = new ArrayDeque<>();
  private Damper damper = new Damper();
  private MailLimits limits = MailLimits.DEFAULT;
  private FoldTime time = new FoldTime();
  private @Nullable String first;
  private long received;

  /** The message that came last, whole: nearly always the one that is asked for next. */
  private @Nullable Envelope latest;

  /** What receipts can still change; null if nobody has asked yet. */
  private @Nullable Coverage coverage;

  /** The messages that ended last, by their places; null if nobody has asked yet. */
  private @Nullable Map<Position, Entry> endedAt;

  /** The thread of each message that was held and not let go, whatever the receipts say of it. */
  private final TreeMap<Position, String> held = new TreeMap<>();

  private Mailbox(Topic mail) {
    this.mail = mail;
  }

  /** Where mail for an agent goes. */
  public static Topic mailOf(String agent) {
    return topic("mail", agent);
  }

  /** Where an agent says what became of its mail. */
  public static Topic receiptsOf(String agent) {
    return topic("receipts", agent);
  }

  static Topic topic(String root, String agent) {
    return new Topic(root + "." + new AgentName(agent).topicPart());
  }

  /** How an agent's mailbox is folded. */
  public static Fold.Kind<Mailbox> of(String agent) {
    List<Topic> topics = List.of(mailOf(agent), receiptsOf(agent));
    return new Fold.Kind<>() {
      @Override
      public String view() {
        return "mailbox-2." + agent;
      }

      @Override
      public List<Topic> topics() {
        return topics;
      }

      @Override
      public Mailbox begin() {
        return new Mailbox(topics.getFirst());
      }

      @Override
      public Mailbox load(Json saved) {
        Mailbox mailbox = begin();
        mailbox.load(Fields.of(saved));
        return mailbox;
      }
    };
  }

  @Override
  public void apply(Envelope envelope, Position after) {
    if (envelope.topic().equals(mail)) {
      applyMail(envelope, after);
    } else if (envelope.isNative()) {
      applyReceipt(envelope);
    }
  }

  private void applyMail(Envelope envelope, Position after) {
    Entry entry = new Entry(envelope, after);
    if (first == null) {
      first = entry.id();
    }
    if (!MailTypes.isMessage(envelope.type())) {
      if (envelope.isNative()) {
        control(envelope);
      }
      return;
    }
    String key = envelope.isNative() ? envelope.key() : null;
    if (key != null && !remember(envelope.sender(), key, entry.id())) {
      return;
    }
    received++;
    String why = damper.see(entry, envelope, limits);
    entry.arrive(Step.of(why == null ? State.STORED : State.HELD, envelope, null, why));
    inbox.put(entry.position(), entry);
    if (coverage != null) {
      coverage.put(entry, limits.get(MailLimit.STEPS));
    }
    latest = envelope;
    if (why != null) {
      hold(entry);
    }
  }

  private void hold(Entry entry) {
    held.put(entry.position(), entry.thread());
    while (held.size() > Math.max(limits.get(MailLimit.MESSAGES), limits.get(MailLimit.THREADS))) {
      held.pollFirstEntry();
    }
  }

  private void control(Envelope envelope) {
    Fields payload = Fields.of(envelope.payload());
    if (envelope.type().equals(MailTypes.LIMITS)) {
      limits = limits.with(payload);
      coverage = null; // it depends on how long a trail may get
    } else if (envelope.type().equals(MailTypes.LET_GO)) {
      letGo(envelope, new Position(Math.max(0, payload.number("position", 0))));
    }
  }

  private void letGo(Envelope envelope, Position position) {
    String thread = held.remove(position);
    if (thread == null) {
      return;
    }
    damper.reset(thread);
    Entry entry = find(position);
    if (entry != null) {
      entry.arrive(Step.of(State.STORED, envelope, null, "let go by " + envelope.sender()));
    }
  }

  private boolean remember(String sender, String key, String id) {
    if (keys.putIfAbsent(keyOf(sender, key), id) != null) {
      return false;
    }
    while (keys.size() > limits.get(MailLimit.KEYS)) {
      keys.remove(keys.keySet().iterator().next());
    }
    return true;
  }

  private static String keyOf(String sender, String key) {
    return sender + " " + key;
  }

  private void applyReceipt(Envelope envelope) {
    // Durations that remain are measured against deadlines, which a clock set back does not move.
    var _ = time.follow(envelope, null);
    Fields payload = Fields.of(envelope.payload());
    if (first == null || !first.equals(payload.text("mailbox"))) {
      return;
    }
    switch (envelope.type()) {
      case MailTypes.RECEIPT -> {
        String session = payload.text("session");
        cover(payload.object("delivered"), State.DELIVERED, envelope, session);
        cover(payload.object("seen"), State.SEEN, envelope, session);
      }
      case MailTypes.OVERDUE -> {
        Entry entry = find(payload.json("position"), payload.text("id"));
        if (entry != null && isDue(entry)) {
          entry.step(Step.of(State.OVERDUE, envelope, null, null));
        }
      }
      case MailTypes.END -> end(envelope, payload);
      case MailTypes.UNDO -> undo(envelope.topic(), payload);
      default -> {
        // Nothing that is about a message.
      }
    }
  }

  private boolean isDue(Entry entry) {
    return !entry.hasEnded() && entry.needsReply() && !entry.has(State.OVERDUE) && isPast(entry);
  }

  /** Whether an answer is due by the time of the receipts. */
  boolean isPast(Entry entry) {
    Instant due = due(entry);
    return due != null && time.isAtOrAfter(due);
  }

  /**
   * When an answer is due, in the time of the receipts; null if never. By the wall clock of its
   * sender a deadline was so far off when the message was sent, and it still is by the boot clock.
   */
  @Nullable Instant due(Entry entry) {
    Instant sent = time.at(entry.clock());
    Duration left = entry.left();
    return sent == null || left == null ? entry.deadline() : Times.later(sent, left);
  }

  /** When a message was stored, in the time of the receipts; null if not known. */
  @Nullable Instant stored(Entry entry) {
    Instant sent = time.at(entry.clock());
    Step arrived = entry.at(State.STORED);
    return sent != null ? sent : (arrived == null ? entry.trail().getFirst() : arrived).at();
  }

  /**
   * Takes {@code {"through": n, "id": …, "except": […]}}, the id being that of the message at n.
   */
  private void cover(Fields marks, State state, Envelope proof, @Nullable String session) {
    Entry last = find(marks.json("through"), marks.text("id"));
    if (last == null) {
      return;
    }
    Set<Long> except = new HashSet<>();
    marks.items("except").forEach(item -> except.add(item.number(-1)));
    Coverage open = coverage();
    List<Entry> covered =
        state == State.SEEN
            ? open.seen(last.position(), except)
            : open.given(session, last.position(), except);
    for (Entry entry : covered) {
      reach(entry, state, proof, session);
      open.put(entry, limits.get(MailLimit.STEPS));
    }
  }

  private Coverage coverage() {
    Coverage known = coverage;
    if (known == null) {
      known = new Coverage(inbox.values(), limits.get(MailLimit.STEPS));
      coverage = known;
    }
    return known;
  }

  /** A message that was seen was delivered as well. A new session may be given it again. */
  private void reach(Entry entry, State state, Envelope proof, @Nullable String session) {
    if (state == State.SEEN && !entry.has(State.DELIVERED)) {
      entry.step(Step.of(State.DELIVERED, proof, session, null));
    }
    boolean again =
        state == State.DELIVERED
            && !entry.has(State.SEEN)
            && session != null
            && entry.trail().stream().noneMatch(step -> session.equals(step.session()));
    if (!entry.has(state)) {
      entry.step(Step.of(state, proof, session, null));
    } else if (again && entry.trail().size() < limits.get(MailLimit.STEPS)) {
      entry.step(Step.of(state, proof, session, "again"));
    }
  }

  private void end(Envelope envelope, Fields payload) {
    How how = How.find(payload.text("how", ""));
    if (how == null) {
      return;
    }
    String note = how.note(payload.text("reason"));
    List<Json> ids = payload.items("ids");
    List<Json> at = payload.items("at");
    for (int i = 0; i < at.size() && i < ids.size(); i++) {
      Entry entry = find(at.get(i), ids.get(i).text());
      boolean ends =
          entry != null && !entry.hasEnded() && !(how == How.DEAD && entry.has(State.DELIVERED));
      if (entry != null && ends) {
        entry.step(Step.of(how.state(), envelope, payload.text("session"), note));
        inbox.remove(entry.position());
        if (coverage != null) {
          coverage.remove(entry);
        }
        shelve(entry);
      }
    }
  }

  private void undo(Topic receipts, Fields payload) {
    Set<String> proofs = MailReview.proofs(receipts, payload);
    if (proofs.isEmpty() || payload.text("reason", "").isBlank()) {
      return;
    }
    inbox.values().forEach(entry -> entry.takeBack(proofs));
    for (Shelved<Entry> shelved : List.copyOf(recent)) {
      Entry entry = shelved.get();
      if (entry.takeBack(proofs) && !entry.hasEnded()) {
        recent.remove(shelved);
        inbox.put(entry.position(), entry);
      }
    }
    coverage = null;
    endedAt = null;
  }

  private void shelve(Entry entry) {
    Map<Position, Entry> known = endedAt();
    recent.add(Shelved.of(entry));
    known.put(entry.position(), entry);
    while (recent.size() > limits.get(MailLimit.RECENT)) {
      known.remove(recent.remove().get().position());
    }
  }

  /** The messages that ended last, by their places. */
  private Map<Position, Entry> endedAt() {
    Map<Position, Entry> known = endedAt;
    if (known == null) {
      known = new HashMap<>();
      for (Entry entry : recent()) {
        known.put(entry.position(), entry);
      }
      endedAt = known;
    }
    return known;
  }

  /** The message at this place if it has this id, in the inbox or ended lately. */
  private @Nullable Entry find(@Nullable Json position, @Nullable String id) {
    long value = position == null ? -1 : position.number(-1);
    Entry entry = value < 0 ? null : find(new Position(value));
    return entry != null && entry.id().equals(id) ? entry : null;
  }

  private @Nullable Entry find(Position position) {
    Entry open = inbox.get(position);
    if (open != null) {
      return open;
    }
    return recent.isEmpty() ? null : endedAt().get(position);
  }

  /** What is in the inbox, the oldest first. */
  public Collection<Entry> inbox() {
    return Collections.unmodifiableCollection(inbox.values());
  }

  /** What has ended last, the oldest first. */
  public Collection<Entry> recent() {
    return recent.stream().map(Shelved::get).toList();
  }

  /** The message of this id or place, in the inbox or ended lately; null if there is none. */
  public @Nullable Entry find(String id) {
    for (Entry entry : inbox.descendingMap().values()) {
      if (names(entry, id)) {
        return entry;
      }
    }
    for (Entry entry : recent()) {
      if (names(entry, id)) {
        return entry;
      }
    }
    return null;
  }

  private boolean names(Entry entry, String id) {
    return entry.id().equals(id) || (id.indexOf('@') >= 0 && entry.position().in(mail).equals(id));
  }

  /** The id of the message that this sender sent with this key; null if there is none. */
  public @Nullable String sentWith(String sender, String key) {
    return keys.get(keyOf(sender, key));
  }

  /** What a message says, if it is the one that came last; null if it must be read again. */
  @Nullable Envelope latest(Entry entry) {
    return latest != null && latest.position().equals(entry.position()) ? latest : null;
  }

  public MailLimits limits() {
    return limits;
  }

  /** The time of the receipts. */
  FoldTime time() {
    return time;
  }

  /** What receipts name it by: the id of its first message; null if it is empty. */
  @Nullable String first() {
    return first;
  }

  /** How many messages have ever come, repeats not counted. */
  public long received() {
    return received;
  }

  @Override
  public Json save() {
    List<String> known = new ArrayList<>(2 * keys.size());
    keys.forEach((key, id) -> {
      known.add(key);
      known.add(id);
    });
    List<Json> waiting = new ArrayList<>();
    held.forEach((position, thread) -> {
      waiting.add(Json.of(position.value()));
      waiting.add(Json.of(thread));
    });
    return Json.object()
        .put("first", first)
        .put("received", received)
        .put("limits", limits.save())
        .put("time", time.save())
        .put("damper", damper.save())
        .put("keys", Json.ofStrings(known))
        .put("held", Json.of(waiting))
        .put("inbox", Json.of(inbox.values().stream().map(Entry::save).toList()))
        .put("recent", Json.of(recent.stream().map(entry -> entry.save(Entry::save)).toList()))
        .build();
  }

  private void load(Fields saved) {
    first = saved.text("first");
    received = saved.number("received", -1);
    if (received < 0) {
      throw new IllegalArgumentException("not a mailbox");
    }
    limits = MailLimits.DEFAULT.with(saved.object("limits"));
    time = FoldTime.load(saved.object("time"));
    damper = Damper.load(saved.items("damper"));
    List<String> known = saved.texts("keys");
    for (int i = 0; i + 1 < known.size(); i += 2) {
      keys.put(known.get(i), known.get(i + 1));
    }
    List<Json> waiting = saved.items("held");
    for (int i = 0; i + 1 < waiting.size(); i += 2) {
      String thread = waiting.get(i + 1).text();
      held.put(new Position(waiting.get(i).number(-1)), thread == null ? "" : thread);
    }
    for (Json item : saved.items("inbox")) {
      Entry entry = Entry.load(item);
      inbox.put(entry.position(), entry);
    }
    for (Json item : saved.items("recent")) {
      recent.add(Shelved.saved(item, Entry::load));
    }
  }
}

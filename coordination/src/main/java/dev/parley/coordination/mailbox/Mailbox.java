package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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
 * One topic decides how a message ends, so every message ends once.
 *
 * <p>All readers come to the same state, however they interleave the two topics. A receipt names
 * messages by ids that nobody knows before they are in the mail, so a message is always applied
 * before its receipt. And no envelope's effect depends on what the other topic says of the message.
 * Whether a message is held depends on the mail alone, so writers of receipts leave held messages
 * out. Nor does this fold check whether a dead message has waited long enough: the limits are in
 * the mail, and a reader that is further ahead there would decide otherwise. The writer of the
 * receipt has checked.
 *
 * <p>Of the messages that have ended, the mailbox keeps only the last {@link MailLimit#RECENT}.
 */
public final class Mailbox implements Fold {
  /** The most lines that one {@code mail.undo} may name. */
  private static final int MOST_UNDONE = 1_000;

  private final Topic mail;

  private final TreeMap<Position, MailboxEntry> inbox = new TreeMap<>();
  private final Map<String, String> keys = new LinkedHashMap<>();
  private final EndedMail ended = new EndedMail();
  private ChatterFilter filter = new ChatterFilter();
  private MailLimits limits = MailLimits.DEFAULT;
  private FoldTime time = new FoldTime();
  private @Nullable String first;
  private long received;

  /** The newest message with its content, which is nearly always the next one to be read. */
  private @Nullable Envelope latest;

  /** The messages that receipts can still change; null until needed. */
  private @Nullable ReceiptCoverage coverage;

  /** The thread of each message that was held and not let go, whatever the receipts say. */
  private final TreeMap<Position, String> held = new TreeMap<>();

  private Mailbox(Topic mail) {
    this.mail = mail;
  }

  /** The topic of the mail to an agent. */
  public static Topic mailOf(String agent) {
    return topic("mail", agent);
  }

  /** The topic in which an agent records what became of its mail. */
  public static Topic receiptsOf(String agent) {
    return topic("receipts", agent);
  }

  static Topic topic(String root, String agent) {
    return new Topic(root + "." + new AgentName(agent).topicPart());
  }

  /** How to fold the mailbox of an agent. */
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
    MailboxEntry entry = new MailboxEntry(envelope, after);
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
    String why = filter.see(entry, envelope, limits);
    entry.arrive(
        DeliveryStep.of(
            why == null ? DeliveryState.STORED : DeliveryState.HELD, envelope, null, why));
    inbox.put(entry.position(), entry);
    if (coverage != null) {
      coverage.put(entry, limits.get(MailLimit.STEPS));
    }
    latest = envelope;
    if (why != null) {
      hold(entry);
    }
  }

  private void hold(MailboxEntry entry) {
    held.put(entry.position(), entry.thread());
    while (held.size() > Math.max(limits.get(MailLimit.MESSAGES), limits.get(MailLimit.THREADS))) {
      held.pollFirstEntry();
    }
  }

  private void control(Envelope envelope) {
    Fields payload = Fields.of(envelope.payload());
    if (envelope.type().equals(MailTypes.LIMITS)) {
      limits = limits.with(payload);
      coverage = null; // it depends on the limit of steps
    } else if (envelope.type().equals(MailTypes.LET_GO)) {
      letGo(envelope, new Position(Math.max(0, payload.number("position", 0))));
    }
  }

  private void letGo(Envelope envelope, Position position) {
    String thread = held.remove(position);
    if (thread == null) {
      return;
    }
    filter.reset(thread);
    MailboxEntry entry = find(position);
    if (entry != null) {
      entry.arrive(
          DeliveryStep.of(DeliveryState.STORED, envelope, null, "let go by " + envelope.sender()));
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
    // How far the time went back is not needed: a deadline is computed anew from its message's
    // clock.
    var _ = time.follow(envelope, null);
    Fields payload = Fields.of(envelope.payload());
    if (first == null || !first.equals(payload.text("mailbox"))) {
      return;
    }
    switch (envelope.type()) {
      case MailTypes.RECEIPT -> {
        String session = payload.text("session");
        cover(payload.object("delivered"), DeliveryState.DELIVERED, envelope, session);
        cover(payload.object("seen"), DeliveryState.SEEN, envelope, session);
      }
      case MailTypes.OVERDUE -> {
        MailboxEntry entry = find(payload.json("position"), payload.text("id"));
        if (entry != null && isDue(entry)) {
          entry.step(DeliveryStep.of(DeliveryState.OVERDUE, envelope, null, null));
        }
      }
      case MailTypes.END -> end(envelope, payload);
      case MailTypes.UNDO -> undo(envelope.topic(), payload);
      default -> {
        // Not about a message.
      }
    }
  }

  private boolean isDue(MailboxEntry entry) {
    return !entry.hasEnded()
        && entry.needsReply()
        && !entry.has(DeliveryState.OVERDUE)
        && isPast(entry);
  }

  /** Whether the deadline of an answer has passed, by the time of the receipts. */
  public boolean isPast(MailboxEntry entry) {
    Instant due = due(entry);
    return due != null && time.isAtOrAfter(due);
  }

  /**
   * The deadline of an answer, in the time of the receipts; null if there is none. The sender set
   * it by its wall clock; the distance to it at that moment is what counts, measured by the boot
   * clock.
   */
  public @Nullable Instant due(MailboxEntry entry) {
    Instant sent = time.at(entry.clock());
    Duration left = entry.left();
    return sent == null || left == null ? entry.deadline() : StoredTimes.later(sent, left);
  }

  /** When a message was stored, in the time of the receipts; null if not known. */
  @Nullable Instant stored(MailboxEntry entry) {
    Instant sent = time.at(entry.clock());
    DeliveryStep arrived = entry.at(DeliveryState.STORED);
    return sent != null ? sent : (arrived == null ? entry.trail().getFirst() : arrived).at();
  }

  /** Applies {@code {"through": n, "id": …, "except": […]}}; the id is that of the message at n. */
  private void cover(Fields marks, DeliveryState state, Envelope proof, @Nullable String session) {
    MailboxEntry last = find(marks.json("through"), marks.text("id"));
    if (last == null) {
      return;
    }
    Set<Long> except = new HashSet<>();
    marks.items("except").forEach(item -> except.add(item.number(-1)));
    ReceiptCoverage open = coverage();
    List<MailboxEntry> covered =
        state == DeliveryState.SEEN
            ? open.seen(last.position(), except)
            : open.given(session, last.position(), except);
    for (MailboxEntry entry : covered) {
      reach(entry, state, proof, session);
      open.put(entry, limits.get(MailLimit.STEPS));
    }
  }

  private ReceiptCoverage coverage() {
    ReceiptCoverage known = coverage;
    if (known == null) {
      known = new ReceiptCoverage(inbox.values(), limits.get(MailLimit.STEPS));
      coverage = known;
    }
    return known;
  }

  /**
   * Records that a message was delivered or seen. Seen implies delivered. A message that an earlier
   * session was given, but has not seen, may be delivered again to a new session.
   */
  private void reach(
      MailboxEntry entry, DeliveryState state, Envelope proof, @Nullable String session) {
    if (state == DeliveryState.SEEN && !entry.has(DeliveryState.DELIVERED)) {
      entry.step(DeliveryStep.of(DeliveryState.DELIVERED, proof, session, null));
    }
    boolean again =
        state == DeliveryState.DELIVERED
            && !entry.has(DeliveryState.SEEN)
            && session != null
            && entry.trail().stream().noneMatch(step -> session.equals(step.session()));
    if (!entry.has(state)) {
      entry.step(DeliveryStep.of(state, proof, session, null));
    } else if (again && entry.trail().size() < limits.get(MailLimit.STEPS)) {
      entry.step(DeliveryStep.of(state, proof, session, "again"));
    }
  }

  private void end(Envelope envelope, Fields payload) {
    EndReason how = EndReason.find(payload.text("how", ""));
    if (how == null) {
      return;
    }
    String note = how.note(payload.text("reason"));
    List<Json> ids = payload.items("ids");
    List<Json> at = payload.items("at");
    for (int i = 0; i < at.size() && i < ids.size(); i++) {
      MailboxEntry entry = find(at.get(i), ids.get(i).text());
      boolean ends =
          entry != null
              && !entry.hasEnded()
              && !(how == EndReason.DEAD && entry.has(DeliveryState.DELIVERED));
      if (entry != null && ends) {
        entry.step(DeliveryStep.of(how.state(), envelope, payload.text("session"), note));
        inbox.remove(entry.position());
        if (coverage != null) {
          coverage.remove(entry);
        }
        ended.add(entry, limits.get(MailLimit.RECENT));
      }
    }
  }

  private void undo(Topic receipts, Fields payload) {
    Set<String> proofs = undone(receipts, payload);
    if (proofs.isEmpty() || payload.text("reason", "").isBlank()) {
      return;
    }
    inbox.values().forEach(entry -> entry.takeBack(proofs));
    ended.takeBack(proofs).forEach(entry -> inbox.put(entry.position(), entry));
    coverage = null;
  }

  /** The lines that an undo names, in the form in which steps name their proof. */
  private static Set<String> undone(Topic receipts, Fields payload) {
    Set<String> proofs = new HashSet<>();
    for (Json item : payload.items("positions")) {
      if (proofs.size() < MOST_UNDONE && item.number(0) > 0) {
        proofs.add(new Position(item.number(0)).in(receipts));
      }
    }
    return proofs;
  }

  /** The message at this position if it has this id, in the inbox or ended lately. */
  private @Nullable MailboxEntry find(@Nullable Json position, @Nullable String id) {
    long value = position == null ? -1 : position.number(-1);
    MailboxEntry entry = value < 0 ? null : find(new Position(value));
    return entry != null && entry.id().equals(id) ? entry : null;
  }

  private @Nullable MailboxEntry find(Position position) {
    MailboxEntry open = inbox.get(position);
    if (open != null) {
      return open;
    }
    return ended.find(position);
  }

  /** The messages in the inbox, the oldest first. */
  public Collection<MailboxEntry> inbox() {
    return Collections.unmodifiableCollection(inbox.values());
  }

  /** The messages that ended last, the oldest first. */
  public Collection<MailboxEntry> recent() {
    return ended.all();
  }

  /**
   * The message of this id or {@code topic@position}, in the inbox or ended lately; null if there
   * is none.
   */
  public @Nullable MailboxEntry find(String id) {
    for (MailboxEntry entry : inbox.descendingMap().values()) {
      if (names(entry, id)) {
        return entry;
      }
    }
    for (MailboxEntry entry : recent()) {
      if (names(entry, id)) {
        return entry;
      }
    }
    return null;
  }

  private boolean names(MailboxEntry entry, String id) {
    return entry.id().equals(id) || (id.indexOf('@') >= 0 && entry.position().in(mail).equals(id));
  }

  /** The id of the message that this sender sent with this key; null if there is none. */
  public @Nullable String sentWith(String sender, String key) {
    return keys.get(keyOf(sender, key));
  }

  /** The content of a message, if it is the newest; null if it must be read again. */
  public @Nullable Envelope latest(MailboxEntry entry) {
    return latest != null && latest.position().equals(entry.position()) ? latest : null;
  }

  public MailLimits limits() {
    return limits;
  }

  /** The time of the receipts' topic. */
  public FoldTime time() {
    return time;
  }

  /** The id of the first message, by which receipts name this mailbox; null if it is empty. */
  public @Nullable String first() {
    return first;
  }

  /** How many messages have ever come, not counting repeats. */
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
        .put("damper", filter.save())
        .put("keys", Json.ofStrings(known))
        .put("held", Json.of(waiting))
        .put("inbox", Json.of(inbox.values().stream().map(MailboxEntry::save).toList()))
        .put("recent", ended.save())
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
    filter = ChatterFilter.load(saved.items("damper"));
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
      MailboxEntry entry = MailboxEntry.load(item);
      inbox.put(entry.position(), entry);
    }
    ended.load(saved.items("recent"));
  }
}

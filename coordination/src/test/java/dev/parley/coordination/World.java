package dev.parley.coordination;

import dev.parley.coordination.Simulation.Violation;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.ledger.Sessions.Profile;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mail.SendResult;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.DeliveryStep;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.testing.UnreliableLog;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** A few agents with clocks and troubles of their own, and someone who watches them. */
final class World implements Simulation.World {
  private static final List<String> NAMES = List.of("ann", "ben", "cid");
  private static final Instant BAD_STAMP = Instant.parse("2099-01-01T00:00:00Z");
  private static final Reporter QUIET = report -> {};

  private static final class Agent {
    final String name;
    Team team;
    Session session;
    Mail mail;
    Duration skew = Duration.ZERO;
    int paused;

    Agent(String name) {
      this.name = name;
    }
  }

  private final WorldClocks clocks;
  private Instant latestClock;
  private boolean badStamp;
  private boolean hadBadStamp;
  private Agent current;
  private final MemoryLog memory;
  private final UnreliableLog log;
  private final List<Agent> agents = new ArrayList<>();

  // What the watcher knows.
  private final FoldReader<Ledger> ledger;
  private final Map<String, FoldReader<Mailbox>> mailboxes = new HashMap<>();
  private final Map<String, String> accepted = new LinkedHashMap<>();
  private final Map<String, DeliveryState> states = new HashMap<>();
  private final Map<String, DeliveryStep> ends = new HashMap<>();
  private final Map<String, String> claimed = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private final Set<String> offered = new HashSet<>();
  private final Map<String, List<DeliveryStep>> trails = new HashMap<>();
  private final List<Mail> zombies = new ArrayList<>();

  /** How many sessions were begun: their secrets are counted, so a world can be repeated. */
  private int sessions;

  World(Random random) {
    clocks = new WorldClocks(random);
    latestClock = clocks.time();
    memory = new MemoryLog(Limits.DEFAULT, this::stamp, clocks, QUIET);
    log = new UnreliableLog(memory);
    Views none = Views.inMemory();
    ledger = new FoldReader<>(memory, none, QUIET, Ledger.KIND);
    for (String name : NAMES) {
      Agent agent = new Agent(name);
      agent.team = newTeam();
      agent.skew = Duration.ofSeconds(random.nextInt(241) - 120L);
      agents.add(agent);
      mailboxes.put(name, new FoldReader<>(memory, none, QUIET, Mailbox.of(name)));
    }
    for (String other : List.of("human", Bus.SYSTEM)) {
      mailboxes.put(other, new FoldReader<>(memory, none, QUIET, Mailbox.of(other)));
    }
    current = agents.getFirst();
  }

  private Team newTeam() {
    return new Team(log, Views.inMemory(), QUIET, this::clock);
  }

  /** The clock of whoever's turn it is. */
  private Instant clock() {
    return clocks.time().plus(current.skew);
  }

  /** What the log stamps lines with. */
  private Instant stamp() {
    if (badStamp) {
      badStamp = false;
      return BAD_STAMP;
    }
    return clock();
  }

  private void noteClocks() {
    for (Agent agent : agents) {
      Instant clock = clocks.time().plus(agent.skew);
      latestClock = clock.isAfter(latestClock) ? clock : latestClock;
    }
  }

  @Override
  public void turn(Random random) throws InterruptedException {
    pass(random);
    current = agents.get(random.nextInt(agents.size()));
    trouble(random);
    if (current.paused > 0) {
      current.paused--;
      return;
    }
    if (random.nextInt(6) == 0) {
      log.crashAfter(random.nextInt(4), random.nextBoolean());
    }
    try {
      act(current, random);
    } catch (UnreliableLog.Crash e) {
      restart(current, random.nextInt(3) == 0);
    } catch (ParleyException e) {
      if (e.code().equals("session-ended")) {
        forget(current);
      } else if (!Set.of("name-taken", "nobody-here", "unknown-recipient").contains(e.code())) {
        throw e;
      }
    } finally {
      log.calm();
    }
    watch();
  }

  private void pass(Random random) {
    long millis =
        switch (random.nextInt(20)) {
          case 0 -> random.nextInt(3_600_000);
          case 1, 2, 3 -> random.nextInt(400_000);
          default -> random.nextInt(5_000);
        };
    clocks.pass(Duration.ofMillis(random.nextInt(200) == 0 ? 25 * 3_600_000L : millis));
    noteClocks();
  }

  private void trouble(Random random) {
    switch (random.nextInt(60)) {
      case 0 -> current.skew = clocks.skew(random);
      case 1 -> current.skew = Duration.ofSeconds(random.nextInt(20) - 10L);
      case 2 -> current.paused = random.nextInt(8);
      case 3, 4 -> restart(current, false);
      default -> {
        // All is well.
      }
    }
    if (!hadBadStamp && random.nextInt(20) == 0) {
      badStamp = true;
      hadBadStamp =
          true; // it takes two to agree on a wrong time, and there is no help against that
    }
    noteClocks();
  }

  /** A new process, which has the token of its session unless that is lost. */
  private void restart(Agent agent, boolean loseToken) {
    agent.team = newTeam();
    if (agent.session != null && agent.mail != null) {
      if (loseToken) {
        forget(agent);
      } else {
        agent.mail = agent.team.mail(agent.session);
      }
    } else {
      agent.session = null;
    }
  }

  private void forget(Agent agent) {
    agent.session = null;
    agent.mail = null;
  }

  private void act(Agent agent, Random random) throws InterruptedException {
    if (agent.mail == null) {
      join(agent);
      return;
    }
    Mail mail = agent.mail;
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> send(mail, random);
      case 4 ->
          with(
              mail,
              random,
              letter -> {
                if (!letter.entry().from().equals(Bus.SYSTEM)) { // nobody reads what it is told
                  claim(letter, "answered: " + accept(mail.reply(id(letter), says("answer"))).id());
                }
              });
      case 5 ->
          with(
              mail,
              random,
              letter -> {
                mail.acknowledge(List.of(id(letter)));
                claim(letter, "acknowledged");
              });
      case 6 ->
          with(
              mail,
              random,
              letter -> {
                mail.refuse(List.of(id(letter)), "no time");
                claim(letter, "refused: no time");
              });
      case 7 ->
          with(
              mail,
              random,
              letter -> {
                mail.remove(List.of(id(letter)));
                claim(letter, "removed");
              });
      case 8 -> {
        List<ReceivedMail> letters = mail.inbox(MailFilter.ANY);
        letters.forEach(letter -> offered.add(agent.session.id() + id(letter)));
        mail.delivered(letters);
        letters.forEach(letter -> given.add(agent.session.id() + id(letter)));
      }
      case 9 -> {
        List<ReceivedMail> letters = mail.inbox(MailFilter.ANY.unread(true));
        if (!letters.isEmpty()) {
          ReceivedMail one = letters.get(random.nextInt(letters.size()));
          offered.add(agent.session.id() + id(one));
          mail.seen(List.of(one));
          given.add(agent.session.id() + id(one));
        }
      }
      case 10, 11 -> await(agent);
      case 12 -> agent.team.sessions().heartbeat(agent.session, Beat.ALIVE);
      case 13 -> {
        agent.team.sessions().leave(agent.session, null);
        zombies.add(agent.mail);
        forget(agent);
      }
      case 14 -> mail.sent();
      default -> heldOrZombie(mail, random);
    }
  }

  private void heldOrZombie(Mail mail, Random random) {
    List<ReceivedMail> held = mail.held();
    if (!held.isEmpty()) {
      mail.letGo(List.of(id(held.getFirst())));
    }
    if (!zombies.isEmpty()) {
      Mail zombie = zombies.get(random.nextInt(zombies.size()));
      try {
        var _ = zombie.send(says("from the grave"));
      } catch (ParleyException e) {
        if (e.code().equals("session-ended")) {
          return;
        }
      }
      throw new Violation("one owner of a name", "a session that left has sent");
    }
  }

  private void join(Agent agent) {
    Ledger before = ledger.refresh();
    Member owner = before.roster().member(agent.name);
    boolean freeAtLast =
        owner == null
            || owner.hasLeft()
            || !clocks
                .latest(before.time(), latestClock)
                .isBefore(owner.heard().plus(before.staleAfter()));
    agent.session = new Session(agent.name, "secret" + ++sessions);
    var _ = agent.team.sessions().join(agent.session, Profile.NONE);
    if (!freeAtLast) {
      throw new Violation("one owner of a name", agent.name + " was taken from a live session");
    }
    agent.mail = agent.team.mail(agent.session);
  }

  private static Draft says(String body) {
    return Draft.to("human").says("", body);
  }

  private static String id(ReceivedMail letter) {
    return letter.entry().id();
  }

  private interface Deed {
    void to(ReceivedMail letter);
  }

  /** Does something to a letter; that another was faster is no surprise to a repeated attempt. */
  private static void with(Mail mail, Random random, Deed deed) {
    List<ReceivedMail> letters = mail.inbox(MailFilter.ANY);
    if (!letters.isEmpty()) {
      try {
        deed.to(letters.get(random.nextInt(letters.size())));
      } catch (ParleyException e) {
        // After a crash between an answer and the end of the question, another kind of end is late.
        if (!e.code().equals("already-ended")) {
          throw e;
        }
      }
    }
  }

  private void send(Mail mail, Random random) {
    String to = random.nextInt(8) == 0 ? Draft.ALL : NAMES.get(random.nextInt(NAMES.size()));
    Draft draft = Draft.to(to).says("s", "body");
    if (random.nextBoolean()) {
      draft = draft.needsReply(clock().plusSeconds(random.nextInt(1200)));
    }
    if (random.nextInt(3) == 0) {
      draft = draft.key("k" + random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      draft = draft.automatic(true).thread("t");
    }
    SendResult result =
        to.equals(Draft.ALL) || random.nextBoolean() ? mail.sendAnyway(draft) : mail.send(draft);
    var _ = accept(result);
  }

  private SendResult.Copy accept(SendResult result) {
    for (SendResult.Copy copy : result.copies()) {
      accepted.put(copy.id(), copy.to());
    }
    return result.first();
  }

  private void await(Agent agent) throws InterruptedException {
    ReceivedMail letter = agent.mail.await(MailFilter.ANY, Duration.ZERO);
    if (letter == null) {
      for (MailboxEntry entry : mailboxes.get(agent.name).refresh().inbox()) {
        boolean waits = !entry.isHeld() && !entry.has(DeliveryState.SEEN);
        if (waits && !offered.contains(agent.session.id() + entry.id())) {
          throw new Violation("a wait finds what it has not given", entry.id());
        }
      }
    } else {
      if (given.contains(agent.session.id() + id(letter))) {
        throw new Violation("a wait gives each letter once", id(letter));
      }
      offered.add(agent.session.id() + id(letter));
      agent.mail.delivered(List.of(letter));
      given.add(agent.session.id() + id(letter));
    }
  }

  private void claim(ReceivedMail letter, String note) {
    String before = claimed.put(id(letter), note);
    if (before != null) {
      throw new Violation("one end a message", id(letter) + " " + before + " and " + note);
    }
  }

  // The watcher

  private void watch() {
    Ledger now = ledger.refresh();
    time("ledger", now.time());
    for (Member member : now.roster().members()) {
      if (member.heard().isAfter(clocks.latest(now.time(), latestClock))) {
        throw new Violation("a 2099 line moves nothing", member + " heard of in the future");
      }
    }
    for (FoldReader<Mailbox> box : mailboxes.values()) {
      Mailbox mailbox = box.refresh();
      mailbox.inbox().forEach(this::check);
      mailbox.recent().forEach(this::check);
    }
    accepted.forEach((id, to) -> {
      if (mailboxes.get(to).lastKnown().find(id) == null) {
        throw new Violation("nothing accepted is lost", id + " to " + to);
      }
    });
    claimed.forEach((id, note) -> {
      DeliveryStep end = ends.get(id);
      if (end == null || !note.equals(end.note())) {
        throw new Violation("an acknowledged end holds", id + " " + note + " but " + end);
      }
    });
  }

  private void time(String what, dev.parley.coordination.fold.FoldTime folded) {
    if (folded.isAtOrAfter(clocks.latest(folded, latestClock).plusSeconds(1))) {
      throw new Violation("a 2099 line moves nothing", what + " is at " + folded.now());
    }
  }

  private void check(MailboxEntry entry) {
    DeliveryState before = states.put(entry.id(), entry.state());
    if (before != null && entry.state().compareTo(before) < 0) {
      throw new Violation("states only move forward", entry.id() + " from " + before);
    }
    // All that follows depends on the trail, and on a clock that only makes it easier to be right.
    if (entry.trail().equals(trails.get(entry.id()))) {
      return;
    }
    trails.put(entry.id(), List.copyOf(entry.trail()));
    List<DeliveryStep> last = entry.trail().stream().filter(World::isEnd).toList();
    if (last.size() > 1) {
      throw new Violation("one end a message", entry.id() + " " + last);
    }
    DeliveryStep ended = last.isEmpty() ? null : last.getFirst();
    DeliveryStep endedBefore = ended == null ? ends.get(entry.id()) : ends.put(entry.id(), ended);
    if (endedBefore != null && !endedBefore.equals(ended)) {
      throw new Violation("one end a message", entry.id() + " " + endedBefore + " " + ended);
    }
    List<DeliveryState> way = entry.trail().stream().map(DeliveryStep::state).toList();
    int seen = way.indexOf(DeliveryState.SEEN);
    int delivered = way.indexOf(DeliveryState.DELIVERED);
    if (seen >= 0 && (delivered < 0 || delivered > seen)) {
      throw new Violation("seen is after delivered", entry.id() + " " + way);
    }
    if (entry.has(DeliveryState.OVERDUE) && !isDue(entry)) {
      throw new Violation("a 2099 line moves nothing", entry.id() + " is overdue too early");
    }
  }

  /** Whether as much time has passed as was left by the clock of who sent it. */
  private boolean isDue(MailboxEntry entry) {
    if (!clocks.hasBootClock()) {
      return !entry.deadline().isAfter(latestClock);
    }
    Envelope line =
        NAMES.stream()
            .flatMap(name -> lines(Mailbox.mailOf(name)).stream())
            .filter(each -> each.id().equals(entry.id()))
            .findFirst()
            .orElseThrow();
    Duration left = Duration.between(line.time(), entry.deadline());
    long millis = clocks.now().millis() - line.clock().millis();
    return millis >= left.toMillis();
  }

  private static boolean isEnd(DeliveryStep step) {
    return step.state() == DeliveryState.DONE || step.state() == DeliveryState.DEAD;
  }

  /** The clocks pass every deadline and everybody looks once. */
  @Override
  public void settle() {
    badStamp = false;
    agents.forEach(agent -> agent.skew = Duration.ZERO);
    Duration until = Duration.between(clocks.time(), latestClock);
    clocks.pass((clocks.hasBootClock() ? Duration.ZERO : until).plusHours(3));
    noteClocks();
    for (Agent agent : agents) {
      current = agent;
      agent.team = newTeam();
      forget(agent);
      join(agent);
      var _ = agent.mail.inbox(MailFilter.ANY);
    }
    watch();
    for (String name : NAMES) {
      for (MailboxEntry entry : mailboxes.get(name).refresh().inbox()) {
        // How far off a deadline was can't be told if the stamp of its message is a bad one.
        boolean late =
            entry.needsReply()
                && entry.deadline() != null
                && (!clocks.hasBootClock() || !BAD_STAMP.equals(entry.trail().getFirst().at()));
        if (late && !entry.isHeld() && !entry.has(DeliveryState.OVERDUE)) {
          throw new Violation("every deadline is kept or noticed", entry.id());
        }
      }
    }
    escalatedOnce();
  }

  private void escalatedOnce() {
    List<String> told =
        lines(Mailbox.mailOf("human")).stream()
            .filter(line -> line.type().equals(MailTypes.ESCALATION))
            .filter(line -> mailboxes.get("human").refresh().find(line.id()) != null)
            .map(line -> line.payload().fields().get("body").text())
            .toList();
    for (String name : NAMES) {
      Mailbox mailbox = mailboxes.get(name).refresh();
      List<MailboxEntry> all = new ArrayList<>(mailbox.inbox());
      all.addAll(mailbox.recent());
      for (MailboxEntry entry : all) {
        String mark = "(" + entry.id() + ")";
        long times = told.stream().filter(body -> body.contains(mark)).count();
        if (times > 1 || (times == 0 && entry.has(DeliveryState.OVERDUE))) {
          throw new Violation("escalated once", entry.id() + " " + times + " times");
        }
      }
    }
  }

  int acceptedMessages() {
    return accepted.size();
  }

  private List<Envelope> lines(Topic topic) {
    return memory.read(topic, Bookmark.START, 1 << 20).envelopes();
  }

  /** Every line of every topic. */
  @Override
  public String wholeLog() {
    return memory.topics(Prefix.ALL).stream()
        .flatMap(topic -> lines(topic).stream().map(line -> line.position().in(topic) + " " + line))
        .collect(Collectors.joining("\n"));
  }
}

package dev.parley.bench.figure;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Program;
import dev.parley.coordination.Team;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.Bookmark;
import dev.parley.core.Message;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands on a bus with a million envelopes, beside the same on an empty one. */
final class BigBusFigure implements Figure {
  private static final String WALL = "wall";
  private static final String BIG = "a million envelopes";
  private static final String EMPTY = "an empty bus";

  /** An id that nobody has: all there is must be searched for it, so it grows with the bus. */
  private static final String SEARCH = "show, of nothing";

  private static final Session ALICE = new Session("alice", "secret of alice");

  /** A mailbox has two topics: twice as many in one fold, and still too few to save its view. */
  private static final int PIECE = FoldReader.SAVE_SOON / 2 - 12;

  /** Tasks that were done on the big bus. */
  private static final int TASKS = 1_000;

  /** Each may be run again and again, and leaves the next what it found. */
  private static final Map<String, List<String>> COMMANDS =
      Map.ofEntries(
          Map.entry("inbox", List.of("inbox")),
          Map.entry("send", List.of("send", "bob", "--body", "hello", "--key", "once")),
          Map.entry("wait", List.of("wait", "--type", "never", "--timeout", "0s")),
          Map.entry("sent", List.of("inbox", "sent")),
          Map.entry("who", List.of("who")),
          Map.entry("status", List.of("status")),
          Map.entry("lock", List.of("lock", "src/a.ts")),
          Map.entry("locks list", List.of("locks", "list")),
          Map.entry("unlock", List.of("unlock", "src/b.ts")),
          Map.entry("task claim", List.of("task", "claim", "mine")),
          Map.entry("task list", List.of("task", "list", "--state", "ready")),
          Map.entry("waits", List.of("waits")),
          Map.entry(SEARCH, List.of("show", "aaaaaaaaaaaaaaaa-1")));

  @Override
  public String name() {
    return "bigbus";
  }

  @Override
  public String title() {
    return "Commands on a bus with 1,000,000 envelopes, wall time";
  }

  @Override
  public String method() {
    return """
    The million: mail for bob that has all ended, its receipts, what alice and bob have sent, and in the ledger heartbeats, leases that were taken and given back, and 1,000 tasks that are done. \
    Views were saved once; since then nearly as many envelopes have come to each topic as make the next command save a small view again (the ledger's, with its tasks, is saved less often); so every command has to fold those. Run as bob, one command after the other, in turns with the same on an empty bus. A search for an id that nobody has \
    reads all of the bus; it is shown, but not part of the bar.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) throws Exception {
    Path folder = lab.newFolder();
    Path prefix = folder.resolve("prefix");
    Program.run(List.of(root(), "install", "--prefix", prefix.toString()), Map.of());
    String parley = prefix.resolve("bin/parley").toString();
    Path big = folder.resolve("big");
    Path empty = folder.resolve("empty");
    for (Path bus : List.of(big, empty)) {
      Map<String, String> environment = environment(bus);
      Program.run(List.of(parley, "init"), environment);
      Program.run(List.of(parley, "join"), environment);
      Program.run(List.of(parley, "send", "bob", "--body", "hello"), environment);
      Program.run(List.of(parley, "task", "add", "mine"), environment);
    }
    work(big, lab.size(TASKS, 10));
    fill(big, lab.size(1_000_000, 40_000));
    for (List<String> words : COMMANDS.values()) {
      var _ = Program.exitCode(command(parley, words), environment(big));
    }
    fill(big, 4 * PIECE);
    double worst = Double.NEGATIVE_INFINITY;
    for (String name : COMMANDS.keySet().stream().sorted().toList()) {
      List<String> words = command(parley, COMMANDS.getOrDefault(name, List.of()));
      try (Race race = new Race(lab)) {
        race.enter(name + ", " + BIG, in -> new Command(words, environment(big)))
            .enter(name + ", " + EMPTY, in -> new Command(words, environment(empty)))
            .run(lab.size(9, 2));
        outcome.take(race, WALL, Unit.MILLIS, "wall time");
        double longer =
            race.median(name + ", " + BIG, WALL) - race.median(name + ", " + EMPTY, WALL);
        worst = name.equals(SEARCH) ? worst : Math.max(worst, longer);
      }
    }
    outcome.verdict(
        Bar.absolute(
                "any command on a million envelopes: longer than on an empty bus",
                Bar.Sense.AT_MOST,
                50,
                "ms")
            .judge(worst));
    Lab.delete(folder);
  }

  private static String root() {
    return Path.of(System.getProperty("parley.root", ".")).resolve("parley").toString();
  }

  private static Map<String, String> environment(Path bus) {
    return Map.of(
        "PARLEY_BUS",
        bus.toString(),
        "PARLEY_AGENT",
        "bob",
        "PARLEY_STATE",
        bus.resolveSibling("state").toString());
  }

  private static List<String> command(String parley, List<String> words) {
    List<String> all = new ArrayList<>(List.of(parley));
    all.addAll(words);
    return all;
  }

  /** A quarter each: mail that ends at once, its ends, what was sent, and heartbeats. */
  private static void fill(Path bus, int envelopes) {
    int batch = PIECE;
    try (Bus open = ParleyCarrier.open(bus.toString(), new ParleyCarrier.Reports())) {
      String first =
          open.log().read(Mailbox.mailOf("bob"), Bookmark.START, 1).envelopes().getFirst().id();
      Json content = Json.object().put("subject", "Old").put("body", "x".repeat(60)).build();
      for (int done = 0; done < envelopes / 4; done += batch) {
        List<Stored> mail =
            append(open, Mailbox.mailOf("bob"), batch, Message.of("alice", "task", content));
        List<Message> ends = new ArrayList<>();
        for (Stored stored : mail) {
          ends.add(
              Message.of(
                  "bob",
                  MailTypes.END,
                  Json.object()
                      .put("mailbox", first)
                      .put("how", "acknowledged")
                      .put("at", Json.of(List.of(Json.of(stored.position().value()))))
                      .put("ids", Json.ofStrings(List.of(stored.id())))
                      .build()));
        }
        var _ = open.publish(Mailbox.receiptsOf("bob"), ends);
        Json copy = Json.object().put("to", "alice").put("id", "x").put("position", 1).build();
        Json note =
            Json.object()
                .put("type", "task")
                .put("subject", "Old")
                .put("copies", Json.of(List.of(copy)))
                .build();
        var _ = append(open, Outbox.of("bob"), batch, Message.of("bob", MailTypes.SENT, note));
        ledger(open, batch);
      }
    }
  }

  /** About a third each: heartbeats, leases, their ends. */
  private static void ledger(Bus bus, int count) {
    Json.ObjectBuilder own = Json.object().put("session", ALICE.id());
    var _ =
        append(
            bus,
            Ledger.TOPIC,
            count - 2 * (count / 3),
            Message.of("alice", LedgerTypes.HEARTBEAT, own.put("progress", 1).build()));
    Json wanted =
        Json.object()
            .put("session", ALICE.id())
            .put("paths", Json.ofStrings(List.of("src/old.ts")))
            .build();
    List<Message> ends = new ArrayList<>();
    for (Stored lease :
        append(bus, Ledger.TOPIC, count / 3, Message.of("alice", LeaseTypes.REQUEST, wanted))) {
      Json end =
          Json.object().put("session", ALICE.id()).put("token", lease.position().value()).build();
      ends.add(Message.of("alice", LeaseTypes.RELEASE, end));
    }
    var _ = bus.publish(Ledger.TOPIC, ends);
  }

  /** Lets alice join and do some tasks. */
  private static void work(Path bus, int count) {
    try (Bus open = ParleyCarrier.open(bus.toString(), new ParleyCarrier.Reports())) {
      Team team = new Team(open.log(), Views.inMemory(), new ParleyCarrier.Reports());
      var _ = team.sessions().join(ALICE, Sessions.Profile.NONE);
      TaskList tasks = team.tasks(ALICE);
      for (int i = 0; i < count; i++) {
        String id = "old" + i;
        var _ = tasks.add(Plan.of(id), false);
        var _ = tasks.claim(id, TaskList.Terms.NONE);
        var _ = tasks.done(id, null, List.of(), "it works");
      }
    }
  }

  private static List<Stored> append(Bus bus, Topic topic, int count, Message message) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(message);
    }
    return bus.publish(topic, messages);
  }

  private record Command(List<String> words, Map<String, String> environment)
      implements Contestant {
    @Override
    public Sample round() throws Exception {
      long from = System.nanoTime();
      // A wait that finds nothing ends with 4, as it should.
      var _ = Program.exitCode(words, environment);
      return Sample.of(WALL, (System.nanoTime() - from) / 1e6);
    }
  }
}

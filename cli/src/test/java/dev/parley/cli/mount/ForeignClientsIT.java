package dev.parley.cli.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Four foreign clients at a time, each with the locks of its design or none, and two live bridges:
 * nothing is lost, doubled or torn on either side.
 */
class ForeignClientsIT {
  /** How the text of a message is marked: who wrote it, and the how manieth it is. */
  private static final Pattern MARK = Pattern.compile("[a-z]+-[a-z]+-[0-9]+\\.[0-9]+\\.");

  private static final String DIRECT = "claude-rev-1";

  @TempDir Path folder;
  private BusFolder bus;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "markdown, MESSAGE-BUS.md, journal, append append mkdir append",
    "conductor, queue.jsonl, conductor, append mkdir mkdir append",
    "conclave, board.jsonl, conclave.board, flock flock flock flock"
  })
  void whatIsAppendedIsThereOnceOnBothSides(String dialect, String name, String topic, String modes)
      throws Exception {
    Path at = mount(dialect);
    Path file = Files.isDirectory(at) ? at.resolve(name) : at;
    try (Launched _ = bridge();
        Launched _ = bridge()) {
      List<Launched> clients = new ArrayList<>();
      for (String mode : modes.split(" ", -1)) {
        clients.add(client(mode, file, "claude-dev-" + (clients.size() + 1)));
      }
      List<String> ours = publishWhileAlive(new Topic(topic), List.of(), clients);
      List<String> all = answers(clients);
      int theirs = all.size();
      all.addAll(ours);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> onTheBus(topic).size() >= all.size() && inFile(file).size() >= all.size());
      run("status"); // whatever is still to come has come then

      assertThat(onTheBus(topic)).containsExactlyInAnyOrderElementsOf(all);
      assertThat(inFile(file)).containsExactlyInAnyOrderElementsOf(all);
      assertThat(examined()).isEmpty();
      Seed.say(dialect + ": " + theirs + " foreign messages, " + ours.size() + " of ours");
    }
  }

  /** An outbox replaced without a lock, one written in place, an inbox under its sentinel. */
  @Test
  void whatIsSentToAnInboxIsReadOnce() throws Exception {
    SwarmMessageBus swarm = new SwarmMessageBus(mount("swarm"), remark -> {});
    Path inbox = swarm.getInboxPath("developer");
    try (Launched _ = bridge();
        Launched _ = bridge()) {
      List<Launched> writers =
          List.of(
              client("outbox", swarm.getOutboxPath("researcher"), "claude-res-1"),
              client("rewrite", swarm.getOutboxPath("architect"), "claude-arc-1"),
              client("sentinel", inbox, DIRECT));
      Launched reader = client("reader", inbox, "claude-dev-1");
      List<String> ours =
          publishWhileAlive(new Topic("mail.developer"), List.of("developer"), writers);
      List<String> all = answers(writers);
      int theirs = all.size();
      all.addAll(ours);
      List<String> read = answers(List.of(reader));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> read.size() + swarm.readInbox("developer").size() >= all.size());
      run("status");

      for (SwarmMessage message : swarm.readInbox("developer")) {
        read.addAll(marks(message.body()));
      }
      assertThat(read).containsExactlyInAnyOrderElementsOf(all);
      List<String> carried = onTheBus("mail.developer");
      assertThat(carried).doesNotHaveDuplicates();
      // What one client put into the inbox itself another may have taken out before we looked.
      assertThat(carried.stream().filter(mark -> !mark.startsWith(DIRECT)))
          .containsExactlyInAnyOrderElementsOf(
              all.stream().filter(mark -> !mark.startsWith(DIRECT)).toList());
      Seed.say("swarm: " + theirs + " foreign messages, " + ours.size() + " of ours");
    }
  }

  private Path mount(String dialect) {
    run("init");
    Path at = folder.resolve(Dialect.named(dialect).usualName());
    run("init", "--dialect", dialect, at.toString());
    run("mount", dialect, at.toString());
    bus = BusFolder.find(folder.resolve(".parley"), folder, Map.of());
    return at;
  }

  private void run(String... args) {
    Trial.Answer answer = new Trial(folder).with("PARLEY_AGENT", "alice").run(args);
    assertThat(answer.exitCode()).as(answer.err() + answer.out()).isZero();
  }

  private Launched bridge() throws Exception {
    Launched bridge = Launched.parley(folder, "bridge");
    bridge.awaitOutput("bridging");
    return bridge;
  }

  private Launched client(String mode, Path file, String name) throws Exception {
    Path script =
        Path.of(
            System.getProperty("parley.root"), "dialects/src/test/resources/clients/foreign.py");
    String seconds = Seed.isLong() ? "60" : "3";
    return Launched.start(
        folder,
        Map.of(),
        List.of("python3", script.toString(), mode, file.toString(), name, seconds));
  }

  /** Any process on the bus, without a round of its own. */
  private List<String> publishWhileAlive(Topic topic, List<String> to, List<Launched> clients) {
    List<String> marks = new ArrayList<>();
    try (FileLog log = bus.openLog()) {
      Awaitility.await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(Duration.ofMinutes(3))
          .until(() -> {
            String mark = "alice-own-1." + marks.size() + ".";
            marks.add(mark);
            Json payload = Json.object().put("subject", "").put("body", mark).build();
            Message message = Message.builder("alice", "finding").to(to).payload(payload).build();
            var _ = log.append(topic, List.of(message));
            return clients.stream().noneMatch(Launched::isAlive);
          });
    }
    return marks;
  }

  private static List<String> answers(List<Launched> clients) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Launched client : clients) {
      Trial.Answer answer = client.answer();
      assertThat(answer.exitCode()).as(answer.err()).isZero();
      lines.addAll(marks(answer.out()));
      client.close();
    }
    return lines;
  }

  private static List<String> marks(String text) {
    return MARK.matcher(text).results().map(MatchResult::group).toList();
  }

  private List<String> onTheBus(String topic) {
    List<String> marks = new ArrayList<>();
    try (Bus opened = bus.open(Reporter.TO_LOG);
        Feed feed = opened.feed(Prefix.of(topic), FeedStart.BEGINNING)) {
      for (Envelope next = feed.poll(); next != null; next = feed.poll()) {
        Fields payload = Fields.of(next.payload());
        marks.addAll(marks(payload.text("body", payload.text("text", ""))));
      }
    }
    return marks;
  }

  /** The last mark of a line: before it there may be one in an id. */
  private static List<String> inFile(Path file) throws Exception {
    List<String> marks = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      List<String> found = marks(line);
      if (!found.isEmpty()) {
        marks.add(found.getLast());
      }
    }
    return marks;
  }

  private List<String> examined() {
    try (Mounts mounts = new Mounts(bus, Reporter.TO_LOG, remark -> {})) {
      return mounts.examine().stream().map(FileRemark::describe).toList();
    }
  }
}

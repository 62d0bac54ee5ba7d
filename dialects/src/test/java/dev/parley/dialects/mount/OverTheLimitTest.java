package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.testing.BusJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decided: over-long content by reference with a digest; it comes back whole. */
class OverTheLimitTest {
  private static final Topic CONDUCTOR = new Topic("conductor");

  /** White space and escapes that nobody would write twice in the same way. */
  private static final String ODD = "{ \"task_id\" : \"1.1\",  \"log\":\"\\u003c\\/ä\u2028%s\" }";

  @TempDir Path folder;
  private final List<FileRemark> remarks = new ArrayList<>();
  private BusFolder bus;
  private FileLog log;
  private Mounts mounts;
  private Mail alice;

  @BeforeEach
  void open() {
    bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    log = bus.openLog();
    Team team = new Team(log, bus.views(), bus.contents(), Reporter.TO_LOG, InstantSource.system());
    alice = team.mail(team.join("alice"));
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
  }

  @AfterEach
  void close() {
    mounts.close();
    log.close();
  }

  private Path mount(Dialect dialect, String name) {
    Path path = folder.resolve(name);
    assertThat(dialect.create(path)).isTrue();
    var _ = mounts.add(dialect, path, name.replace(".", ""), null);
    return path;
  }

  private static String line(String id, String payload) {
    return "{\"id\":\""
        + id
        + "\",\"type\":\"TASK_FAILED\",\"source\":\"w-1\",\"timestamp\":\"t\",\"payload\":"
        + payload
        + "}\n";
  }

  private static void append(Path file, String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  private static final String LONG = "long ".repeat(600_000);

  @Test
  void aMessageLongerThanALineIsTakenInByReferenceAndComesBackWhole() throws Exception {
    Path one = mount(Dialect.CONDUCTOR, "one");
    Path other = mount(Dialect.CONDUCTOR, "other");
    String payload = ODD.formatted(LONG);
    append(one.resolve("queue.jsonl"), line("m-1", payload) + line("m-2", "{}"));

    mounts.sync();
    mounts.sync();

    List<Envelope> stored = log.read(CONDUCTOR, Bookmark.START, 10).envelopes();
    assertThat(stored).hasSize(2);
    assertThat(stored.getFirst().toLine()).hasSizeLessThan(Limits.DEFAULT_LINE / 100);
    assertThat(stored.getFirst().payload().fields().get("task_id").text()).isEqualTo("1.1");
    List<String> lines = Files.readAllLines(other.resolve("queue.jsonl"));
    assertThat(lines).hasSize(2);
    assertThat(Json.parse(lines.getFirst()).fields())
        .isEqualTo(Json.parse(line("m-1", payload)).fields());
    assertThat(lines.getFirst().length()).isGreaterThan(3_000_000);
    assertThat(Files.readAllLines(one.resolve("queue.jsonl"))).hasSize(2);
    assertThat(remarks).isEmpty();
  }

  @Test
  void itsFieldsComeBackInTheirOrder() throws Exception {
    Path one = mount(Dialect.CONDUCTOR, "one");
    Path other = mount(Dialect.CONDUCTOR, "other");
    List<String> names = List.of("zeta", "payload", "type", "timestamp", "id", "alpha", "source");
    String message =
        "{\"zeta\":1,\"payload\":{\"z\":\"%s\",\"a\":1},\"type\":\"X\",\"timestamp\":\"t\",\"id\":\"m-1\",\"alpha\":null,\"source\":\"w\"}"
            .formatted(LONG);
    append(one.resolve("queue.jsonl"), message + "\n");

    mounts.sync();

    assertThat(Files.readString(other.resolve("queue.jsonl"))).isEqualTo(message + "\n");
    assertThat(Json.parse(message).fields().keySet()).containsExactlyElementsOf(names);
  }

  @Test
  void soDoThoseOfALongEntryOfAnOutbox() throws Exception {
    SwarmMessageBus swarm = new SwarmMessageBus(mount(Dialect.SWARM, ".swarm"), remarks::add);
    mounts.sync();
    List<String> names =
        List.of(
            "requiresResponse",
            "extra",
            "content",
            "to",
            "priority",
            "type",
            "from",
            "timestamp",
            "id");
    String entry =
        "{\"requiresResponse\":false,\"extra\":1,\"content\":{\"subject\":\"\",\"body\":\"%s\"},\"to\":\"developer\",\"priority\":\"normal\",\"type\":\"result\",\"from\":\"researcher\",\"timestamp\":\"2024-01-15T10:30:00.000Z\",\"id\":\"m-1\"}"
            .formatted(LONG);
    Files.writeString(swarm.getOutboxPath("researcher"), "[" + entry + "]");

    mounts.sync();

    assertThat(swarm.readInbox("developer"))
        .singleElement()
        .satisfies(message ->
            assertThat(message.json().fields().keySet()).containsExactlyElementsOf(names));
    assertThat(swarm.readInbox("developer").getFirst().json()).isEqualTo(Json.parse(entry));
  }

  @Test
  void aLongBodyIsReadWholeByMailAndInAnotherDesign() throws Exception {
    SwarmMessageBus swarm = new SwarmMessageBus(mount(Dialect.SWARM, ".swarm"), remarks::add);
    Path journal = mount(Dialect.MARKDOWN, "JOURNAL.md");
    append(
        journal,
        """

        ---
        messageId: MSG-20260126-101500-claude-dev-1-1
        type: FACT
        agent: claude-dev-1
        timestamp: 2026-01-26T10:15:00Z
        ---

        here

        ---
        """);
    mounts.sync();
    for (String to : List.of("alice", "claude-dev-1")) {
      swarm.addToOutbox(
          "developer",
          new SwarmMessage(
              Json.object()
                  .put("id", "long-" + to)
                  .put("timestamp", "2024-01-15T10:30:00.000Z")
                  .put("from", "developer")
                  .put("to", to)
                  .put("type", "result")
                  .put("priority", "normal")
                  .put("content", Json.object().put("subject", "").put("body", LONG).build())
                  .put("requiresResponse", false)
                  .build()));
    }

    mounts.sync();
    mounts.sync();

    var letter = alice.inbox(MailFilter.ANY).getFirst();
    assertThat(letter.content().body()).hasSizeLessThan(300);
    assertThat(alice.whole(letter).content().body()).isEqualTo(LONG);
    assertThat(new JournalFile(journal).read().messages())
        .last()
        .satisfies(placed -> assertThat(placed.message().body()).isEqualTo(LONG));
  }

  @Test
  void aLongMailOfTheBusIsWholeInAnInbox() throws Exception {
    SwarmMessageBus swarm = new SwarmMessageBus(mount(Dialect.SWARM, ".swarm"), remarks::add);
    mounts.sync();
    var _ = alice.send(Draft.task("developer", "Much to do", LONG));

    mounts.sync();

    assertThat(swarm.readInbox("developer"))
        .singleElement()
        .satisfies(message -> assertThat(message.body()).isEqualTo(LONG));
  }

  @Test
  void whatIsLostIsReportedAndItsBeginningStillArrives() throws Exception {
    Path one = mount(Dialect.CONDUCTOR, "one");
    append(one.resolve("queue.jsonl"), line("m-1", ODD.formatted(LONG)));
    mounts.sync();
    assertThat(mounts.examine()).isEmpty();
    try (Stream<Path> contents = Files.list(bus.path().resolve("content"))) {
      for (Path content : contents.toList()) {
        Files.delete(content);
      }
    }
    Path other = mount(Dialect.CONDUCTOR, "other");

    mounts.sync();

    assertThat(remarks)
        .extracting(FileRemark::reason)
        .anyMatch(reason -> reason.contains("can't be written whole"));
    assertThat(Files.readAllLines(other.resolve("queue.jsonl")))
        .singleElement()
        .satisfies(text -> assertThat(text).contains("\"task_id\"", "long long"));
    assertThat(mounts.examine())
        .extracting(FileRemark::reason)
        .anyMatch(reason -> reason.contains("sha256:"));
  }

  @Test
  void whatIsNestedTooDeepForALineComesBackToo() throws Exception {
    Path one = mount(Dialect.CONDUCTOR, "one");
    Path other = mount(Dialect.CONDUCTOR, "other");
    String deep = "[".repeat(62) + "]".repeat(62);
    append(
        one.resolve("queue.jsonl"),
        "{\"id\":\"m-1\",\"type\":\"X\",\"source\":\"w\",\"more\":" + deep + ",\"payload\":{}}\n");

    mounts.sync();

    assertThat(log.read(CONDUCTOR, Bookmark.START, 10).envelopes()).hasSize(1);
    assertThat(Files.readString(other.resolve("queue.jsonl"))).contains("\"more\":" + deep);
  }

  /** The bus with other limits. */
  private void set(String limits) throws Exception {
    mounts.close();
    BusJson.set(bus.path(), limits);
    bus = BusFolder.find(bus.path(), folder, Map.of());
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
  }

  @Test
  void theLongestIdIsSetInBusJson() throws Exception {
    set("\"maxForeignId\":5");
    Path one = mount(Dialect.CONDUCTOR, "one");
    append(one.resolve("queue.jsonl"), line("m-123", "{}") + line("m-1234", "{}"));

    mounts.sync();

    assertThat(log.read(CONDUCTOR, Bookmark.START, 10).envelopes())
        .extracting(Envelope::key)
        .containsExactly("one/m-123");
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .containsExactly(
            "a message was skipped: Its id has 6 characters; this bus takes at most 5"
                + " (maxForeignId).");
    set("\"maxForeignId\":1000");
    Path other = mount(Dialect.CONDUCTOR, "other");
    append(
        other.resolve("queue.jsonl"), line("x".repeat(1000), "{}") + line("y".repeat(1001), "{}"));
    mounts.sync();
    assertThat(log.read(CONDUCTOR, Bookmark.START, 10).envelopes()).hasSize(2);
  }

  @Test
  void theLongestLineIsSetInBusJsonAndALongerOneBlocksNoOther() throws Exception {
    int most = 4096;
    set("\"maxForeignLine\":" + most);
    Path one = mount(Dialect.CONDUCTOR, "one");
    String empty = line("m-1", "\"\"");
    String longest = line("m-1", "\"" + "x".repeat(most - empty.length()) + "\"");
    assertThat(longest).hasSize(most);
    append(
        one.resolve("queue.jsonl"), longest + longest.replace("m-1", "m-20") + line("m-3", "{}"));

    mounts.sync();

    assertThat(log.read(CONDUCTOR, Bookmark.START, 10).envelopes())
        .extracting(Envelope::key)
        .containsExactly("one/m-1", "one/m-3");
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .contains(most + " bytes without a message in them (maxForeignLine)");
    assertThat(Files.readString(one.resolve("queue.jsonl"))).contains("m-20");
  }

  @Test
  void aMessageThatCanNeverBeStoredIsReportedAndBlocksNoOther() throws Exception {
    Path one = mount(Dialect.CONDUCTOR, "one");
    append(one.resolve("queue.jsonl"), line("x".repeat(2_000_000), "{}") + line("m-2", "{}"));

    mounts.sync();

    assertThat(log.read(CONDUCTOR, Bookmark.START, 10).envelopes()).hasSize(1);
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .anyMatch(reason -> reason.contains("was skipped: Its id has 2000000 characters"));
  }
}

package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.sync.SyncBudget;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many rounds, many notes, several pieces: everything once, in its order. */
class LargeFilesTest {
  private static final Topic TOPIC = new Topic("conductor");
  private static final int MANY = 40_000;
  private static final int PUSHED = Seed.isLong() ? MANY : 10_000;

  @TempDir Path folder;
  private final List<FileRemark> remarks = new ArrayList<>();
  private BusFolder bus;
  private FileLog log;
  private Mounts mounts;
  private Path queue;

  @BeforeEach
  void mount() {
    bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    log = bus.openLog();
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
    Path files = folder.resolve("message-bus");
    assertThat(Dialect.CONDUCTOR.create(files)).isTrue();
    var _ = mounts.add(Dialect.CONDUCTOR, files, null, null);
    queue = files.resolve("queue.jsonl");
  }

  @AfterEach
  void close() {
    mounts.close();
    log.close();
  }

  private static String line(int number, int length) {
    return "{\"id\":\"msg-"
        + number
        + "\",\"type\":\"PROGRESS\",\"source\":\"w-1\",\"payload\":{\"n\":"
        + number
        + ",\"text\":\""
        + "x".repeat(length)
        + "\"}}\n";
  }

  private void write(int from, int to, int length) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(line(i, length));
    }
    Files.writeString(queue, text, StandardOpenOption.APPEND);
  }

  private List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    try (var opened = bus.open(Reporter.TO_LOG);
        Feed feed = opened.feed(new Prefix(TOPIC), FeedStart.BEGINNING)) {
      for (Envelope next = feed.poll(); next != null; next = feed.poll()) {
        Json number = next.payload().fields().get("n");
        if (number != null) {
          numbers.add((int) number.number(-1));
        }
      }
    }
    return numbers;
  }

  private static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void aLargeQueueIsPulledOnceAndInItsOrder() throws Exception {
    write(0, MANY, 400);

    mounts.sync();
    mounts.sync();

    assertThat(numbers()).isEqualTo(upTo(MANY));
    assertThat(Files.size(queue)).isGreaterThan(16_000_000); // so it took several rounds
    assertThat(remarks).isEmpty();
  }

  /**
   * So that a bridge that is killed a moment after its start has got on, and all had their turn.
   */
  @Test
  void theFirstRoundOfAProcessTakesLittleAndTheNextOnesMore() throws Exception {
    write(0, MANY / 4, 400);
    Files.writeString(
        queue.resolveSibling("worker-status.json"),
        "{\"w-9\":{\"task_id\":\"9\",\"status\":\"RUNNING\",\"progress_pct\":1}}");

    mounts.sync();

    List<Fields> notes =
        log.read(MirrorState.topicOf("conductor"), Bookmark.START, 100).envelopes().stream()
            .map(note -> Fields.of(note.payload()))
            .toList();
    assertThat(notes.getFirst().object("told").text("worker:w-9")).isNotNull();
    long place = 0;
    long most = SyncBudget.FIRST.bytes();
    for (Fields note : notes) {
      long next = note.object("files").object("queue.jsonl").number("offset", place);
      assertThat(next - place).isLessThanOrEqualTo(most);
      place = next;
      most *= 4;
    }
    assertThat(place).isEqualTo(Files.size(queue));
    assertThat(notes).hasSizeLessThan(10);
  }

  @Test
  void whatOthersAppendMeanwhileIsPushedAndWhatWasPulledIsNot() throws Exception {
    Set<String> ours = new HashSet<>();
    write(0, MANY, 400);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              try (FileLog writer = bus.openLog()) {
                for (int i = 0; i < 300; i++) {
                  Json payload = Json.object().put("ours", i).build();
                  ours.add(
                      writer
                          .append(TOPIC, List.of(Message.of("alice", "note", payload)))
                          .getFirst()
                          .id());
                }
              }
            });

    mounts.sync();
    other.join();
    mounts.sync();

    assertThat(numbers()).isEqualTo(upTo(MANY));
    List<String> lines = Files.readAllLines(queue);
    assertThat(lines).hasSize(MANY + ours.size());
    assertThat(lines.stream().filter(line -> line.contains("\"ours\":"))).hasSize(ours.size());
  }

  @Test
  void aTopicWithMuchInItIsPushedOnceThoughOneNoteWouldBeTooLong() throws Exception {
    for (int from = 0; from < PUSHED; from += 1000) {
      List<Message> messages = new ArrayList<>();
      for (int i = from; i < from + 1000; i++) {
        messages.add(Message.of("alice", "note", Json.object().put("n", i).build()));
      }
      var _ = log.append(TOPIC, messages);
    }

    mounts.sync();
    mounts.sync();

    assertThat(Files.readAllLines(queue)).hasSize(PUSHED);
    assertThat(numbers()).hasSize(PUSHED);
  }

  @Test
  void aLargeFileThatWasChangedAboveIsReadAgainAndNothingTwice() throws Exception {
    write(0, MANY / 2, 400);
    mounts.sync();
    Files.writeString(queue, "not JSON\n" + Files.readString(queue));
    write(MANY / 2, MANY, 400);

    mounts.sync();

    assertThat(numbers()).isEqualTo(upTo(MANY));
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .anyMatch(reason -> reason.startsWith("is not a JSON object"));
  }

  @Test
  void manyInvalidLinesDoNotHinderMessages() throws Exception {
    Files.writeString(queue, "rubbish rubbish rubbish\n".repeat(200_000));
    write(0, 3, 1);

    mounts.sync();

    assertThat(numbers()).isEqualTo(upTo(3));
    assertThat(log.read(MirrorState.topicOf("conductor"), Bookmark.START, 10).envelopes())
        .isNotEmpty();
  }
}

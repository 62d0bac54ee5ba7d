package dev.parley.filelog.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.bus.Subscription;
import dev.parley.core.json.Json;
import dev.parley.core.store.Cursors;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.store.FileCursors;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A position is valid for one topic only, between two of its lines, and only until the topic is
 * replaced.
 */
class PositionsInATopicTest {
  private static final Topic TOPIC = new Topic("places");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;
  private Path bus;
  private FileLog log;

  @BeforeEach
  void open() throws IOException {
    bus = Files.createDirectory(folder.resolve("bus"));
    log =
        new FileLog(
            bus, Limits.DEFAULT, new PollingInterval(Duration.ofMillis(2), Duration.ofMillis(10)));
  }

  @AfterEach
  void close() {
    log.close();
  }

  private Stored append(String type) {
    return log.append(TOPIC, List.of(Message.of("alice", type, Json.NULL))).getFirst();
  }

  private List<String> types() {
    return log.read(TOPIC, Bookmark.START, 100).envelopes().stream().map(Envelope::type).toList();
  }

  private void isRefused(long position) {
    Bookmark place = Bookmark.at(new Position(position));
    assertThatThrownBy(() -> log.read(TOPIC, place, 10))
        .as("reading from " + position)
        .isInstanceOf(LostPlaceException.class);
    assertThatThrownBy(() -> log.bookmark(TOPIC, place.position()))
        .as("a bookmark at " + position)
        .isInstanceOf(LostPlaceException.class);
  }

  @Test
  void everyOffsetButTheEndsOfLinesIsRefused() {
    List<Long> ends = new ArrayList<>(List.of(0L));
    for (int i = 0; i < 5; i++) {
      ends.add(append("t" + i).position().value());
    }
    for (long position = 0; position < ends.getLast() + 300; position++) {
      if (ends.contains(position)) {
        Bookmark place = log.bookmark(TOPIC, new Position(position));
        int left = 5 - ends.indexOf(position);
        assertThat(log.read(TOPIC, place, 10).envelopes()).hasSize(left);
        assertThat(log.read(TOPIC, Bookmark.at(place.position()), 10).envelopes()).hasSize(left);
      } else {
        isRefused(position);
      }
    }
  }

  @Test
  void theEndOfAnUnfinishedLineIsRefused() throws Exception {
    append("whole");
    Files.writeString(log.file(TOPIC), "{\"type\":\"half", UTF_8, StandardOpenOption.APPEND);
    isRefused(Files.size(log.file(TOPIC)));
  }

  @Test
  void aPlaceInATopicThatDoesNotExistIsRefused() {
    isRefused(10);
  }

  @Test
  void aTopicCutToNothingIsNoticedAndGoesOn() throws Exception {
    append("a");
    Bookmark place = place(append("b"));
    try (FileChannel channel = FileChannel.open(log.file(TOPIC), StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    assertLost(place);
    append("c");
    append("d");
    append("e");
    assertLost(place);
    assertThat(types()).containsExactly("c", "d", "e");
  }

  @Test
  void aDeletedTopicIsNoticedAndGoesOn() throws Exception {
    append("a");
    Bookmark place = place(append("b"));
    Files.delete(log.file(TOPIC));
    assertLost(place);
    append("c");
    append("d");
    append("e");
    assertLost(place);
    assertThat(types()).containsExactly("c", "d", "e");
  }

  @Test
  void aBusFolderMadeAnewIsNoticedAndGoesOn() throws Exception {
    append("a");
    Bookmark place = place(append("b"));
    TestFolder.delete(bus);
    assertLost(place);
    Files.createDirectory(bus);
    append("c");
    append("d");
    append("e");
    assertLost(place);
    assertThat(types()).containsExactly("c", "d", "e");
  }

  private Bookmark place(Stored stored) {
    return log.bookmark(TOPIC, stored.position());
  }

  private void assertLost(Bookmark place) {
    assertThatThrownBy(() -> log.read(TOPIC, place, 10)).isInstanceOf(LostPlaceException.class);
  }

  @Test
  void aTopicCutWhileItIsReadIsNoErrorOfTheDisk() throws Exception {
    for (long cutTo : new long[] {0, 100, 700}) {
      boolean happened = true;
      for (int when = 1; happened; when++) {
        Files.deleteIfExists(log.file(TOPIC));
        append("a");
        append("b");
        append("c");
        Bookmark place = place(append("d"));
        append("e");
        CutBefore script = new CutBefore(log.file(TOPIC), when, cutTo);
        try (FileLog reader =
            new FileLog(
                bus,
                Limits.DEFAULT,
                PollingInterval.DEFAULT,
                Durability.OS,
                new ScriptedDisk(script))) {
          var _ = reader.read(TOPIC, Bookmark.START, 100);
          var _ = reader.end(TOPIC);
          var _ = reader.read(TOPIC, place, 100);
          var _ = reader.bookmark(TOPIC, place.position());
        } catch (LostPlaceException e) {
          assertThat(cutTo).isLessThan(place.position().value());
        }
        happened = script.steps >= when;
      }
    }
  }

  private static final class CutBefore implements ScriptedDisk.Script {
    private final Path file;
    private final int when;
    private final long size;
    private int steps;

    CutBefore(Path file, int when, long size) {
      this.file = file;
      this.when = when;
      this.size = size;
    }

    @Override
    public void before(ScriptedDisk.Step step) throws IOException {
      if (++steps == when) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(size);
        }
      }
    }
  }

  @Test
  void aFeedReportsAReplacedTopicAndReadsItFromTheStart() throws Exception {
    List<Report> reports = new CopyOnWriteArrayList<>();
    try (Bus open = new Bus(log, Cursors.inMemory(), reports::add);
        Feed feed = open.feed(new Prefix(TOPIC), FeedStart.BEGINNING)) {
      append("old-1");
      append("old-2");
      assertThat(next(feed)).isEqualTo("old-1");
      assertThat(next(feed)).isEqualTo("old-2");
      anotherLife();
      assertThat(next(feed)).isEqualTo("new-1");
      assertThat(next(feed)).isEqualTo("new-2");
      assertThat(next(feed)).isEqualTo("new-3");
      assertThat(next(feed)).isEqualTo("new-4");
      assertThat(reports).hasSize(1).allMatch(report -> report instanceof Report.Replaced);
    }
  }

  private static String next(Feed feed) throws InterruptedException {
    Envelope envelope = feed.next(PATIENCE);
    return envelope == null ? "nothing" : envelope.type();
  }

  /** Replaces the topic by another of the same name whose lines end at the same offsets. */
  private void anotherLife() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (FileLog elsewhere = new FileLog(other, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      for (String type : List.of("new-1", "new-2", "new-3", "new-4")) {
        var _ = elsewhere.append(TOPIC, List.of(Message.of("alice", type, Json.NULL)));
      }
      Files.move(elsewhere.file(TOPIC), log.file(TOPIC), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Test
  void aCursorFromAnotherLifeIsReportedAndReadsFromTheStart() throws Exception {
    append("old-1");
    append("old-2");
    List<Report> reports = new CopyOnWriteArrayList<>();
    assertThat(subscribed(reports, 2)).containsExactly("old-1", "old-2");
    append("old-3");
    assertThat(subscribed(reports, 1)).containsExactly("old-3");
    assertThat(reports).isEmpty();
    anotherLife();
    assertThat(subscribed(reports, 4)).containsExactly("new-1", "new-2", "new-3", "new-4");
    assertThat(reports).hasSize(1).allMatch(report -> report instanceof Report.Replaced);
  }

  /**
   * The messages that a subscription with a durable cursor gets from a newly opened log, as another
   * process would.
   */
  private List<String> subscribed(List<Report> reports, int count) throws Exception {
    BlockingQueue<String> types = new LinkedBlockingQueue<>();
    List<String> seen = new ArrayList<>();
    try (Bus open =
            new Bus(
                new FileLog(bus, Limits.DEFAULT, PollingInterval.DEFAULT),
                new FileCursors(bus),
                reports::add);
        Subscription subscription =
            open.subscribe(
                new Prefix(TOPIC), FeedStart.cursor("me"), line -> types.add(line.type()))) {
      for (int i = 0; i < count; i++) {
        seen.add(String.valueOf(types.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)));
      }
      assertThat(subscription.failure()).isNull();
    }
    seen.addAll(types);
    return seen;
  }
}

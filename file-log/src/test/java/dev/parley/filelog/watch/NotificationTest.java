package dev.parley.filelog.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.json.Json;
import dev.parley.core.store.Cursors;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each log here stands for another process: it learns of the others' appends only through the
 * folder.
 */
class NotificationTest {
  private static final Topic TOPIC = new Topic("a");
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private FileLog open() {
    return new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
  }

  private static Message message(int number) {
    return Message.of("alice", "n", Json.of(number));
  }

  @Test
  void anAppendOfAnotherProcessRingsThroughTheFileWatch() throws Exception {
    try (FileLog reader = open();
        FileLog writer = open()) {
      Doorbell doorbell = reader.doorbell(Prefix.ALL);
      assertThat(reader.wayOfWaking()).isEqualTo("file watch");

      writer.append(TOPIC, List.of(message(1)));

      assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
    }
  }

  @Test
  void aForeignAppendRingsToo() throws Exception {
    try (FileLog reader = open()) {
      Doorbell doorbell = reader.doorbell(Prefix.of("a"));
      Files.writeString(folder.resolve("a.jsonl"), "{\"type\":\"x\"}\n");
      assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
    }
  }

  @Test
  void aBurstOfFiveThousandAppendsReachesEveryWaitingReaderWhole() throws Exception {
    int count = 5_000;
    int readers = 6;
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
        FileLog writer = open()) {
      List<Bus> buses = new ArrayList<>();
      List<Future<Integer>> waiting = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        Bus bus = new Bus(open(), Cursors.inMemory(), Reporter.TO_LOG);
        buses.add(bus);
        Feed feed = bus.feed(Prefix.ALL, FeedStart.END);
        waiting.add(threads.submit(counting(feed, count)));
      }
      for (int i = 0; i < count; i++) {
        writer.append(TOPIC, List.of(message(i)));
      }
      for (Future<Integer> one : waiting) {
        assertThat(one.get()).isEqualTo(count);
      }
      buses.forEach(Bus::close);
    }
  }

  private static Callable<Integer> counting(Feed feed, int count) {
    return () -> {
      for (int i = 0; i < count; i++) {
        Envelope envelope = feed.next(LONG);
        if (envelope == null || envelope.payload().number(-1) != i) {
          return i;
        }
      }
      return count;
    };
  }

  @Test
  void aWatchThatOverflowsLosesNothing() throws Exception {
    int topics = 3_000; // the JDK keeps 512 events of a folder, then says only that it lost some
    try (Bus bus = new Bus(open(), Cursors.inMemory(), Reporter.TO_LOG);
        FileLog writer = open()) {
      Feed feed = bus.feed(Prefix.ALL, FeedStart.BEGINNING);
      for (int i = 0; i < topics; i++) {
        writer.append(new Topic("t" + i), List.of(message(i)));
      }
      for (int i = 0; i < topics; i++) {
        assertThat(feed.next(LONG)).as("after %s", i).isNotNull();
      }
    }
  }

  /**
   * A watcher that gets no watch while none can be had. Taking all of the system's instead would
   * take them from every other program of this user, and any of these could give one back.
   */
  private FolderWatcher watcher(FileLog log, AtomicBoolean canBeHad) {
    return new FolderWatcher(
        log,
        folder,
        new LocalDoorbell.DoorbellRegistry(),
        PollingInterval.DEFAULT,
        watched -> {
          if (!canBeHad.get()) {
            throw new ChangeWatch.UnavailableException("file watch failed: too many");
          }
          return ChangeWatch.open(watched);
        });
  }

  @Test
  void whenNoWatchCanBeHadPollingTakesItsPlace() throws Exception {
    try (FileLog log = open();
        FileLog writer = open();
        FolderWatcher watcher = watcher(log, new AtomicBoolean())) {
      Doorbell doorbell = watcher.add(Prefix.ALL);

      writer.append(TOPIC, List.of(message(1)));

      assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
      assertThat(watcher.way())
          .isEqualTo("polling every 100 to 1000 ms (file watch failed: too many)");
    }
  }

  /** An append after the last poll and before the first watch is seen by neither. */
  @Test
  void whenAWatchReplacesPollingEverythingIsCheckedOnceMore() throws Exception {
    AtomicBoolean canBeHad = new AtomicBoolean();
    try (FileLog log = open();
        FileLog writer = open();
        FolderWatcher watcher = watcher(log, canBeHad)) {
      writer.append(TOPIC, List.of(message(1)));
      Doorbell doorbell = watcher.add(Prefix.ALL);
      assertThat(doorbell.await(LONG)).containsExactly(TOPIC); // the first poll
      assertThat(watcher.way()).startsWith("polling");
      canBeHad.set(true);

      assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
      assertThat(watcher.way()).isEqualTo("file watch");
    }
  }

  @Test
  void aFolderThatIsNotThereCanNotBeWatched() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> JdkFileWatch.open(missing))
        .isInstanceOf(ChangeWatch.UnavailableException.class)
        .hasMessageContaining("file watch failed: ");
    assertThatThrownBy(() -> ChangeWatch.open(missing))
        .isInstanceOf(ChangeWatch.UnavailableException.class)
        .hasMessageContaining("file watch failed: ");
  }

  @Test
  void aFolderThatIsMadeAnewIsWatchedAgain() throws Exception {
    Path bus = Files.createDirectory(folder.resolve("bus"));
    try (FileLog reader = new FileLog(bus, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      Doorbell doorbell = reader.doorbell(Prefix.ALL);
      Files.delete(bus);
      Files.createDirectory(bus);

      Files.writeString(bus.resolve("a.jsonl"), "{\"type\":\"x\"}\n");

      assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
    }
  }

  @Test
  void closingTheLogEndsTheWaitAndItsThread() throws Exception {
    FileLog log = open();
    Doorbell doorbell = log.doorbell(Prefix.ALL);
    Thread closer = Thread.ofPlatform().start(log::close);
    assertThat(doorbell.await(LONG)).isEmpty();
    closer.join();
  }

  /** A single reader owns the watch while it waits, and must still be woken by every append. */
  @Test
  void noWakeUpIsMissedForAnyNumberOfWritersAndReaders() throws Exception {
    Random random = Seed.random("waking");
    try (FileLog own = open();
        FileLog other = open();
        Bus bus = new Bus(own, Cursors.inMemory(), Reporter.TO_LOG);
        Bus second = new Bus(own, Cursors.inMemory(), Reporter.TO_LOG)) {
      Feed feed = bus.feed(Prefix.of("a"), FeedStart.BEGINNING);
      List<Feed> further = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        Waiter<Duration> waiting = Waiter.start(() -> timeToNext(feed));
        switch (random.nextInt(8)) {
          case 0 -> further.add(second.feed(Prefix.ALL, FeedStart.END));
          case 1, 2 -> {
            further.forEach(Feed::close);
            further.clear();
          }
          case 3 -> other.append(new Topic("b"), List.of(message(i)));
          case 4 -> waiting.awaitAsleep();
          default -> {}
        }
        FileLog writer = random.nextInt(4) == 0 ? own : other;
        writer.append(TOPIC, List.of(message(i)));
        // A feed also checks every five seconds; that would be too late here.
        assertThat(waiting.get()).as("message %s", i).isLessThan(Duration.ofSeconds(3));
      }
    }
  }

  /** A reader that waits on a thread of its own. */
  private record Waiter<T>(Thread thread, FutureTask<T> answer) {
    static <T> Waiter<T> start(Callable<T> wait) {
      FutureTask<T> answer = new FutureTask<>(wait);
      return new Waiter<>(Thread.ofPlatform().start(answer), answer);
    }

    /** Returns when the reader sleeps, or is done already. */
    void awaitAsleep() {
      await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> isAsleep() || answer.isDone());
    }

    /** For the JDK a thread that waits in a system call is running. */
    private boolean isAsleep() {
      return thread.getState() == Thread.State.TIMED_WAITING
          || Arrays.stream(thread.getStackTrace())
              .anyMatch(frame -> frame.getClassName().equals(LinuxWatch.class.getName()));
    }

    T get() throws Exception {
      return answer.get(10, TimeUnit.SECONDS);
    }
  }

  private static Duration timeToNext(Feed feed) throws InterruptedException {
    long from = System.nanoTime();
    assertThat(feed.next(LONG)).isNotNull();
    return Duration.ofNanos(System.nanoTime() - from);
  }

  @Test
  void closingADoorbellEndsTheWaitOfAReaderThatOwnsTheWatchAndTheNextAppendRings()
      throws Exception {
    try (FileLog reader = open();
        FileLog writer = open()) {
      for (int i = 0; i < 20; i++) {
        Doorbell doorbell = reader.doorbell(Prefix.ALL);
        writer.append(TOPIC, List.of(message(i)));
        assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
        Waiter<Set<Topic>> waiting = Waiter.start(() -> doorbell.await(LONG));
        if (i % 2 == 0) {
          waiting.awaitAsleep();
        }
        doorbell.close();
        var _ = waiting.get();
        assertThat(doorbell.await(LONG)).isEmpty();
      }
    }
  }

  /**
   * A thread lends the watch before it rings, so another may wait on the watch while the first
   * still returns.
   */
  @Test
  void closingAWatchEndsAWaitThatBeganBeforeThePreviousOneReturned() throws Exception {
    ChangeWatch watch = ChangeWatch.open(folder);
    List<Waiter<Boolean>> next = new ArrayList<>();
    Files.createFile(folder.resolve("a"));
    assertThat(
            watch.waitAndRing(
                LONG.toNanos(),
                topics -> {
                  next.add(
                      Waiter.start(() -> watch.waitAndRing(LONG.toNanos(), t -> {}, () -> {})));
                  next.getFirst().awaitAsleep();
                },
                () -> {}))
        .isTrue();
    assertThat(next.getFirst().answer().isDone()).isFalse();

    watch.close();

    var _ = next.getFirst().get();
  }

  @Test
  void anInterruptEndsTheWaitOfAReaderThatOwnsTheWatchAndTheNextAppendRings() throws Exception {
    try (FileLog reader = open();
        FileLog writer = open()) {
      writer.append(TOPIC, List.of(message(0))); // creating the file would ring twice
      Doorbell doorbell = reader.doorbell(Prefix.ALL);
      for (int i = 0; i < 20; i++) {
        writer.append(TOPIC, List.of(message(i)));
        assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
        Waiter<Set<Topic>> waiting = Waiter.start(() -> doorbell.await(LONG));
        if (i % 2 == 0) {
          waiting.awaitAsleep();
        }
        waiting.thread().interrupt();
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(InterruptedException.class);
      }
    }
  }

  /** Otherwise a few waiting virtual threads would block all carrier threads. */
  @Test
  void virtualThreadsThatWaitKeepNoneFromRunning() throws Exception {
    int count = Runtime.getRuntime().availableProcessors() + 1;
    List<FileLog> readers = new ArrayList<>();
    try (FileLog writer = open();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Set<Topic>>> waits = new ArrayList<>();
      CountDownLatch rungOnce = new CountDownLatch(count);
      for (int i = 0; i < count; i++) {
        FileLog reader = open();
        readers.add(reader);
        Doorbell doorbell = reader.doorbell(Prefix.ALL);
        waits.add(
            threads.submit(() -> {
              assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
              rungOnce.countDown();
              return awaitTopic(doorbell, new Topic("b"));
            }));
      }
      writer.append(TOPIC, List.of(message(1)));
      rungOnce.await();
      // From here on each is the only reader of its log; a platform thread would take the watch
      // now.
      for (int i = 0; i < 100; i++) {
        assertThat(threads.submit(() -> "ran").get(10, TimeUnit.SECONDS)).isEqualTo("ran");
      }
      writer.append(new Topic("b"), List.of(message(2)));
      for (Future<Set<Topic>> wait : waits) {
        assertThat(wait.get(10, TimeUnit.SECONDS)).contains(new Topic("b"));
      }
    } finally {
      readers.forEach(FileLog::close);
    }
  }

  @Test
  void aFolderReplacedUnderAReaderThatOwnsTheWatchIsWatchedAgain() throws Exception {
    Path bus = Files.createDirectory(folder.resolve("bus"));
    try (FileLog reader = new FileLog(bus, Limits.DEFAULT, PollingInterval.DEFAULT);
        var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      Doorbell doorbell = reader.doorbell(Prefix.ALL);
      Path file = bus.resolve("a.jsonl");
      Files.writeString(file, "{\"type\":\"x\"}\n");
      assertThat(doorbell.await(LONG)).containsExactly(TOPIC);
      Future<Set<Topic>> waiting = threads.submit(() -> awaitTopic(doorbell, new Topic("b")));
      Files.delete(file);
      Files.delete(bus);
      Files.createDirectory(bus);

      Files.writeString(bus.resolve("b.jsonl"), "{\"type\":\"x\"}\n");

      assertThat(waiting.get()).contains(new Topic("b"));
    }
  }

  private static Set<Topic> awaitTopic(Doorbell doorbell, Topic topic) throws InterruptedException {
    Set<Topic> rung = doorbell.await(LONG);
    while (!rung.isEmpty() && !rung.contains(topic)) {
      rung = doorbell.await(LONG);
    }
    return rung;
  }
}

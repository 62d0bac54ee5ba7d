package dev.parley.core;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.core.ParleyException.Kind;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.json.Json;
import dev.parley.core.store.Cursors;
import dev.parley.core.time.BootTime;
import dev.parley.core.writer.WriterId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every log, as tests. A log is complete when a subclass of this passes. */
public abstract class LogContract {
  private static final Topic NOTES = new Topic("notes");

  private Log log;

  /** An empty log with default limits. */
  protected abstract Log open() throws Exception;

  /**
   * Another log on the same topics, as another process opens it; null for a kind of log that ends
   * with its process.
   */
  protected @Nullable Log another() throws Exception {
    return null;
  }

  /**
   * A log on topics of its own whose next append of one message is stored, although the log can't
   * learn that. After that it may refuse some appends for certain, but not for ever. Null for a
   * kind of log to which this can't happen.
   */
  protected @Nullable Log losingAnAnswer() throws Exception {
    return null;
  }

  /**
   * Stores the last line of a topic a second time, as this kind of log does when it sends the same
   * line again.
   *
   * @return false for a kind of log that never does
   */
  protected boolean storeLastAgain(Log log, Topic topic) throws Exception {
    return false;
  }

  /** How long to wait for what a good log does at once. */
  protected Duration patience() {
    return Duration.ofSeconds(20);
  }

  /** How far the clock of timestamps may differ from ours, because it may be a server's. */
  protected Duration skew() {
    return Duration.ofSeconds(1);
  }

  @BeforeEach
  void openLog() throws Exception {
    log = open();
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  private static Message message(String text) {
    return Message.of("alice", "note", Json.object().put("text", text).build());
  }

  private Stored append(Topic topic, String text) {
    return log.append(topic, List.of(message(text))).getFirst();
  }

  private List<Envelope> readAll(Topic topic) {
    List<Envelope> all = new ArrayList<>();
    Bookmark place = Bookmark.START;
    while (true) {
      Batch batch = log.read(topic, place, 100);
      assertThat(batch.damage()).isEmpty();
      all.addAll(batch.envelopes());
      if (batch.next().position().equals(place.position())) {
        return all;
      }
      place = batch.next();
    }
  }

  private static String text(Envelope envelope) {
    return String.valueOf(envelope.payload().fields().get("text").text());
  }

  @Test
  void whatIsAppendedIsReadBackInOrder() {
    for (int i = 0; i < 250; i++) {
      append(NOTES, "n" + i);
    }

    List<Envelope> all = readAll(NOTES);

    assertThat(all).hasSize(250);
    for (int i = 0; i < 250; i++) {
      assertThat(text(all.get(i))).isEqualTo("n" + i);
    }
  }

  @Test
  void theAnswerNamesTheIdSeqAndPositionThatReadersSee() {
    List<Stored> stored = new ArrayList<>();
    stored.add(append(NOTES, "one"));
    stored.addAll(log.append(NOTES, List.of(message("two"), message("three"))));

    List<Envelope> all = readAll(NOTES);

    assertThat(all).hasSameSizeAs(stored);
    for (int i = 0; i < all.size(); i++) {
      assertThat(stored.get(i))
          .extracting(Stored::topic, Stored::id, Stored::seq, Stored::position)
          .containsExactly(NOTES, all.get(i).id(), all.get(i).seq(), all.get(i).position());
    }
  }

  @Test
  void seed02EveryEnvelopeHasIdSeqTimestampSenderTopicTypeAndPayload() {
    Instant before = Instant.now().minus(skew());
    append(NOTES, "hello");

    Envelope envelope = readAll(NOTES).getFirst();

    assertThat(WriterId.in(envelope.id())).isNotNull();
    assertThat(envelope.seq()).isEqualTo(1);
    assertThat(envelope.time()).isBetween(before, Instant.now().plus(skew()));
    assertThat(envelope.timestamp()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    assertThat(envelope.sender()).isEqualTo("alice");
    assertThat(envelope.topic()).isEqualTo(NOTES);
    assertThat(envelope.type()).isEqualTo("note");
    assertThat(envelope.payload()).hasToString("{\"text\":\"hello\"}");
    assertThat(envelope.isNative()).isTrue();
  }

  @Test
  void onlyWhatAsksForItSaysWhatTheBootClockSaid() {
    BootTime before = requireNonNull(log.clock().now());
    Message asks = Message.of("alice", "note", Json.of(1)).withClock();
    var _ = log.append(NOTES, List.of(Message.of("alice", "note", Json.of(0)), asks));
    BootTime after = requireNonNull(log.clock().now());

    List<Envelope> all = readAll(NOTES);

    assertThat(all.getFirst().clock()).isNull();
    assertThat(all.getFirst().toString()).doesNotContain("clock");
    BootTime said = requireNonNull(all.getLast().clock());
    assertThat(said.boot()).isEqualTo(before.boot()).isEqualTo(after.boot());
    assertThat(said.millis()).isBetween(before.millis(), after.millis());
    assertThat(all.getLast().toString()).contains("\"clock\":\"" + said + "\"");
    assertThat(asks.isClocked()).isTrue();
    assertThat(asks.withClock()).isSameAs(asks);
  }

  @Test
  void everyFieldOfAMessageComesBack() {
    Message message =
        Message.builder("worker-1.1-x", "question")
            .payload(Json.parse("[1, {\"a\": null}]"))
            .to(List.of("bob", "CSO"))
            .thread("th\n1")
            .replyTo("other-7")
            .priority("high")
            .needsReply(true)
            .deadline(Instant.parse("2026-11-15T22:00:00.000001Z"))
            .key("k")
            .automatic(true)
            .run("run_1")
            .task("1.1")
            .extra("x-more", Json.of(5))
            .build();
    log.append(NOTES, List.of(message));

    Envelope envelope = readAll(NOTES).getFirst();

    assertThat(envelope.sender()).isEqualTo("worker-1.1-x");
    assertThat(envelope.payload()).hasToString("[1,{\"a\":null}]");
    assertThat(envelope.to()).containsExactly("bob", "CSO");
    assertThat(envelope.thread()).isEqualTo("th\n1");
    assertThat(envelope.replyTo()).isEqualTo("other-7");
    assertThat(envelope.priority()).isEqualTo("high");
    assertThat(envelope.needsReply()).isTrue();
    assertThat(envelope.deadline()).isEqualTo(Instant.parse("2026-11-15T22:00:00.000001Z"));
    assertThat(envelope.key()).isEqualTo("k");
    assertThat(envelope.automatic()).isTrue();
    assertThat(envelope.run()).isEqualTo("run_1");
    assertThat(envelope.task()).isEqualTo("1.1");
    assertThat(envelope.signature()).isNull();
    assertThat(envelope.extra()).containsExactly(Map.entry("x-more", Json.of(5)));
  }

  @Test
  void seqCountsEachTopicFromOneAndPositionsOnlyGrow() {
    Topic other = new Topic("other");
    for (int i = 1; i <= 5; i++) {
      assertThat(append(NOTES, "a").seq()).isEqualTo(i);
      assertThat(append(other, "b").seq()).isEqualTo(i);
    }
    List<Envelope> all = readAll(NOTES);
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).position()).isGreaterThan(all.get(i - 1).position());
    }
    assertThat(all.getFirst().position()).isGreaterThan(Position.START);
  }

  @Test
  void readingGoesOnWhereTheLastBatchEnded() {
    for (int i = 0; i < 10; i++) {
      append(NOTES, "n" + i);
    }

    Batch first = log.read(NOTES, Bookmark.START, 4);
    Batch second = log.read(NOTES, first.next(), 100);
    Batch none = log.read(NOTES, second.next(), 100);

    assertThat(first.envelopes())
        .extracting(LogContract::text)
        .containsExactly("n0", "n1", "n2", "n3");
    assertThat(second.envelopes()).hasSize(6);
    assertThat(none.envelopes()).isEmpty();
    assertThat(none.next()).isEqualTo(second.next());
  }

  @Test
  void aPositionThatWasAnsweredIsAPlaceToReadOn() {
    Stored first = append(NOTES, "one");
    append(NOTES, "two");

    assertThat(log.read(NOTES, Bookmark.at(first.position()), 10).envelopes())
        .extracting(LogContract::text)
        .containsExactly("two");
    assertThat(log.bookmark(NOTES, first.position()).position()).isEqualTo(first.position());
  }

  @Test
  void anUnknownTopicIsEmpty() {
    Topic nowhere = new Topic("nowhere");

    assertThat(log.read(nowhere, Bookmark.START, 10).envelopes()).isEmpty();
    assertThat(log.end(nowhere)).isEqualTo(Bookmark.START);
    assertThat(log.topics(Prefix.ALL)).isEmpty();
  }

  @Test
  void afterTheEndOnlyWhatComesLaterIsRead() {
    append(NOTES, "old");
    Bookmark end = log.end(NOTES);
    append(NOTES, "new");

    assertThat(log.read(NOTES, end, 10).envelopes())
        .extracting(LogContract::text)
        .containsExactly("new");
  }

  @Test
  void aPlaceBeyondTheEndOrFromAnotherLogIsRefused() throws Exception {
    Stored stored = append(NOTES, "one");
    Position beyond = new Position(stored.position().value() + 1000);

    assertThatThrownBy(() -> log.read(NOTES, Bookmark.at(beyond), 10))
        .isInstanceOf(LostPlaceException.class);
    assertThatThrownBy(() -> log.bookmark(NOTES, beyond)).isInstanceOf(LostPlaceException.class);

    Bookmark here = log.bookmark(NOTES, stored.position());
    try (Log other = open()) {
      List<Message> same = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        same.add(message("one"));
      }
      other.append(NOTES, same);
      Bookmark there =
          new Bookmark(other.read(NOTES, Bookmark.START, 1).next().position(), here.proof());
      assertThatThrownBy(() -> other.read(NOTES, there, 10)).isInstanceOf(LostPlaceException.class);
    }
  }

  @Test
  void seed05PrefixesMatchWholeSegments() {
    for (String name : List.of("wave-1", "wave-1.board", "wave-10", "wave", "x.wave-1")) {
      append(new Topic(name), "here");
    }

    assertThat(log.topics(Prefix.of("wave-1")))
        .containsExactlyInAnyOrder(new Topic("wave-1"), new Topic("wave-1.board"));
    assertThat(log.topics(Prefix.ALL)).hasSize(5);
    assertThat(log.topics(Prefix.of("none"))).isEmpty();
  }

  @Test
  void aMessageOverALimitIsRefusedBeforeAnythingOfItsBatchIsWritten() {
    Message large = message("x".repeat(Limits.DEFAULT_LINE));
    Message deep = Message.of("alice", "note", Json.parse("[".repeat(63) + "]".repeat(63)));
    Json tooDeepValue = Json.object().put("a", Json.parse("[".repeat(63) + "]".repeat(63))).build();
    Message tooDeep = Message.of("alice", "note", tooDeepValue);

    assertThatThrownBy(() -> log.append(NOTES, List.of(message("ok"), large)))
        .isInstanceOfSatisfying(
            ParleyException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(Kind.INVALID);
              assertThat(e.code()).isEqualTo("line-too-long");
            });
    assertThatThrownBy(() -> log.append(NOTES, List.of(message("ok"), tooDeep)))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("too-deep"));
    assertThat(readAll(NOTES)).isEmpty();

    log.append(NOTES, List.of(deep));
    assertThat(readAll(NOTES)).hasSize(1);
  }

  @Test
  void aLineUpToTheLimitIsTaken() {
    String text = "x".repeat(Limits.DEFAULT_LINE - 1024);

    append(NOTES, text);

    assertThat(text(readAll(NOTES).getFirst())).isEqualTo(text);
  }

  @Test
  void seed03FiftyPublishersAtOnceLoseNothingAndKeepTheirOrder() throws Exception {
    int publishers = 50;
    int each = 100;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int p = 0; p < publishers; p++) {
        String sender = "p" + p;
        running.add(
            threads.submit(() -> {
              for (int i = 0; i < each; i += 2) {
                log.append(
                    NOTES,
                    List.of(
                        Message.of(sender, "n", Json.of(i)),
                        Message.of(sender, "n", Json.of(i + 1))));
              }
            }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }

    Map<String, Long> next = new HashMap<>();
    Set<String> ids = new HashSet<>();
    long seq = 0;
    String before = "";
    for (Envelope envelope : readAll(NOTES)) {
      long expected = next.getOrDefault(envelope.sender(), 0L);
      assertThat(envelope.payload().number(-1)).isEqualTo(expected);
      next.put(envelope.sender(), expected + 1);
      assertThat(ids.add(envelope.id())).isTrue();
      assertThat(envelope.seq()).isEqualTo(++seq);
      if (expected % 2 == 1) {
        assertThat(before).as("the two of a batch stand together").isEqualTo(envelope.sender());
      }
      before = envelope.sender();
    }
    assertThat(seq).isEqualTo((long) publishers * each);
  }

  @Test
  void aDoorbellRingsForItsTopicsOnly() throws Exception {
    try (Doorbell doorbell = log.doorbell(Prefix.of("a"))) {
      append(new Topic("ab"), "not for us");
      assertThat(doorbell.await(Duration.ofMillis(50))).isEmpty();

      append(new Topic("a.b"), "for us");
      assertThat(doorbell.await(patience())).containsExactly(new Topic("a.b"));
    }
  }

  @Test
  void closingADoorbellEndsItsWait() throws Exception {
    Doorbell doorbell = log.doorbell(Prefix.ALL);
    CompletableFuture<Set<Topic>> waiting = waitsAt(doorbell);
    doorbell.close();

    assertThat(waiting.get(patience().toMillis(), TimeUnit.MILLISECONDS)).isEmpty();
    assertThat(doorbell.await(Duration.ofMinutes(5))).as("from now on, too").isEmpty();
  }

  @Test
  void closingALogEndsTheWaitsAtItsDoorbells() throws Exception {
    CompletableFuture<Set<Topic>> waiting = waitsAt(log.doorbell(Prefix.ALL));
    log.close();

    assertThat(waiting.get(patience().toMillis(), TimeUnit.MILLISECONDS)).isEmpty();
    log.close(); // does no harm
  }

  private static CompletableFuture<Set<Topic>> waitsAt(Doorbell doorbell) {
    CompletableFuture<Set<Topic>> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            waiting.complete(doorbell.await(Duration.ofMinutes(5)));
          } catch (InterruptedException e) {
            waiting.completeExceptionally(e);
          }
        });
    return waiting;
  }

  @Test
  void aClosedLogRefusesEverything() {
    log.close();

    assertThatThrownBy(() -> append(NOTES, "late"))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("closed"));
    assertThatThrownBy(() -> log.read(NOTES, Bookmark.START, 1))
        .isInstanceOf(ParleyException.class);
    assertThatThrownBy(() -> log.topics(Prefix.ALL)).isInstanceOf(ParleyException.class);
    assertThatThrownBy(() -> log.doorbell(Prefix.ALL)).isInstanceOf(ParleyException.class);
  }

  @Test
  void nothingIsAppendedByAnEmptyBatch() {
    assertThat(log.append(NOTES, List.of())).isEmpty();
    assertThat(readAll(NOTES)).isEmpty();
  }

  @Test
  void readsOfTheSamePlaceSeeTheSameLines() {
    for (int i = 0; i < 20; i++) {
      append(NOTES, "n" + i);
    }
    List<String> first = readAll(NOTES).stream().map(Envelope::toString).toList();
    append(NOTES, "later");

    List<String> again = readAll(NOTES).stream().map(Envelope::toString).toList();
    assertThat(again).hasSize(21).startsWith(first.toArray(String[]::new));
  }

  @Test
  void anEnvelopeIsFoundByItsIdOrPlaceInWhicheverTopic() {
    append(NOTES, "one");
    Stored two = append(new Topic("other.place"), "two");
    append(NOTES, "three");

    assertThat(log.find(two.id()).map(LogContract::text)).contains("two");
    assertThat(log.find(two.position().in(two.topic())).map(LogContract::text)).contains("two");
    for (String nothing : List.of("", "x", two.id() + "0", "other.place@0", "nowhere@1", "a b")) {
      assertThat(log.find(nothing)).as(nothing).isEmpty();
    }
  }

  @Test
  void aNearDoorbellHasRungWhenAppendReturns() throws Exception {
    try (Doorbell doorbell = log.doorbell(Prefix.ALL)) {
      for (int i = 0; doorbell.isNear() && i < 100; i++) {
        append(NOTES, "n" + i);
        assertThat(doorbell.await(Duration.ZERO)).containsExactly(NOTES);
      }
    }
  }

  @Test
  void aDoorbellRingsForWhatIsAppendedAfterItWasMade() throws Exception {
    append(NOTES, "before");
    try (Doorbell doorbell = log.doorbell(Prefix.ALL)) {
      append(NOTES, "after");
      assertThat(doorbell.await(patience())).contains(NOTES);
    }
  }

  /** The answer of an interrupted append is right: stored once, not stored, or unknown. */
  @Test
  void anInterruptedAppendSaysWhatBecameOfIt() throws Exception {
    Random random = Seed.random("interrupted appends");
    Map<String, Stored> acknowledged = new ConcurrentHashMap<>();
    Set<String> failed = ConcurrentHashMap.newKeySet();
    Set<String> sent = ConcurrentHashMap.newKeySet();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < 400; i++) {
                String text = "i" + i;
                sent.add(text);
                if (i % 3 == 0) {
                  Thread.currentThread().interrupt();
                }
                try {
                  acknowledged.put(text, append(NOTES, text));
                } catch (ParleyException e) {
                  if (e.kind() != Kind.UNKNOWN) {
                    failed.add(text);
                  }
                }
                var _ = Thread.interrupted();
              }
            });
    while (writer.isAlive()) {
      writer.interrupt();
      LockSupport.parkNanos(random.nextInt(200_000));
    }

    Map<String, List<Envelope>> there = new HashMap<>();
    readAll(NOTES)
        .forEach(one -> there.computeIfAbsent(text(one), text -> new ArrayList<>()).add(one));
    acknowledged.forEach((text, stored) -> {
      assertThat(there.getOrDefault(text, List.of())).as(text).hasSize(1);
      assertThat(there.get(text).getFirst().position()).isEqualTo(stored.position());
    });
    assertThat(there).doesNotContainKeys(failed.toArray(String[]::new));
    there.forEach((text, all) -> assertThat(all).as("%s is there once", text).hasSize(1));
    assertThat(sent).hasSize(400).containsAll(there.keySet());
  }

  /** Nobody knows whether the message is there. It is there once or not, and stays so. */
  @Test
  void anUnknownOutcomeIsSaidAndNotTriedAgain() throws Exception {
    try (Log losing = losingAnAnswer()) {
      if (losing == null) {
        return;
      }
      log.close();
      log = losing;
      ParleyException lost =
          catchThrowableOfType(ParleyException.class, () -> append(NOTES, "perhaps"));
      assertThat(lost).isInstanceOf(AppendException.class);
      assertThat(lost.kind()).isEqualTo(Kind.UNKNOWN);
      Stored next = null;
      for (int i = 0; next == null; i++) {
        try {
          next = append(NOTES, "next");
        } catch (AppendException e) {
          assertThat(e.kind()).isEqualTo(Kind.FAILED);
          assertThat(i).isLessThan(1000);
        }
      }

      List<String> there = readAll(NOTES).stream().map(LogContract::text).toList();
      assertThat(there).containsOnlyOnce("next");
      assertThat(there.stream().filter("perhaps"::equals).count()).isLessThanOrEqualTo(1);
      assertThat(readAll(NOTES).getLast().id()).isEqualTo(next.id());
    }
  }

  @Test
  void aLineThatIsThereTwiceIsReadTwiceAndPassedOverByReadersOnce() throws Exception {
    append(NOTES, "one");
    Stored two = append(NOTES, "two");
    if (!storeLastAgain(log, NOTES)) {
      return;
    }
    append(NOTES, "three");

    List<Envelope> all = readAll(NOTES);
    assertThat(all).extracting(LogContract::text).containsExactly("one", "two", "two", "three");
    assertThat(all.get(2))
        .extracting(Envelope::id, Envelope::seq)
        .containsExactly(two.id(), two.seq());
    assertThat(all.get(2).position()).isGreaterThan(two.position());
    assertThat(log.find(two.id()).map(Envelope::position)).contains(two.position());

    List<String> given = new ArrayList<>();
    List<Report> reports = new ArrayList<>();
    try (Bus bus = new Bus(log, Cursors.inMemory(), reports::add);
        Feed feed = bus.feed(Prefix.of("notes"), FeedStart.BEGINNING)) {
      for (Envelope next = feed.poll(); next != null; next = feed.poll()) {
        given.add(text(next));
      }
    }
    assertThat(given).containsExactly("one", "two", "three");
    assertThat(reports).singleElement().isInstanceOf(Report.Repeated.class);
  }

  @Test
  void aLogThatIsOpenedAgainHasTheSameEnvelopesAtTheSamePlaces() throws Exception {
    for (int i = 0; i < 10; i++) {
      append(NOTES, "n" + i);
    }
    Bookmark middle = log.read(NOTES, Bookmark.START, 4).next();
    List<String> lines = readAll(NOTES).stream().map(Envelope::toString).toList();
    try (Log again = another()) {
      if (again == null) {
        return;
      }
      log.close();
      log = again;
      assertThat(readAll(NOTES).stream().map(Envelope::toString)).isEqualTo(lines);
      assertThat(log.read(NOTES, middle, 1).envelopes())
          .extracting(LogContract::text)
          .containsExactly("n4");
      Stored stored = append(NOTES, "new");
      assertThat(stored.seq()).as("a writer of its own").isEqualTo(1);
      assertThat(readAll(NOTES)).hasSize(11);
      assertThat(WriterId.in(stored.id()))
          .isNotEqualTo(WriterId.in(readAll(NOTES).getFirst().id()));
    }
  }

  @Test
  void twoIndependentWritersLoseNothingAndAllReadersSeeOneOrder() throws Exception {
    try (Log other = another()) {
      if (other == null) {
        return;
      }
      int each = 300;
      List<Stored> stored = Collections.synchronizedList(new ArrayList<>());
      try (Doorbell bell = log.doorbell(Prefix.of("notes"));
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> running = new ArrayList<>();
        for (String name : List.of("a", "b")) {
          Log one = name.equals("a") ? log : other;
          running.add(
              threads.submit(() -> {
                for (int i = 0; i < each; i++) {
                  stored.add(one.append(NOTES, message(name + i)));
                }
              }));
        }
        for (Future<?> one : running) {
          one.get();
        }
        Duration moment = Duration.ofMillis(50);
        while (!bell.await(moment).isEmpty()) {
          // It still rings for the lines before.
        }
        other.append(NOTES, message("rings"));
        assertThat(bell.await(patience())).contains(NOTES);
      }
      List<Envelope> all = readAll(NOTES);
      List<Envelope> theirs = WholeTopic.of(other, NOTES);
      assertThat(all.stream().map(Envelope::toString))
          .isEqualTo(theirs.stream().map(Envelope::toString).toList());
      assertThat(all).hasSize(2 * each + 1);
      for (String name : List.of("a", "b")) {
        List<Envelope> own = all.stream().filter(one -> text(one).startsWith(name)).toList();
        assertThat(own).hasSize(each);
        for (int i = 0; i < each; i++) {
          assertThat(text(own.get(i))).isEqualTo(name + i);
          assertThat(own.get(i).seq()).isEqualTo(i + 1);
        }
      }
      Set<Position> places = new HashSet<>();
      all.forEach(one -> places.add(one.position()));
      assertThat(stored).hasSize(2 * each).allMatch(one -> places.contains(one.position()));
    }
  }
}

package dev.parley.core.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of publishing and subscribing, for every kind of log. */
public abstract class BusContract {
  private static final Topic NOTES = new Topic("notes");

  private final List<Report> reports = new CopyOnWriteArrayList<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private Bus bus;

  /** A bus on an empty log. */
  protected abstract Bus open(Reporter reporter) throws Exception;

  @BeforeEach
  void openBus() throws Exception {
    bus = open(reports::add);
  }

  @AfterEach
  void closeBus() {
    bus.close();
  }

  private Stored publish(String topic, String text) {
    return bus.publish(new Topic(topic), Message.of("alice", "note", Json.of(text)));
  }

  private void awaitSeen(String... texts) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(seen).containsExactly(texts));
  }

  private void see(Envelope envelope) {
    seen.add(String.valueOf(envelope.payload().text()));
  }

  @Test
  void seed01ANewSubscriberGetsTheWholeBacklogAndThenWhatComes() {
    publish("notes", "a");
    publish("notes", "b");
    try (Subscription subscription =
        bus.subscribe(Prefix.of("notes"), FeedStart.BEGINNING, this::see)) {
      awaitSeen("a", "b");
      publish("notes", "c");
      awaitSeen("a", "b", "c");
      assertThat(subscription.failure()).isNull();
    }
  }

  @Test
  void aSubscriptionFromTheEndGetsOnlyWhatComesLaterInNewTopicsToo() {
    publish("notes", "old");
    bus.subscribe(Prefix.ALL, FeedStart.END, this::see);

    publish("notes", "new");
    awaitSeen("new");
    publish("born.later", "first");

    awaitSeen("new", "first");
  }

  @Test
  void aSubscriptionStartsAfterAPosition() {
    publish("notes", "a");
    Stored b = publish("notes", "b");
    publish("notes", "c");

    bus.subscribe(Prefix.of("notes"), FeedStart.after(NOTES, b.position()), this::see);

    awaitSeen("c");
    assertThatThrownBy(
            () -> bus.feed(Prefix.of("notes"), FeedStart.after(NOTES, new Position(999_999))))
        .isInstanceOf(LostPlaceException.class);
  }

  @Test
  void aCursorGoesOnWhereItWasLeftForEveryTopicOfAPrefix() {
    publish("notes", "a");
    publish("notes.x", "x");
    try (Subscription first =
        bus.subscribe(Prefix.of("notes"), FeedStart.cursor("me"), this::see)) {
      await().atMost(Duration.ofSeconds(20)).until(() -> seen.size() == 2);
      assertThat(first.failure()).isNull();
    }
    publish("notes", "b");
    publish("notes.y", "y");
    seen.clear();

    bus.subscribe(Prefix.of("notes"), FeedStart.cursor("me"), this::see);

    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(seen).containsExactlyInAnyOrder("b", "y"));
    assertThat(reports).isEmpty();
  }

  @Test
  void aSubscriptionClosedInTheMiddleOfABatchMissesNothing() throws Exception {
    for (int i = 0; i < 10; i++) {
      publish("notes", "n" + i);
    }
    CountDownLatch four = new CountDownLatch(4);
    CountDownLatch go = new CountDownLatch(1);
    Subscription subscription =
        bus.subscribe(
            Prefix.of("notes"),
            FeedStart.cursor("me"),
            envelope -> {
              see(envelope);
              four.countDown();
              if (four.getCount() == 0) {
                go.await();
              }
            });
    four.await();
    Thread closing = Thread.ofVirtual().start(subscription::close);
    await().atMost(Duration.ofSeconds(20)).until(() -> closing.getState() == Thread.State.WAITING);
    go.countDown();
    closing.join();
    List<String> first = new ArrayList<>(seen);

    bus.subscribe(Prefix.of("notes"), FeedStart.cursor("me"), this::see);

    awaitSeen("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9");
    assertThat(first).hasSize(4);
  }

  @Test
  void aHandlerThatThrowsIsReportedAndTheSubscriptionGoesOn() {
    bus.subscribe(
        Prefix.of("notes"),
        FeedStart.BEGINNING,
        envelope -> {
          see(envelope);
          throw new IllegalStateException("no");
        });

    publish("notes", "a");
    publish("notes", "b");

    awaitSeen("a", "b");
    await().until(() -> reports.size() == 2);
    assertThat(reports).allMatch(report -> report instanceof Report.HandlerFailed);
  }

  @Test
  void afterItsRetriesAnEnvelopeBecomesADeadLetter() {
    AtomicInteger calls = new AtomicInteger();
    bus.subscribe(
        Prefix.of("notes"),
        FeedStart.BEGINNING,
        envelope -> {
          if (String.valueOf(envelope.payload().text()).equals("bad")) {
            calls.incrementAndGet();
            throw new IllegalStateException("never");
          }
          see(envelope);
        },
        OnFailure.retry(2));

    Stored bad = publish("notes", "bad");
    publish("notes", "good");

    awaitSeen("good");
    assertThat(calls).hasValue(3);
    Envelope letter =
        bus.log().read(Subscription.DEAD_LETTERS, Bookmark.START, 10).envelopes().getFirst();
    assertThat(letter.type()).isEqualTo(SystemTypes.DEAD_LETTER);
    assertThat(letter.automatic()).isTrue();
    assertThat(letter.payload().fields().get("id")).isEqualTo(Json.of(bad.id()));
    assertThat(letter.payload().fields().get("attempts")).isEqualTo(Json.of(3));
    assertThat(reports).anyMatch(report -> report instanceof Report.DeadLettered);
  }

  @Test
  void aDeadLetterThatCannotBeHandledMakesNoFurtherLetters() {
    bus.subscribe(
        Prefix.ALL,
        FeedStart.BEGINNING,
        envelope -> {
          throw new IllegalStateException("never");
        },
        OnFailure.retry(0));

    publish("notes", "bad");

    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> reports.stream().filter(Report.HandlerFailed.class::isInstance).count() == 2);
    assertThat(bus.log().read(Subscription.DEAD_LETTERS, Bookmark.START, 10).envelopes())
        .hasSize(1);
  }

  @Test
  void aSubscriptionThatStopsOnFailureDoesNotPassTheEnvelope() throws Exception {
    publish("notes", "a");
    publish("notes", "bad");
    publish("notes", "c");
    Handler stopsAtBad =
        envelope -> {
          if (String.valueOf(envelope.payload().text()).equals("bad")) {
            throw new IllegalStateException("stop here");
          }
          see(envelope);
        };
    Subscription subscription =
        bus.subscribe(Prefix.of("notes"), FeedStart.cursor("me"), stopsAtBad, OnFailure.STOP);

    assertThat(subscription.awaitEnd(Duration.ofSeconds(20))).isTrue();
    assertThat(subscription.failure()).hasMessage("stop here");
    bus.subscribe(
        Prefix.of("notes"),
        FeedStart.cursor("me"),
        envelope -> seen.add("again " + envelope.payload().text()));

    awaitSeen("a", "again bad", "again c");
  }

  @Test
  void aSubscriptionMayCloseItselfFromItsHandler() {
    CompletableFuture<Subscription> self = new CompletableFuture<>();
    self.complete(
        bus.subscribe(
            Prefix.of("notes"),
            FeedStart.BEGINNING,
            envelope -> {
              see(envelope);
              self.get().close();
            }));
    publish("notes", "a");
    awaitSeen("a");
    await().atMost(Duration.ofSeconds(20)).until(() -> self.join().hasEnded());

    publish("notes", "b");

    assertThat(seen).containsExactly("a");
  }

  @Test
  void publishingWithoutWaitingKeepsTheOrderAndAnswersEach() throws Exception {
    List<CompletableFuture<Stored>> answers = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      answers.add(bus.publishAsync(NOTES, Message.of("alice", "n", Json.of(i))));
    }
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).get().seq()).isEqualTo(i + 1L);
    }
    Feed feed = bus.feed(Prefix.of("notes"), FeedStart.BEGINNING);
    for (int i = 0; i < answers.size(); i++) {
      Envelope envelope = feed.poll();
      assertThat(envelope).isNotNull();
      assertThat(envelope.payload().number(-1)).isEqualTo(i);
    }
    assertThat(feed.poll()).isNull();
  }

  @Test
  void publishingWithoutWaitingToTopicsInTurnKeepsTheOrderOfEach() {
    List<Topic> topics = List.of(NOTES, new Topic("notes.a"), new Topic("notes.b"));
    List<CompletableFuture<Stored>> answers = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Message message = Message.of("alice", "n", Json.of(i));
      answers.add(bus.publishAsync(topics.get(i % topics.size()), message));
    }

    for (int i = 0; i < answers.size(); i++) {
      Stored stored = answers.get(i).join();
      assertThat(stored.topic()).isEqualTo(topics.get(i % topics.size()));
      assertThat(stored.seq()).isEqualTo(1 + i / topics.size());
    }
  }

  @Test
  void oneBadMessageAmongManyFailsAlone() {
    Message large = Message.of("alice", "n", Json.of("x".repeat(Limits.DEFAULT_LINE)));
    CompletableFuture<Stored> before =
        bus.publishAsync(NOTES, Message.of("alice", "n", Json.of(1)));
    CompletableFuture<Stored> bad = bus.publishAsync(NOTES, large);
    CompletableFuture<Stored> after = bus.publishAsync(NOTES, Message.of("alice", "n", Json.of(2)));

    assertThat(before.join().seq()).isEqualTo(1);
    assertThatThrownBy(bad::join).hasCauseInstanceOf(ParleyException.class);
    assertThat(after.join().seq()).isEqualTo(2);
  }

  @Test
  void seed03PublishingAfterCloseIsAnErrorAndSubscribersEnd() throws Exception {
    Subscription subscription = bus.subscribe(Prefix.ALL, FeedStart.BEGINNING, this::see);
    CompletableFuture<Stored> pending =
        bus.publishAsync(NOTES, Message.of("alice", "n", Json.of("x")));

    bus.close();

    assertThat(pending.get().seq()).as("what was accepted is stored first").isEqualTo(1);
    assertThat(subscription.hasEnded()).isTrue();
    assertThatThrownBy(() -> publish("notes", "late")).isInstanceOf(ParleyException.class);
    assertThatThrownBy(() -> bus.publishAsync(NOTES, Message.of("alice", "n", Json.of(1))))
        .isInstanceOf(ParleyException.class);
  }

  @Test
  void aFeedThatWaitsIsWokenByAPublication() throws Exception {
    Feed feed = bus.feed(Prefix.of("notes"), FeedStart.END);
    assertThat(feed.next(Duration.ofMillis(20))).isNull();
    Thread.ofVirtual().start(() -> publish("notes", "a"));

    Envelope envelope = feed.next(Duration.ofSeconds(20));

    assertThat(envelope).isNotNull();
    feed.close();
    assertThat(feed.next(Duration.ofSeconds(20))).isNull();
  }

  @Test
  void badCursorNamesAreRefused() {
    for (String name : List.of("", "../x", "a/b", ".hidden", "a..b", "x\n")) {
      assertThatThrownBy(() -> bus.feed(Prefix.ALL, FeedStart.cursor(name)))
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.code()).isEqualTo("bad-cursor-name"));
    }
  }
}

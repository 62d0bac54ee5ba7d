package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.ledger.Sessions.Profile;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mail.SendResult;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.DeliveryStep;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.MailLimits;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Status;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a team can rely on, whichever log it is on. */
public abstract class TeamContract {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final List<Report> reports = Collections.synchronizedList(new ArrayList<>());
  private Place place;
  private Team team;
  private Session alice;
  private Session bob;
  private Mail alices;
  private Mail bobs;

  protected abstract Place open(Reporter reporter) throws Exception;

  @BeforeEach
  void openTeam() throws Exception {
    place = open(reports::add);
    team = another();
    alice = team.join("alice");
    bob = team.join("bob");
    alices = team.mail(alice);
    bobs = team.mail(bob);
  }

  @AfterEach
  void closeLog() {
    place.log().close();
    assertThat(reports).isEmpty();
  }

  /** A team object that remembers nothing: as in another process. */
  private Team another() {
    return place.team(reports::add);
  }

  private void pass(Duration time) {
    place.pass().accept(time);
  }

  private Instant now() {
    return place.clock().instant();
  }

  private List<Envelope> lines(Topic topic) {
    return WholeTopic.of(place.log(), topic);
  }

  private List<Envelope> lines(Topic topic, String type) {
    return lines(topic).stream().filter(line -> line.type().equals(type)).toList();
  }

  private static Fields details(ParleyException refusal) {
    return Fields.of(refusal.details());
  }

  private static void refused(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).as(e.what()).isEqualTo(code));
  }

  private static ParleyException refusal(String code, ThrowingCallable call) {
    try {
      call.call();
    } catch (ParleyException e) {
      assertThat(e.code()).isEqualTo(code);
      return e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("not refused: " + code);
  }

  private static String send(Mail mail, String to, String body) {
    return mail.send(Draft.to(to).says("Subject", body)).first().id();
  }

  private static List<String> bodies(Collection<ReceivedMail> letters) {
    return letters.stream().map(letter -> letter.content().body()).toList();
  }

  private static List<DeliveryState> way(MailboxEntry entry) {
    return entry.trail().stream().map(DeliveryStep::state).toList();
  }

  private SentMail sentBy(Mail mail, String id) {
    return mail.sent().stream()
        .filter(letter -> letter.copy().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private ReceivedMail only(Mail mail) {
    List<ReceivedMail> letters = mail.inbox(MailFilter.ANY);
    assertThat(letters).hasSize(1);
    return letters.getFirst();
  }

  private void quickStale() {
    team.sessions().staleAfter("alice", SECOND);
  }

  // Sessions

  @Test
  void whoeverJoinsIsOnTheRosterWithWhatItSays() {
    Session carol = Session.begin("carol");

    Member member =
        another().sessions().join(carol, new Profile("reviewer", List.of("java", "sql")));

    assertThat(member.role()).isEqualTo("reviewer");
    assertThat(member.can()).containsExactly("java", "sql");
    assertThat(member.status()).isEqualTo(Status.RUNNING);
    assertThat(team.ledger().look(ledger -> ledger).roster().member("carol")).isEqualTo(member);
    assertThat(team.ledger().look(ledger -> ledger).rules()).isEqualTo(Ledger.RULES);
  }

  @Test
  void aNameBelongsToOneLivingSession() {
    ParleyException refusal = refusal("name-taken", () -> another().join("alice"));

    assertThat(refusal.kind()).isEqualTo(ParleyException.Kind.REFUSED);
    assertThat(details(refusal).text("name")).isEqualTo("alice");
    assertThat(details(refusal).time("heard")).isNotNull();
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
    assertThat(alices.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void whoLeavesFreesItsNameAndCanDoNothingMore() {
    team.sessions().leave(alice, "done for today");

    Member gone = team.ledger().look(ledger -> ledger).roster().member("alice");
    assertThat(gone.hasLeft()).isTrue();
    assertThat(gone.note()).isEqualTo("done for today");
    refused("session-ended", () -> alices.inbox(MailFilter.ANY));
    refused("session-ended", () -> alices.send(Draft.to("bob").says("", "x")));
    refused("session-ended", () -> team.sessions().heartbeat(alice, Beat.ALIVE));
    Session next = another().join("alice");
    assertThat(next.id()).isNotEqualTo(alice.id());
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void leavingTwiceWritesOneLine() {
    team.sessions().leave(alice, null);
    another().sessions().leave(alice, null);

    assertThat(lines(Ledger.TOPIC, LedgerTypes.LEAVE)).hasSize(1);
  }

  @Test
  void aSessionOfWhichOnlyTheIdIsKnownCanBeEnded() {
    another().sessions().end("alice", alice.id(), "its process is gone");
    another().sessions().end("bob", alice.id(), "the name of another");

    assertThat(team.ledger().look(ledger -> ledger).roster().owns("alice", alice.id())).isFalse();
    assertThat(team.ledger().look(ledger -> ledger).roster().owns("bob", bob.id())).isTrue();
  }

  @Test
  void aNameIsFreeAfterSilenceThoughNothingElseWasAppended() {
    quickStale();
    pass(SECOND);

    Session next = another().join("alice");

    assertThat(team.ledger().look(ledger -> ledger).roster().owns("alice", next.id())).isTrue();
    refused("session-ended", () -> team.sessions().heartbeat(alice, Beat.ALIVE));
    assertThat(team.ledger().look(ledger -> ledger).roster().owns("alice", next.id())).isTrue();
  }

  @Test
  void aSessionThatWasSilentButNotReplacedGoesOn() {
    quickStale();
    pass(SECOND.multipliedBy(2));

    assertThat(alices.inbox(MailFilter.ANY)).isEmpty();
    refused("name-taken", () -> another().join("alice"));
  }

  @Test
  void whateverASessionDoesKeepsItsName() {
    quickStale();
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofMillis(300));
      assertThat(alices.inbox(MailFilter.ANY)).isEmpty();
    }

    refused("name-taken", () -> another().join("alice"));
  }

  @Test
  void aSessionMayJoinAgainAndKeepsWhatItWasDoing() {
    team.sessions().heartbeat(alice, new Beat(Status.BLOCKED, "build", 40, "waits for bob"));

    Member member = another().sessions().join(alice, new Profile("lead", List.of()));

    assertThat(member.role()).isEqualTo("lead");
    assertThat(member.status()).isEqualTo(Status.BLOCKED);
    assertThat(member.task()).isEqualTo("build");
    assertThat(member.progress()).isEqualTo(40);
    assertThat(member.note()).isEqualTo("waits for bob");
  }

  @Test
  void aHeartbeatReplacesWhatItSaysAndLeavesTheRest() {
    team.sessions().heartbeat(alice, new Beat(Status.RUNNING, "build", 10, "begins"));
    Member member = team.sessions().heartbeat(alice, new Beat(null, null, 90, null));

    assertThat(member.task()).isEqualTo("build");
    assertThat(member.progress()).isEqualTo(90);
    assertThat(member.note()).isEqualTo("begins");
  }

  @Test
  void ofManyWhoJoinUnderOneNameAtOnceOneGetsIt() throws Exception {
    List<Callable<Boolean>> joins = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      joins.add(() -> {
        try {
          another().join("carol");
          return true;
        } catch (ParleyException e) {
          assertThat(e.code()).isEqualTo("name-taken");
          return false;
        }
      });
    }

    assertThat(atOnce(joins)).containsOnlyOnce(true);
  }

  private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    CyclicBarrier start = new CyclicBarrier(calls.size());
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> call : calls) {
        futures.add(
            threads.submit(() -> {
              start.await();
              return call.call();
            }));
      }
      for (Future<T> future : futures) {
        results.add(future.get());
      }
    }
    return results;
  }

  @Test
  void expectedNamesAreKnownAndWrongOnesRefused() {
    team.sessions().expect("alice", List.of("carol", "dave.1"));

    SendResult result = alices.send(Draft.to("carol").says("", "hi"));
    assertThat(result.first().warning()).contains("carol has not joined yet");
    refused("bad-agent-name", () -> team.sessions().expect("alice", List.of("no name")));
    assertThat(lines(Ledger.TOPIC, LedgerTypes.EXPECT)).hasSize(1);
  }

  @Test
  void underUnknownRulesALedgerIsReadButNothingIsDecided() {
    place
        .log()
        .append(
            Ledger.TOPIC,
            List.of(Message.of("zed", LedgerTypes.RULES, Json.object().put("rules", 999).build())));
    int before = lines(Ledger.TOPIC).size();

    assertThat(team.ledger().look(ledger -> ledger).roster().member("alice")).isNotNull();
    assertThat(team.ledger().look(ledger -> ledger).rules()).isEqualTo(999);
    refused("unknown-rules", () -> another().join("carol"));
    refused("unknown-rules", () -> team.sessions().heartbeat(alice, Beat.ALIVE));
    refused("unknown-rules", () -> team.sessions().leave(alice, null));
    refused("unknown-rules", () -> team.sessions().expect("alice", List.of("x")));
    refused("unknown-rules", () -> alices.send(Draft.to("bob").says("", "x")));
    assertThat(lines(Ledger.TOPIC)).hasSize(before);
    assertThat(lines(Mailbox.mailOf("bob"))).isEmpty();
  }

  @Test
  void howLongASessionMayBeSilentHasLimits() {
    Sessions sessions = team.sessions();
    assertThat(team.ledger().look(Ledger::staleAfter)).isEqualTo(Duration.ofMinutes(10));
    sessions.staleAfter("alice", Duration.ofDays(365));
    assertThat(team.ledger().look(Ledger::staleAfter)).isEqualTo(Duration.ofDays(365));

    refused("bad-stale-after", () -> sessions.staleAfter("alice", Duration.ofMillis(999)));
    refused("bad-stale-after", () -> sessions.staleAfter("alice", Duration.ofDays(366)));
  }

  // Sending

  @Test
  void aMessageIsStoredForItsRecipientAndNobodyElse() {
    SendResult result =
        alices.send(
            Draft.task("bob", "Tests", "Please write tests.")
                .priority(Priority.HIGH)
                .artifacts(List.of("Topic.java"))
                .metadata(Json.object().put("size", 3).build()));

    assertThat(result.copies()).hasSize(1);
    assertThat(result.first().state()).isEqualTo(DeliveryState.STORED);
    assertThat(result.first().repeated()).isFalse();
    assertThat(result.first().warning()).isNull();
    ReceivedMail letter = only(bobs);
    assertThat(letter.entry().id()).isEqualTo(result.first().id());
    assertThat(letter.entry().position()).isEqualTo(result.first().position());
    assertThat(letter.entry().from()).isEqualTo("alice");
    assertThat(letter.entry().type()).isEqualTo("task");
    assertThat(letter.entry().priority()).isEqualTo(Priority.HIGH);
    assertThat(letter.content().subject()).isEqualTo("Tests");
    assertThat(letter.content().body()).isEqualTo("Please write tests.");
    assertThat(letter.content().artifacts()).containsExactly("Topic.java");
    assertThat(letter.state()).isEqualTo(DeliveryState.STORED);
    assertThat(letter.again()).isFalse();
    assertThat(alices.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void aMessageToSeveralGoesToEachOnce() {
    Mail carols = team.mail(team.join("carol"));

    SendResult result = alices.send(Draft.to("bob", "carol", "bob").says("", "both"));

    assertThat(result.copies()).extracting(SendResult.Copy::to).containsExactly("bob", "carol");
    assertThat(bodies(bobs.inbox(MailFilter.ANY))).containsExactly("both");
    assertThat(bodies(carols.inbox(MailFilter.ANY))).containsExactly("both");
    assertThat(alices.sent()).hasSize(2);
  }

  @Test
  void allIsEveryoneWhoHasNotLeftAndIsExpectedButNotTheSender() {
    Session carol = team.join("carol");
    team.sessions().leave(team.join("dave"), null);
    team.sessions().expect("alice", List.of("erin"));

    SendResult result = alices.send(Draft.status("in_progress", "halfway"));

    assertThat(result.copies())
        .extracting(SendResult.Copy::to)
        .containsExactlyInAnyOrder("bob", "carol", "erin");
    assertThat(team.mail(carol).inbox(MailFilter.ANY)).hasSize(1);
  }

  @Test
  void allIsNobodyForOneWhoIsAlone() {
    team.sessions().leave(bob, null);

    refused("nobody-here", () -> alices.send(Draft.to(Draft.ALL).says("", "x")));
  }

  @Test
  void aMessageToNobodyIsInvalidAndSaysSo() {
    ParleyException refusal = refusal("no-recipient", () -> alices.send(Draft.answer("to whom?")));

    assertThat(refusal.kind()).isEqualTo(ParleyException.Kind.INVALID);
    assertThat(refusal.isWorded()).isFalse();
  }

  @Test
  void anUnknownRecipientIsRefusedNamingTheNearest() {
    ParleyException refusal =
        refusal("unknown-recipient", () -> alices.send(Draft.to("bob", "bobb").says("", "x")));

    assertThat(details(refusal).text("name")).isEqualTo("bobb");
    assertThat(details(refusal).text("nearest")).isEqualTo("bob");
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
    assertThat(place.log().topics(dev.parley.core.Prefix.ALL))
        .doesNotContain(Mailbox.mailOf("bobb"));
  }

  @Test
  void anUnknownRecipientFindsWhatWasSentAnyway() {
    SendResult result = alices.sendAnyway(Draft.to("carol").says("", "hi"));

    assertThat(result.first().warning()).isEqualTo("carol has not joined yet; the message waits");
    assertThat(bodies(team.mail(team.join("carol")).inbox(MailFilter.ANY))).containsExactly("hi");
  }

  @Test
  void thePersonInChargeIsAlwaysKnown() {
    assertThat(alices.send(Draft.to("human").says("", "help")).first().state())
        .isEqualTo(DeliveryState.STORED);
  }

  @Test
  void aWrongNameAndAReservedTypeAreInvalid() {
    refused("bad-agent-name", () -> alices.sendAnyway(Draft.to("no name").says("", "x")));
    refused("reserved-type", () -> Draft.to("bob").type("mail.end"));
    refused("bad-agent-name", () -> Draft.to("bob").escalateTo("no name"));
  }

  @Test
  void theLongestNameHasAMailbox() {
    String longest = "x".repeat(AgentName.MAX_NAME);
    Mail mail = team.mail(team.join(longest));

    send(alices, longest, "hi");

    assertThat(bodies(mail.inbox(MailFilter.ANY))).containsExactly("hi");
  }

  @Test
  void aMessageAsLargeAsALineMayBeIsNotedAsSent() {
    String subject = "x".repeat(1_048_000);

    String id = alices.send(Draft.to("bob").says(subject, "")).first().id();

    assertThat(sentBy(alices, id).state()).isEqualTo("stored");
    assertThat(only(bobs).content().subject()).isEqualTo(subject);
  }

  @Test
  void aBodyTooLongForALineIsKeptBesideTheLogAndComesBackWhole() {
    // The 200th and 201st are halves of one character, which is not divided.
    String body = "abcd" + "Zeile ☃ 😀\n".repeat(150_000);
    Mail carols = team.mail(team.join("carol"));

    SendResult result = alices.send(Draft.to("bob", "carol").says("Long", body));

    assertThat(result.first().state()).isEqualTo(DeliveryState.STORED);
    for (Mail mail : List.of(bobs, carols)) {
      ReceivedMail letter = only(mail);
      assertThat(letter.content().beside()).isNotNull();
      assertThat(letter.content().body()).hasSizeLessThan(300).isEqualTo(body.substring(0, 199));
      assertThat(mail.whole(letter).content().body()).isEqualTo(body);
      assertThat(mail.whole(letter).content().beside()).isNull();
    }
    assertThat(lines(Mailbox.mailOf("bob")).getLast().toString()).hasSizeLessThan(2_000);
    assertThat(alices.sent()).hasSize(2);
  }

  @Test
  void aLongAnswerIsOneAnswerHoweverOftenItIsTried() {
    String body = "x".repeat(2_000_000);
    String id = send(alices, "bob", "?");
    Mail other = another().mail(bob);
    alices.send(Draft.to("bob").says("", "more"));

    var _ = bobs.reply(id, Draft.answer(body));

    assertThat(alices.whole(only(alices)).content().body()).isEqualTo(body);
    refused("already-ended", () -> other.reply(id, Draft.answer(body + "!")));
    assertThat(bobs.inbox(MailFilter.ANY)).hasSize(1);
  }

  @Test
  void aLongBodyWithoutWordsIsNoEmptyAcknowledgement() {
    for (int i = 0; i < 6; i++) {
      var _ = alices.send(Draft.to("bob").thread("t").replyTo("x").says("", " ".repeat(2_000_000)));
    }

    assertThat(bobs.held()).isEmpty();
    assertThat(bobs.inbox(MailFilter.ANY)).hasSize(6);
  }

  @Test
  void whatIsTooLongToBeKeptIsRefusedBeforeAnythingIsWritten() {
    String body = "x".repeat(place.contents().limit() + 1);

    refused("content-too-long", () -> alices.send(Draft.to("bob").says("", body)));
    refused("line-too-long", () -> alices.send(Draft.to("bob").says("x".repeat(2_000_000), "")));
    refused(
        "line-too-long",
        () -> alices.send(Draft.to("bob").says("", "x".repeat(2_000_000) + "\ud800")));

    assertThat(lines(Mailbox.mailOf("bob"))).isEmpty();
    assertThat(alices.sent()).isEmpty();
  }

  @Test
  void whatIsMissingCantBeReadAndIsNotClaimed() {
    MailContent.Beside nowhere = new MailContent.Beside(Contents.digest(new byte[1]), 1);
    MailContent.Beside outside = new MailContent.Beside("sha256:../../etc/passwd", 1);
    for (MailContent.Beside beside : List.of(nowhere, outside)) {
      Json payload =
          Json.object()
              .put("subject", "s")
              .put("body", "b")
              .put(
                  "content",
                  Json.object().put("digest", beside.digest()).put("size", beside.size()).build())
              .build();
      place.log().append(Mailbox.mailOf("bob"), List.of(Message.of("alice", "note", payload)));
    }

    List<ReceivedMail> letters = bobs.inbox(MailFilter.ANY);
    ParleyException missing = refusal("content-missing", () -> bobs.whole(letters.getFirst()));
    assertThat(details(missing).text("id")).isEqualTo(letters.getFirst().entry().id());
    assertThat(details(missing).text("from")).isEqualTo("alice");
    refused("bad-digest", () -> bobs.whole(letters.getLast()));
    assertThat(bobs.inbox(MailFilter.ANY))
        .allMatch(letter -> letter.state() == DeliveryState.STORED);
    bobs.remove(letters.stream().map(letter -> letter.entry().id()).toList());
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void anOverdueMessageWithTheLongestSubjectIsEscalated() {
    Instant deadline = now().plusSeconds(1);
    var _ = alices.send(Draft.to("bob").says("x".repeat(1_048_000), "").needsReply(deadline));
    pass(SECOND.multipliedBy(2));

    assertThat(only(bobs).state()).isEqualTo(DeliveryState.OVERDUE);
    assertThat(lines(Mailbox.mailOf("human"))).hasSize(1);
  }

  @Test
  void aFullInboxRefusesBeforeAnythingIsWritten() {
    Mail carols = team.mail(team.join("carol"));
    carols.setLimits(MailLimits.DEFAULT.with(MailLimit.MESSAGES, 2));
    send(alices, "carol", "1");
    String keyed = alices.send(Draft.to("carol").says("", "2").key("k")).first().id();

    ParleyException refusal =
        refusal("inbox-full", () -> alices.send(Draft.to("bob", "carol").says("", "3")));

    assertThat(details(refusal).text("agent")).isEqualTo("carol");
    assertThat(details(refusal).number("count", 0)).isEqualTo(2);
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
    assertThat(carols.inbox(MailFilter.ANY)).hasSize(2);
    // What is there already needs no room.
    assertThat(alices.send(Draft.to("carol").says("", "2").key("k")).first().id()).isEqualTo(keyed);
    carols.acknowledge(List.of(keyed));
    send(alices, "carol", "3");
    assertThat(carols.inbox(MailFilter.ANY)).hasSize(2);
  }

  @Test
  void aKeyMakesSendingTwiceTheSameAsOnce() {
    SendResult first = alices.send(Draft.to("bob").says("", "once").key("k"));
    SendResult second = another().mail(alice).send(Draft.to("bob").says("", "once").key("k"));
    SendResult other = bobs.send(Draft.to("bob").says("", "mine").key("k"));

    assertThat(second.first().repeated()).isTrue();
    assertThat(second.first().id()).isEqualTo(first.first().id());
    assertThat(second.first().position()).isEqualTo(first.first().position());
    assertThat(other.first().repeated()).isFalse();
    assertThat(bodies(bobs.inbox(MailFilter.ANY))).containsExactly("once", "mine");
    assertThat(alices.sent()).hasSize(1);
  }

  @Test
  void aKeyThatAnotherProcessHasUsedSinceTheLastLookIsFound() {
    send(alices, "bob", "before");
    SendResult first = another().mail(alice).send(Draft.to("bob").says("", "once").key("k"));

    SendResult second = alices.send(Draft.to("bob").says("", "once").key("k"));

    assertThat(second.first().repeated()).isTrue();
    assertThat(second.first().id()).isEqualTo(first.first().id());
    assertThat(bodies(bobs.inbox(MailFilter.ANY))).containsExactly("before", "once");
    assertThat(alices.sent()).hasSize(2);
  }

  @Test
  void ofTwoWhoRaceWithOneKeyBothGetTheSameMessage() throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "race-" + round;
      List<Callable<SendResult>> sends = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Mail mail = another().mail(alice);
        sends.add(() -> mail.send(Draft.to("bob").says("", key).key(key)));
      }

      List<SendResult> receipts = atOnce(sends);

      assertThat(receipts)
          .extracting(result -> result.first().id())
          .containsOnly(receipts.getFirst().first().id());
      assertThat(receipts).filteredOn(result -> !result.first().repeated()).hasSize(1);
    }
    assertThat(bobs.inbox(MailFilter.ANY)).hasSize(20);
    assertThat(alices.sent()).hasSize(20);
  }

  @Test
  void theSenderIsToldWhoCantReadYet() {
    quickStale();
    Session carol = team.join("carol");
    pass(SECOND);
    assertThat(alices.send(Draft.to("carol").says("", "x")).first().warning())
        .startsWith("carol is stale, last heard of ");
    team.sessions().heartbeat(carol, Beat.ALIVE);
    assertThat(alices.send(Draft.to("carol").says("", "x")).first().warning()).isNull();
    team.sessions().leave(carol, null);

    assertThat(alices.send(Draft.to("carol").says("", "x")).first().warning())
        .matches("carol left \\d+ s ago; the message waits");
    assertThat(alices.sent())
        .last()
        .extracting(SentMail::warning)
        .asString()
        .matches("carol left \\d+ s ago; the message waits");
  }

  // Ends

  @Test
  void aReplyReachesTheSenderAndEndsTheMessage() throws Exception {
    String question = alices.send(Draft.question("bob", "Which?", "A or B")).first().id();

    SendResult result = bobs.reply(question, Draft.to("alice").says("Re", "A"));

    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
    ReceivedMail answer = only(alices);
    assertThat(answer.entry().id()).isEqualTo(result.first().id());
    assertThat(answer.entry().replyTo()).isEqualTo(question);
    assertThat(answer.entry().thread()).isEqualTo(question);
    SentMail sent = sentBy(alices, question);
    assertThat(sent.state()).isEqualTo("done");
    assertThat(sent.entry().trail().getLast().note()).isEqualTo("answered: " + result.first().id());
    assertThat(alices.findSent(question).state()).isEqualTo(DeliveryState.DONE);
  }

  @Test
  void aSecondReplyIsRefused() {
    String id = send(alices, "bob", "?");
    bobs.reply(id, Draft.to("alice").says("", "first"));

    refused("already-ended", () -> bobs.reply(id, Draft.to("alice").says("", "second")));
    refused("already-ended", () -> another().mail(bob).acknowledge(List.of(id)));
    assertThat(bodies(alices.inbox(MailFilter.ANY))).containsExactly("first");
  }

  @Test
  void ofTwoAnswersAtOnceOneIsSentAndTheOtherRefused() throws Exception {
    for (int round = 0; round < 20; round++) {
      String id = send(alices, "bob", "?");
      List<Callable<String>> replies = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Mail mail = another().mail(bob);
        String text = "answer " + i;
        replies.add(() -> {
          try {
            var _ = mail.reply(id, Draft.to("alice").says("", text));
            return text;
          } catch (ParleyException e) {
            assertThat(e.code()).isEqualTo("already-ended");
            return "refused";
          }
        });
      }

      List<String> answers = new ArrayList<>(atOnce(replies));

      answers.removeIf("refused"::equals);
      ReceivedMail got = only(alices);
      assertThat(answers).containsExactly(got.content().body());
      assertThat(sentBy(alices, id).entry().trail().getLast().note())
          .isEqualTo("answered: " + got.entry().id());
      alices.remove(List.of(got.entry().id()));
    }
  }

  @Test
  void acknowledgingEndsAMessageWithoutTellingItsSender() {
    String id = send(alices, "bob", "fyi");

    bobs.acknowledge(List.of(id));

    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
    assertThat(alices.inbox(MailFilter.ANY)).isEmpty();
    assertThat(sentBy(alices, id).entry().trail().getLast().note()).isEqualTo("acknowledged");
    refused("already-ended", () -> bobs.acknowledge(List.of(id)));
    assertThat(bobs.find(id).state()).isEqualTo(DeliveryState.DONE);
  }

  @Test
  void refusingTellsTheSenderWhy() {
    String id = send(alices, "bob", "do it");

    bobs.refuse(List.of(id), "no time");

    ReceivedMail refusal = only(alices);
    assertThat(refusal.entry().type()).isEqualTo(MailTypes.REFUSAL);
    assertThat(refusal.entry().replyTo()).isEqualTo(id);
    assertThat(refusal.content().body()).isEqualTo("no time");
    assertThat(sentBy(alices, id).entry().trail().getLast().note()).isEqualTo("refused: no time");
  }

  @Test
  void whatAProgramWroteIsRefusedWithoutTelling() {
    String automatic = alices.send(Draft.to("bob").automatic(true).says("", "x")).first().id();

    bobs.refuse(List.of(automatic), "no");

    assertThat(alices.inbox(MailFilter.ANY)).isEmpty();
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void removedMessagesLeaveTheInboxAndClearTakesAll() {
    String one = send(alices, "bob", "1");
    String two = send(alices, "bob", "2");
    send(alices, "bob", "3");

    bobs.remove(List.of(one, two));
    assertThat(bodies(bobs.inbox(MailFilter.ANY))).containsExactly("3");
    assertThat(bobs.clear()).isEqualTo(1);
    assertThat(bobs.clear()).isZero();
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
    refused("no-such-message", () -> bobs.remove(List.of("nothing")));
  }

  @Test
  void clearingALargeInboxLeavesNothing() {
    for (int i = 0; i < 2 * (int) MailLimit.RECENT.usual(); i++) {
      send(alices, "bob", "n" + i);
    }

    assertThat(bobs.clear()).isEqualTo(2 * (int) MailLimit.RECENT.usual());
    assertThat(another().mail(bob).inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void aMessageIsNamedByItsIdOrItsPlace() {
    SendResult.Copy copy = alices.send(Draft.to("bob").says("", "x")).first();

    bobs.acknowledge(List.of(copy.position().in(Mailbox.mailOf("bob"))));

    assertThat(bobs.find(copy.id()).state()).isEqualTo(DeliveryState.DONE);
  }

  // Delivered, seen, again

  @Test
  void aMessageIsDeliveredAndSeenOnlyWhenSomebodySaysSo() {
    String id = send(alices, "bob", "x");
    List<ReceivedMail> listed = bobs.inbox(MailFilter.ANY);
    assertThat(sentBy(alices, id).state()).isEqualTo("stored");
    bobs.delivered(listed);
    assertThat(sentBy(alices, id).state()).isEqualTo("delivered");
    bobs.seen(listed);
    assertThat(sentBy(alices, id).state()).isEqualTo("seen");
    int lines = lines(Mailbox.receiptsOf("bob")).size();
    bobs.seen(bobs.inbox(MailFilter.ANY));
    bobs.delivered(bobs.inbox(MailFilter.ANY));

    assertThat(lines(Mailbox.receiptsOf("bob"))).hasSize(lines);
    assertThat(bobs.inbox(MailFilter.ANY.unread(true))).isEmpty();
    assertThat(bobs.inbox(MailFilter.ANY)).hasSize(1);
    assertThat(way(sentBy(alices, id).entry()))
        .containsExactly(DeliveryState.STORED, DeliveryState.DELIVERED, DeliveryState.SEEN);
  }

  @Test
  void whatWasSeenWithoutADeliveryWasDeliveredAsWell() {
    String id = send(alices, "bob", "x");

    bobs.seen(bobs.inbox(MailFilter.ANY));

    assertThat(way(sentBy(alices, id).entry()))
        .containsExactly(DeliveryState.STORED, DeliveryState.DELIVERED, DeliveryState.SEEN);
  }

  @Test
  void aReceiptCoversWhatItNamesAndNothingElse() {
    for (int i = 0; i < 6; i++) {
      send(alices, "bob", "n" + i);
    }
    List<ReceivedMail> letters = bobs.inbox(MailFilter.ANY);

    bobs.seen(List.of(letters.get(4), letters.get(1)));
    bobs.delivered(List.of(letters.get(2)));

    assertThat(bobs.inbox(MailFilter.ANY))
        .extracting(ReceivedMail::state)
        .containsExactly(
            DeliveryState.STORED,
            DeliveryState.SEEN,
            DeliveryState.DELIVERED,
            DeliveryState.STORED,
            DeliveryState.SEEN,
            DeliveryState.STORED);
  }

  @Test
  void aNewSessionIsGivenAgainWhatTheOldOneDidNotSee() throws Exception {
    send(alices, "bob", "delivered");
    send(alices, "bob", "seen");
    List<ReceivedMail> letters = bobs.inbox(MailFilter.ANY);
    bobs.delivered(letters);
    bobs.seen(letters.subList(1, 2));
    assertThat(bobs.inbox(MailFilter.ANY)).noneMatch(ReceivedMail::again);
    assertThat(bobs.await(MailFilter.ANY, Duration.ZERO)).isNull();
    team.sessions().leave(bob, null);

    Mail next = another().mail(another().join("bob"));

    assertThat(next.inbox(MailFilter.ANY))
        .extracting(ReceivedMail::again)
        .containsExactly(true, false);
    ReceivedMail again = next.await(MailFilter.ANY, Duration.ZERO);
    assertThat(again.content().body()).isEqualTo("delivered");
    assertThat(again.again()).isTrue();
    next.delivered(List.of(again));
    assertThat(next.inbox(MailFilter.ANY)).noneMatch(ReceivedMail::again);
    assertThat(next.await(MailFilter.ANY, Duration.ZERO)).isNull();
  }

  @Test
  void whatANewSessionIsGivenDoesNotCountForWhatItIsNotGiven() throws Exception {
    send(alices, "bob", "old");
    bobs.delivered(bobs.inbox(MailFilter.ANY));
    team.sessions().leave(bob, null);
    Mail next = team.mail(team.join("bob"));
    alices.send(Draft.to("bob").type("news").says("", "new"));

    ReceivedMail news = next.await(MailFilter.ANY.types(List.of("news")), Duration.ZERO);
    next.delivered(List.of(news));

    ReceivedMail old = next.await(MailFilter.ANY, Duration.ZERO);
    assertThat(old).as("the one that the old session was given").isNotNull();
    assertThat(old.content().body()).isEqualTo("old");
    assertThat(old.again()).isTrue();
  }

  @Test
  void theSenderDoesNotSeeItsOwnMessageAsGivenAgain() {
    String id = send(alices, "bob", "x");
    bobs.delivered(bobs.inbox(MailFilter.ANY));

    assertThat(alices.findSent(id).again()).isFalse();
    assertThat(alices.findSent(id).state()).isEqualTo(DeliveryState.DELIVERED);
  }

  // Waiting

  private ReceivedMail await(Mail mail, MailFilter filter) throws InterruptedException {
    return mail.await(filter, Duration.ZERO);
  }

  @Test
  void namesThatMeanSomethingElseCannotBeTaken() {
    refused("reserved-name", () -> team.join("all"));
    refused("reserved-name", () -> team.join("parley"));
  }

  @Test
  void aListenerIsCalledWithEveryLetterOnceAlsoWhenItThrows() throws Exception {
    send(alices, "bob", "before");
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try (Mail.Listening _ =
        bobs.listen(
            MailFilter.ANY,
            letter -> {
              heard.add(letter.content().body());
              if (letter.content().body().equals("bad")) {
                throw new IllegalStateException("on purpose");
              }
            })) {
      send(alices, "bob", "bad");
      send(alices, "bob", "after");

      assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("before");
      assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("bad");
      assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("after");
      Awaitility.await()
          .until(() -> alices.sent().stream().allMatch(sent -> sent.state().equals("delivered")));
    }
    assertThat(heard).isEmpty();
    assertThat(reports).singleElement().isInstanceOf(Report.HandlerFailed.class);
    reports.clear();
  }

  @Test
  void aWaitFindsWhatCameBefore() throws Exception {
    send(alices, "bob", "1");
    send(alices, "bob", "2");

    ReceivedMail letter = bobs.await(MailFilter.ANY, LONG);

    assertThat(letter.content().body()).isEqualTo("1");
  }

  @Test
  void aWaitIsEndedByWhatComesLater() throws Exception {
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<ReceivedMail> waiting =
          threads.submit(() -> bobs.await(MailFilter.ANY.types(List.of("news")), LONG));
      send(alices, "bob", "not this");
      alices.send(Draft.to("bob").type("news").says("", "this"));

      assertThat(waiting.get().content().body()).isEqualTo("this");
    }
  }

  @Test
  void aWaitEndsWithNothingWhenItsTimeIsOver() throws Exception {
    assertThat(bobs.await(MailFilter.ANY, Duration.ofMillis(20))).isNull();
  }

  @Test
  void aWaitTakesWhatItsFilterWants() throws Exception {
    Mail carols = team.mail(team.join("carol"));
    send(alices, "bob", "from alice");
    String carol = send(carols, "bob", "from carol");
    SendResult.Copy threaded =
        alices.send(Draft.to("bob").thread("t1").says("", "in thread")).first();
    alices.send(Draft.to("bob").replyTo(carol).says("", "reply"));
    alices.send(Draft.to("bob").priority(Priority.CRITICAL).says("", "critical"));
    alices.send(Draft.status("in_progress", "not yet"));
    alices.send(Draft.status("complete", "all done"));

    assertThat(await(bobs, MailFilter.ANY).content().body()).isEqualTo("from alice");
    assertThat(await(bobs, MailFilter.ANY.from(List.of("carol"))).content().body())
        .isEqualTo("from carol");
    assertThat(await(bobs, MailFilter.ANY.types(List.of("status"))).content().body())
        .isEqualTo("not yet");
    assertThat(await(bobs, MailFilter.ANY.thread("t1")).content().body()).isEqualTo("in thread");
    assertThat(await(bobs, MailFilter.ANY.replyTo(carol)).content().body()).isEqualTo("reply");
    assertThat(await(bobs, MailFilter.ANY.least(Priority.HIGH)).content().body())
        .isEqualTo("critical");
    assertThat(await(bobs, MailFilter.ANY.completion(true)).content().body()).isEqualTo("all done");
    assertThat(await(bobs, MailFilter.ANY.since(threaded.position())).content().body())
        .isEqualTo("reply");
    assertThat(
            await(bobs, MailFilter.ANY.also(letter -> letter.content().body().startsWith("in")))
                .content()
                .body())
        .isEqualTo("in thread");
    assertThat(await(bobs, MailFilter.ANY.from(List.of("dave")))).isNull();
  }

  @Test
  void aWaitGivesEachLetterToASessionOnce() throws Exception {
    send(alices, "bob", "1");
    send(alices, "bob", "2");
    List<String> got = new ArrayList<>();
    for (ReceivedMail letter = await(bobs, MailFilter.ANY);
        letter != null;
        letter = await(bobs, MailFilter.ANY)) {
      bobs.delivered(List.of(letter));
      got.add(letter.content().body());
    }

    assertThat(got).containsExactly("1", "2");
  }

  @Test
  void lettersAreSortedByUrgencyOrAge() {
    send(alices, "bob", "1");
    alices.send(Draft.to("bob").priority(Priority.CRITICAL).says("", "2"));
    alices.send(Draft.to("bob").priority(Priority.LOW).says("", "3"));
    alices.send(Draft.to("bob").priority(Priority.CRITICAL).says("", "4"));
    List<ReceivedMail> letters = bobs.inbox(MailFilter.ANY);

    assertThat(bodies(letters.stream().sorted(ReceivedMail.MOST_URGENT).toList()))
        .containsExactly("2", "4", "1", "3");
    assertThat(bodies(letters.stream().sorted(ReceivedMail.NEWEST).toList()))
        .containsExactly("4", "3", "2", "1");
  }

  // Time

  @Test
  void anUnansweredQuestionIsOverdueAndEscalatedOnceThoughManyNotice() throws Exception {
    Mail carols = team.mail(team.join("carol"));
    String id =
        alices
            .send(
                Draft.question("bob", "Which?", "")
                    .escalateTo("carol")
                    .needsReply(now().plus(SECOND)))
            .first()
            .id();
    assertThat(bobs.inbox(MailFilter.ANY))
        .extracting(ReceivedMail::state)
        .containsExactly(DeliveryState.STORED);
    pass(SECOND);

    List<Callable<Boolean>> looks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Mail bobsMail = another().mail(bob);
      Mail alicesMail = another().mail(alice);
      looks.add(() -> bobsMail.inbox(MailFilter.ANY).getFirst().state() == DeliveryState.OVERDUE);
      looks.add(() -> alicesMail.sent().getFirst().state().equals("overdue"));
    }
    assertThat(atOnce(looks)).containsOnly(true);
    assertThat(bobs.inbox(MailFilter.ANY)).hasSize(1);

    ReceivedMail escalation = only(carols);
    assertThat(escalation.entry().type()).isEqualTo(MailTypes.ESCALATION);
    assertThat(escalation.entry().from()).isEqualTo(Bus.SYSTEM);
    assertThat(escalation.content().body()).contains(id).contains("alice").contains("bob");
    assertThat(escalation.content().subject())
        .isEqualTo("Overdue: bob has not answered alice: Which?");
    ParleyException refusal =
        refusal(
            "no-reply", () -> carols.reply(escalation.entry().id(), Draft.answer("the red one")));
    assertThat(details(refusal).text("from")).isEqualTo("alice");
    assertThat(details(refusal).text("thread")).isEqualTo(bobs.find(id).entry().thread());
    assertThat(carols.find(escalation.entry().id()).entry().hasEnded()).isFalse();
    assertThat(way(bobs.find(id).entry()))
        .containsExactly(DeliveryState.STORED, DeliveryState.OVERDUE);
    var _ = bobs.reply(id, Draft.to("alice").says("", "late"));
    assertThat(way(bobs.find(id).entry()))
        .containsExactly(DeliveryState.STORED, DeliveryState.OVERDUE, DeliveryState.DONE);
  }

  @Test
  void aWaitNoticesThatSomethingBecameOverdueAndThePersonInChargeIsTold() throws Exception {
    alices.send(Draft.question("bob", "Which?", "").needsReply(now().plus(SECOND)));
    bobs.delivered(bobs.inbox(MailFilter.ANY));
    pass(SECOND);

    assertThat(bobs.await(MailFilter.ANY, Duration.ofMillis(20))).isNull();

    assertThat(lines(Mailbox.mailOf("human"))).hasSize(1);
  }

  @Test
  void whatWasAnsweredInTimeIsNeverOverdue() {
    String id =
        alices
            .send(Draft.question("bob", "Which?", "").needsReply(now().plus(SECOND)))
            .first()
            .id();
    var _ = bobs.reply(id, Draft.to("alice").says("", "A"));
    pass(SECOND.multipliedBy(2));

    assertThat(sentBy(alices, id).state()).isEqualTo("done");
    assertThat(lines(Mailbox.receiptsOf("bob"), MailTypes.OVERDUE)).isEmpty();
    assertThat(lines(Mailbox.mailOf("human"))).isEmpty();
  }

  @Test
  void aMessageNobodyTakesBecomesADeadLetterAndItsSenderIsTold() {
    Session carol = team.join("carol");
    team.mail(carol).setLimits(MailLimits.DEFAULT.with(MailLimit.DEAD_AFTER, 1));
    team.sessions().leave(carol, null);
    String id =
        alices
            .send(Draft.task("carol", "Do", "it").priority(Priority.HIGH).thread("t").key("once"))
            .first()
            .id();
    refused("no-such-dead-letter", () -> alices.resend(id));
    pass(SECOND);

    assertThat(sentBy(alices, id).state()).isEqualTo("dead");
    assertThat(sentBy(another().mail(alice), id).state()).isEqualTo("dead");

    ReceivedMail told = only(alices);
    assertThat(told.entry().type()).isEqualTo(MailTypes.UNDELIVERED);
    assertThat(told.content().body()).contains(id);
    Mail carols = team.mail(team.join("carol"));
    assertThat(carols.inbox(MailFilter.ANY)).isEmpty();
    SendResult again = alices.resend(id);
    ReceivedMail letter = only(carols);
    assertThat(letter.entry().id()).isEqualTo(again.first().id()).isNotEqualTo(id);
    assertThat(letter.content().body()).isEqualTo("it");
    assertThat(letter.entry().thread()).isEqualTo("t");
    assertThat(letter.entry().priority()).isEqualTo(Priority.HIGH);
  }

  @Test
  void whatWasDeliveredNeverBecomesADeadLetter() {
    bobs.setLimits(MailLimits.DEFAULT.with(MailLimit.DEAD_AFTER, 1));
    String id = send(alices, "bob", "x");
    bobs.delivered(bobs.inbox(MailFilter.ANY));
    team.sessions().leave(bob, null);
    pass(SECOND.multipliedBy(2));

    assertThat(sentBy(alices, id).state()).isEqualTo("delivered");
  }

  @Test
  void beingOverdueDoesNotKeepALetterFromDying() {
    Session carol = team.join("carol");
    team.mail(carol).setLimits(MailLimits.DEFAULT.with(MailLimit.DEAD_AFTER, 2));
    team.sessions().leave(carol, null);
    String id =
        alices.send(Draft.question("carol", "?", "").needsReply(now().plus(SECOND))).first().id();
    pass(SECOND);
    assertThat(sentBy(alices, id).state()).isEqualTo("overdue");
    pass(SECOND);

    assertThat(sentBy(alices, id).state()).isEqualTo("dead");
  }

  // The damper

  private List<SendResult.Copy> chatter(int messages) {
    List<SendResult.Copy> copies = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      copies.add(
          alices.send(Draft.to("bob").thread("t").automatic(true).says("", "n" + i)).first());
    }
    return copies;
  }

  @Test
  void aConversationOfMachinesIsHeldWithItsReasonAndCanBeLetGo() throws Exception {
    List<SendResult.Copy> copies = chatter(5);

    SendResult.Copy held = copies.getLast();
    assertThat(copies.subList(0, 4)).allMatch(copy -> copy.state() == DeliveryState.STORED);
    assertThat(held.state()).isEqualTo(DeliveryState.HELD);
    assertThat(held.warning())
        .isEqualTo(
            "5 automatic messages or empty acknowledgements in a row in this thread (at most 4)");
    assertThat(bobs.inbox(MailFilter.ANY)).hasSize(4);
    assertThat(bobs.await(MailFilter.ANY.since(copies.get(3).position()), Duration.ZERO)).isNull();
    assertThat(bobs.held()).hasSize(1);
    assertThat(bobs.held().getFirst().entry().id()).isEqualTo(held.id());
    assertThat(sentBy(alices, held.id()).state()).isEqualTo("held");
    bobs.delivered(bobs.inbox(MailFilter.ANY));
    refused("not-held", () -> bobs.letGo(List.of(copies.getFirst().id())));

    bobs.letGo(List.of(held.id()));

    assertThat(bobs.held()).isEmpty();
    ReceivedMail letter = bobs.await(MailFilter.ANY, Duration.ZERO);
    assertThat(letter.entry().id()).isEqualTo(held.id());
    assertThat(letter.entry().trail().getLast().note()).isEqualTo("let go by bob");
    assertThat(chatter(4)).allMatch(copy -> copy.state() == DeliveryState.STORED);
  }

  @Test
  void aWordOfSomebodyEndsAConversationOfMachines() {
    chatter(4);
    alices.send(Draft.to("bob").thread("t").says("", "I am here."));

    assertThat(chatter(4)).allMatch(copy -> copy.state() == DeliveryState.STORED);
  }

  @Test
  void emptyAcknowledgementsAreHeldLikeAutomaticMessages() {
    String id = send(alices, "bob", "x");
    List<DeliveryState> states = new ArrayList<>();
    for (String body : List.of("ok", "Thanks!", "Got it.", " noted ", "You're welcome")) {
      states.add(
          alices.send(Draft.to("bob").thread(id).replyTo(id).says("Re", body)).first().state());
    }

    assertThat(states)
        .containsExactly(
            DeliveryState.STORED,
            DeliveryState.STORED,
            DeliveryState.STORED,
            DeliveryState.STORED,
            DeliveryState.HELD);
  }

  @Test
  void aHeldMessageCanBeRemoved() {
    String held = chatter(5).getLast().id();

    bobs.remove(List.of(held));

    assertThat(bobs.held()).isEmpty();
    assertThat(sentBy(alices, held).state()).isEqualTo("done");
  }

  @Test
  void aHeldMessagePastItsDeadlineIsNotOverdueAndLetsNobodyWaitInACircle() throws Exception {
    chatter(4);
    alices.send(
        Draft.to("bob").thread("t").automatic(true).says("", "?").needsReply(now().plus(SECOND)));
    bobs.delivered(bobs.inbox(MailFilter.ANY));
    pass(SECOND);
    int[] looks = new int[1];
    MailFilter counting =
        MailFilter.ANY.also(letter -> {
          looks[0]++;
          return false;
        });
    alices.send(Draft.to("bob").says("", "not wanted"));

    assertThat(bobs.await(counting, Duration.ofMillis(200))).isNull();

    assertThat(looks[0]).isLessThan(10);
    assertThat(lines(Mailbox.receiptsOf("bob"), MailTypes.OVERDUE)).isEmpty();
    assertThat(lines(Mailbox.mailOf("human"))).isEmpty();
  }

  // Limits

  @Test
  void everyLimitHasADefaultAndCanBeSet() {
    assertThat(bobs.limits()).isEqualTo(MailLimits.DEFAULT);
    assertThat(MailLimits.DEFAULT.toJson())
        .hasToString(
            "{\"messages\":1000,\"chain\":4,\"keys\":1024,\"deadAfter\":86400,\"recent\":64,"
                + "\"steps\":32,\"threads\":1024,\"sent\":256}");

    MailLimits set = MailLimits.DEFAULT;
    for (MailLimit limit : MailLimit.values()) {
      set = set.with(limit, limit.usual() + 1);
    }
    bobs.setLimits(set);

    assertThat(another().mail(bob).limits()).isEqualTo(set);
    assertThat(alices.limits()).isEqualTo(MailLimits.DEFAULT);
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void theLimitOfTheChainAndOfTheKeysHold() {
    bobs.setLimits(MailLimits.DEFAULT.with(MailLimit.CHAIN, 1).with(MailLimit.KEYS, 2));

    assertThat(chatter(2))
        .extracting(SendResult.Copy::state)
        .containsExactly(DeliveryState.STORED, DeliveryState.HELD);
    for (String key : List.of("a", "b", "c")) {
      alices.send(Draft.to("bob").says("", key).key(key));
    }
    assertThat(alices.send(Draft.to("bob").says("", "c").key("c")).first().repeated()).isTrue();
    assertThat(alices.send(Draft.to("bob").says("", "a").key("a")).first().repeated())
        .as("a key that was forgotten")
        .isFalse();
  }

  @Test
  void limitsOutOfRangeAreRefused() {
    for (MailLimit limit : MailLimit.values()) {
      refused("bad-limit", () -> MailLimits.DEFAULT.with(limit, 0));
      long most = limit.isTime() ? Duration.ofDays(3650).toSeconds() : 1_000_000;
      refused("bad-limit", () -> MailLimits.DEFAULT.with(limit, most + 1));
      assertThat(MailLimits.DEFAULT.with(limit, most).get(limit)).isEqualTo((int) most);
    }
  }

  @Test
  void asManyEndedAndSentMessagesAreRememberedAsTheLimitsSay() {
    bobs.setLimits(MailLimits.DEFAULT.with(MailLimit.RECENT, 2));
    alices.setLimits(MailLimits.DEFAULT.with(MailLimit.SENT, 3));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(send(alices, "bob", "n" + i));
    }

    assertThat(bobs.clear()).isEqualTo(5);

    assertThat(ids.stream().filter(id -> another().mail(bob).find(id) != null)).hasSize(2);
    assertThat(another().mail(alice).sent()).hasSize(3);
  }

  @Test
  void theTrailOfAMessageGivenOutAgainAndAgainEndsAtItsLimit() {
    bobs.setLimits(MailLimits.DEFAULT.with(MailLimit.STEPS, 3));
    String id = send(alices, "bob", "x");
    for (int i = 0; i < 6; i++) {
      team.sessions().leave(bob, null);
      bob = team.join("bob");
      Mail again = team.mail(bob);
      again.delivered(again.inbox(MailFilter.ANY));
    }

    assertThat(Objects.requireNonNull(team.mail(bob).find(id)).entry().trail()).hasSize(3);
  }

  @Test
  void chainsOfMoreThreadsThanTheLimitSaysAreForgotten() {
    bobs.setLimits(MailLimits.DEFAULT.with(MailLimit.CHAIN, 1).with(MailLimit.THREADS, 1));
    List<DeliveryState> states = new ArrayList<>();
    for (String thread : List.of("one", "two", "one", "one")) {
      Draft draft = Draft.to("bob").says("", "tick").thread(thread).automatic(true);
      states.add(alices.send(draft).first().state());
    }

    assertThat(states)
        .containsExactly(
            DeliveryState.STORED, DeliveryState.STORED, DeliveryState.STORED, DeliveryState.HELD);
  }

  @Test
  void aWaitInOneThreadHoldsUpNoSendInAnother() throws Exception {
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<ReceivedMail> waiting = threads.submit(() -> bobs.await(MailFilter.ANY, LONG));
      send(bobs, "alice", "meanwhile");
      Awaitility.await().until(() -> !alices.inbox(MailFilter.ANY).isEmpty());
      send(alices, "bob", "done");

      assertThat(waiting.get().content().body()).isEqualTo("done");
    }
  }
}

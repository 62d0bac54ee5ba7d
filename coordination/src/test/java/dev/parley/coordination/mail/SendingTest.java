package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.MailLimits;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.AgentName;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Sending: who gets a message, what is refused, and what a key is for. */
class SendingTest extends TeamContract {
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
    ParleyException refusal = refused("no-recipient", () -> alices.send(Draft.answer("to whom?")));

    assertThat(refusal.kind()).isEqualTo(ParleyException.Kind.INVALID);
    assertThat(refusal.isWorded()).isFalse();
  }

  @Test
  void anUnknownRecipientIsRefusedNamingTheNearest() {
    ParleyException refusal =
        refused("unknown-recipient", () -> alices.send(Draft.to("bob", "bobb").says("", "x")));

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
    ParleyException missing = refused("content-missing", () -> bobs.whole(letters.getFirst()));
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
        refused("inbox-full", () -> alices.send(Draft.to("bob", "carol").says("", "3")));

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
}

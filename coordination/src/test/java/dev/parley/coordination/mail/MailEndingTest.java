package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** How a message ends: answered, acknowledged, refused or removed. */
class MailEndingTest extends TeamContract {
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
}

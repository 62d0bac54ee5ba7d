package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.MailLimits;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.ParleyException;
import dev.parley.core.bus.Bus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Messages that nobody answers or takes in time. */
class DeadlinesTest extends TeamContract {
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
        refused(
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
}

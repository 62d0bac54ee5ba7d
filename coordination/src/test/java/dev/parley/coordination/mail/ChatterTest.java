package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that programs exchange without end are held. */
class ChatterTest extends TeamContract {

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
}

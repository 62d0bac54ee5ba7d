package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.Mailbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What receipts say: delivered, seen, and given out again. */
class DeliveredAndSeenTest extends TeamContract {
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
}

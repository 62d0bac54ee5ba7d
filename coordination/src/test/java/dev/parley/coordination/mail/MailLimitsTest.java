package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.MailLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The limits of mail. */
class MailLimitsTest extends TeamContract {
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

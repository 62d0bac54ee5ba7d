package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.MissingPolicy;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Policy;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.ParleyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParleyTest {
  @TempDir private Path folder;

  private Parley create() {
    return Parley.create(folder.resolve(".parley"));
  }

  @Test
  void aBusThatIsNotThereIsRefusedAndOneThatWasMadeIsOpenedAgain() {
    assertThatThrownBy(() -> Parley.open(folder.resolve(".parley")))
        .isInstanceOf(ParleyException.class);
    try (Parley parley = create();
        Agent alice = parley.join("alice")) {
      alice.mail().send(Draft.to("alice").says("kept", ""));
    }
    try (Parley parley = Parley.open(folder.resolve(".parley"));
        Agent alice = parley.join("alice")) {
      assertThat(alice.mail().inbox(MailFilter.ANY))
          .extracting(letter -> letter.content().subject())
          .containsExactly("kept");
    }
  }

  @Test
  void closingTheBusEndsTheSessionsThatBeganHere() {
    try (Parley other = create()) {
      Parley parley = create();
      Agent alice = parley.join("alice");
      var _ = alice.lock("src/A.java");
      assertThat(other.leases()).hasSize(1);
      parley.close();

      assertThat(other.leases()).isEmpty();
      assertThat(other.members()).allMatch(Member::hasLeft);
    }
  }

  @Test
  void aSessionIsResumedByItsTokenAndOutlivesWhoeverResumedIt() throws Exception {
    try (Parley one = create();
        Parley two = create();
        Agent alice = one.join("alice")) {
      try (HeldLease lease = alice.lock("src/A.java")) {
        try (Agent resumed = two.resume(alice.token())) {
          assertThat(resumed.name()).isEqualTo("alice");
          assertThat(resumed.lock("src/A.java").token()).isEqualTo(lease.token());
        }
        assertThat(lease.isGood("src/A.java")).isTrue();
      }
      alice.mail().send(Draft.to("alice").says("still here", ""));
      ReceivedMail letter = alice.mail().await(MailFilter.ANY, Duration.ofSeconds(5));
      assertThat(letter).isNotNull();
      assertThatThrownBy(() -> two.resume("nonsense")).hasMessageContaining("not the token");
    }
  }

  @Test
  void aLeaseThatWasBrokenIsNoTroubleToWhoeverClosesIt() {
    try (Parley parley = Parley.inMemory();
        Agent bob = parley.join("bob")) {
      Agent alice = parley.join("alice");
      HeldLease lease = alice.lock("src/A.java");
      assertThatThrownBy(() -> bob.lock("src/A.java")).isInstanceOf(RefusedException.class);
      alice.close();
      assertThat(lease.isGood("src/A.java")).isFalse();
      try (HeldLease taken = bob.lock("src/A.java")) {
        taken.renew(Duration.ofMinutes(90));
        assertThat(taken.isGood("src/A.java")).isTrue();
      }
      assertThat(parley.leases()).isEmpty();
    }
  }

  @Test
  void changesGoOnAfterABreakWithoutLossOrRepetition() {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    List<String> whole = Collections.synchronizedList(new ArrayList<>());
    try (Parley parley = create();
        Agent alice = parley.join("alice")) {
      Map<String, Long> places = Map.of();
      for (int i = 0; i < 10; i++) {
        alice.mail().send(Draft.to("alice").says("n" + i, ""));
        try (HeldLease _ = alice.lock("src/" + i)) {
          ChangeStream changes = parley.follow(places, change -> seen.add(place(change)));
          int expected = i;
          await().until(() -> seen.size() > 2 * expected);
          changes.close();
          places = changes.places();
        }
      }
      try (ChangeStream _ = parley.follow(Map.of(), change -> whole.add(place(change)));
          ChangeStream _ = parley.follow(places, change -> seen.add(place(change)))) {
        await()
            .untilAsserted(
                () -> assertThat(seen).containsExactlyInAnyOrderElementsOf(List.copyOf(whole)));
        assertThat(seen).doesNotHaveDuplicates().hasSizeGreaterThan(40);
      }
    }
  }

  private static String place(Change change) {
    return change.position().in(change.topic());
  }

  @Test
  void whatWasRefusedAndWhyIsPartOfAChangeAndABlindAssessmentIsNot() {
    List<Change> seen = Collections.synchronizedList(new ArrayList<>());
    try (Parley parley = Parley.inMemory();
        Agent ann = parley.join("ann");
        Agent ben = parley.join("ben");
        HeldLease _ = ann.lock("src/A.java");
        ChangeStream _ = parley.follow(Map.of(), seen::add)) {
      assertThatThrownBy(() -> ben.lock("src")).isInstanceOf(RefusedException.class);
      Agenda agenda =
          new Agenda(
              "PLAN",
              List.of("ann", "ben"),
              Policy.usual(2),
              0,
              true,
              false,
              null,
              MissingPolicy.ABSTAIN);
      String board = ann.boards().open(agenda, "Shall we?").board();
      var _ =
          ann.boards()
              .assess(
                  board, new Assessment(Opinion.REJECT, 2, List.of("a secret worry"), List.of()));
      await().until(() -> seen.stream().anyMatch(change -> is(change, "board.assess")));

      assertThat(seen.stream().filter(change -> is(change, "lease.request")))
          .extracting(change -> change.outcome().isAccepted())
          .containsExactly(true, false);
      assertThat(seen).noneMatch(change -> change.envelope().toString().contains("secret worry"));
    }
  }

  @Test
  void aStreamThatFallsFarBehindIsToldEveryDecisionAllTheSame() throws Exception {
    int pairs = 2_500; // more lines than the owner of the ledger remembers decisions of
    List<Boolean> accepted = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch catchUp = new CountDownLatch(1);
    try (Parley parley = Parley.inMemory();
        Agent ann = parley.join("ann");
        Agent ben = parley.join("ben");
        ChangeStream _ =
            parley.follow(
                Map.of(),
                change -> {
                  if (is(change, "lease.request")) {
                    accepted.add(change.outcome().isAccepted());
                    awaitUninterruptibly(catchUp);
                  }
                })) {
      try (HeldLease _ = ann.lock("src")) {
        for (int i = 0; i < pairs; i++) {
          assertThatThrownBy(() -> ben.lock("src")).isInstanceOf(RefusedException.class);
        }
      }
      for (int i = 0; i < pairs / 2; i++) {
        ben.lock("src").close();
      }
      catchUp.countDown();
      await().until(() -> accepted.size() == 1 + pairs + pairs / 2);
      ben.lock("src").close(); // and goes on with what comes then
      await().until(() -> accepted.size() == 2 + pairs + pairs / 2);
    }
    assertThat(accepted.subList(1, 1 + pairs)).containsOnly(false);
    assertThat(accepted.subList(1 + pairs, accepted.size())).containsOnly(true);
    assertThat(accepted.getFirst()).isTrue();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean is(Change change, String type) {
    return change.envelope().type().equals(type);
  }
}

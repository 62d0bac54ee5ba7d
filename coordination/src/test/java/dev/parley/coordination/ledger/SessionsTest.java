package dev.parley.coordination.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.ledger.Sessions.Profile;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.SendResult;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Status;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Sessions: who has joined, under which name, and how it ends. */
class SessionsTest extends TeamContract {
  @Test
  void whoeverJoinsIsOnTheRosterWithWhatItSays() {
    Session carol = Session.begin("carol");

    Member member =
        another().sessions().join(carol, new Profile("reviewer", List.of("java", "sql")));

    assertThat(member.role()).isEqualTo("reviewer");
    assertThat(member.can()).containsExactly("java", "sql");
    assertThat(member.status()).isEqualTo(Status.RUNNING);
    Member there = team.ledger().look(ledger -> ledger.roster().member("carol"));
    assertThat(there).isEqualTo(member);
    assertThat((long) team.ledger().look(ledger -> ledger.rules())).isEqualTo(Ledger.RULES);
  }

  @Test
  void aNameBelongsToOneLivingSession() {
    ParleyException refusal = refused("name-taken", () -> another().join("alice"));

    assertThat(refusal.kind()).isEqualTo(ParleyException.Kind.REFUSED);
    assertThat(details(refusal).text("name")).isEqualTo("alice");
    assertThat(details(refusal).time("heard")).isNotNull();
    assertThat(bobs.inbox(MailFilter.ANY)).isEmpty();
    assertThat(alices.inbox(MailFilter.ANY)).isEmpty();
  }

  @Test
  void whoLeavesFreesItsNameAndCanDoNothingMore() {
    team.sessions().leave(alice, "done for today");

    Member gone = team.ledger().look(ledger -> ledger.roster().member("alice"));
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

    assertThat((boolean) team.ledger().look(ledger -> ledger.roster().owns("alice", alice.id())))
        .isFalse();
    assertThat((boolean) team.ledger().look(ledger -> ledger.roster().owns("bob", bob.id())))
        .isTrue();
  }

  @Test
  void aNameIsFreeAfterSilenceThoughNothingElseWasAppended() {
    quickStale();
    pass(SECOND);

    Session next = another().join("alice");

    assertThat((boolean) team.ledger().look(ledger -> ledger.roster().owns("alice", next.id())))
        .isTrue();
    refused("session-ended", () -> team.sessions().heartbeat(alice, Beat.ALIVE));
    assertThat((boolean) team.ledger().look(ledger -> ledger.roster().owns("alice", next.id())))
        .isTrue();
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

    Member there = team.ledger().look(ledger -> ledger.roster().member("alice"));
    assertThat(there).isNotNull();
    assertThat((long) team.ledger().look(ledger -> ledger.rules())).isEqualTo(999);
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

  @Test
  void nobodyTakesTheLedgerOrAPartOfItOutOfALook() {
    LedgerOwner owner = team.ledger();
    List<Function<Ledger, Object>> leaks =
        List.of(
            ledger -> ledger,
            Ledger::roster,
            Ledger::leases,
            Ledger::tasks,
            Ledger::waits,
            Ledger::boards,
            Ledger::graph,
            Ledger::time,
            Ledger::limits);
    for (Function<Ledger, Object> leak : leaks) {
      assertThatThrownBy(() -> owner.look(leak)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> owner.lookAtLastKnown(leak))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}

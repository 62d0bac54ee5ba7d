package dev.parley.coordination.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class SessionTest {
  @Test
  void comesBackFromItsTokenAndFromWhatWasKept() {
    Session session = Session.begin("alice");
    assertThat(Session.parse(session.token())).isEqualTo(session);
    Session kept = Objects.requireNonNull(Session.ofKept(session.kept()));
    assertThat(kept).isEqualTo(session);
    assertThat(kept.token()).isEqualTo(session.token());
  }

  @Test
  void whatAnEarlierVersionKeptIsReadable() {
    Session session = Session.begin("alice");
    assertThat(Session.ofKept(session.token())).isEqualTo(session);
  }

  @Test
  void aTokenIsWorthNothingWithoutItsSecret() {
    Session session = Session.begin("alice");
    assertThat(Session.parse("alice:" + session.id())).isNotEqualTo(session);
    assertThat(Session.parse(session.kept())).isNotEqualTo(session);
    assertThat(Session.parse("alice:")).isNull();
    assertThat(Session.parse("alice")).isNull();
    assertThat(Session.ofKept("")).isNull();
  }
}

package dev.parley.coordination.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
  /** Seed 1.8, every way in which five can vote. */
  @Test
  void fiveDirectorsFollowTheTableHoweverTheyVote() {
    Policy five = Policy.named("five");
    for (int approve = 0; approve <= 5; approve++) {
      for (int reject = 0; approve + reject <= 5; reject++) {
        Verdict expected =
            switch (approve) {
              case 4, 5 -> Verdict.APPROVED;
              case 3 -> Verdict.APPROVED_WITH_REVIEW;
              default -> reject >= 3 ? Verdict.REJECTED : Verdict.ESCALATE;
            };
        assertThat(five.verdict(approve, reject, 5)).as(approve + ":" + reject).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "majority, 2, 1, 3, APPROVED",
    "majority, 2, 2, 4, ESCALATE",
    "majority, 2, 0, 4, ESCALATE",
    "majority, 1, 3, 4, REJECTED",
    "at-least-3, 3, 4, 7, APPROVED",
    "at-least-3, 2, 4, 7, ESCALATE",
    "at-least-3, 2, 5, 7, REJECTED",
    "unanimous, 3, 0, 3, APPROVED",
    "unanimous, 2, 0, 3, ESCALATE",
    "unanimous, 2, 1, 3, REJECTED",
  })
  void othersCountTheirOwnWay(
      String policy, int approve, int reject, int electors, Verdict verdict) {
    assertThat(Policy.named(policy).verdict(approve, reject, electors)).isEqualTo(verdict);
  }

  @ParameterizedTest
  @ValueSource(strings = {"five", "majority", "unanimous", "at-least-1", "at-least-64"})
  void whatIsPrintedIsReadBack(String text) {
    assertThat(Policy.named(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Five", "at-least-", "at-least-0", "at-least--1", "at-least-99999"})
  void anythingElseIsNoPolicy(String text) {
    assertThatThrownBy(() -> Policy.named(text))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("bad-policy"));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "1.0, 1", "0.8, 0.8", "0.05, 0.05", "0.855, 0.86", "9e-1, 0.9"})
  void aConfidenceIsKeptInHundredths(String text, String kept) {
    assertThat(Confidence.named(text)).hasToString(kept);
    assertThat(Confidence.of(Confidence.named(text).toJson())).hasToString(kept);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-0.1", "1.01", "NaN", "0x1p-1", "0.5f", "high", "Infinity"})
  void anythingElseIsNoConfidence(String text) {
    assertThatThrownBy(() -> Confidence.named(text)).isInstanceOf(ParleyException.class);
  }
}

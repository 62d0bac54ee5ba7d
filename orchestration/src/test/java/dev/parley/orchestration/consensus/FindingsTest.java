package dev.parley.orchestration.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** No finding is dropped, however it is written and whatever a debate brings. */
class FindingsTest {
  private final Findings findings = new Findings();

  private void found(String text) {
    var _ = findings.analysis("ann", text);
  }

  @Test
  void anUnknownSeverityIsImportantAndThePlaceIsFoundWhereverItStands() {
    found(
        """
        FINDING: high | a.java:1 | the port stays open
        FINDING: Blocker (security) | b.java | the key is printed
        FINDING: nit | c.java:3 | a typo
        FINDING: d.java:4 | no test
        FINDING: the loop in e.java:5 never ends
        """);

    assertThat(findings.all())
        .extracting(each -> each.severity() + " " + each.place() + " " + each.text())
        .containsExactly(
            "IMPORTANT a.java:1 the port stays open",
            "CRITICAL b.java the key is printed",
            "SUGGESTION c.java:3 a typo",
            "IMPORTANT d.java:4 no test",
            "IMPORTANT e.java:5 the loop in e.java:5 never ends");
  }

  @Test
  void nothingAndTheFormItselfAreNoFindings() {
    found(
        """
        FINDING: None.
        FINDING: n/a
        FINDING: critical|important|suggestion | path/of/file:line | what is wrong
        """);

    assertThat(findings.all()).isEmpty();
    found("FINDING: important | 端口没有关闭");
    assertThat(findings.all()).hasSize(1);
  }

  @Test
  void howManyAreLeftOutIsSaid() {
    StringBuilder lines = new StringBuilder();
    StringBuilder list = new StringBuilder("## Suggestions\n");
    for (int i = 0; i < Findings.MOST_OF_ONE + 5; i++) {
      lines.append("FINDING: nit | a").append(i).append(".java | word").append(i).append('\n');
      list.append("- b").append(i).append(".java word").append(i).append('\n');
    }

    assertThat(findings.analysis("ann", lines.toString())).isEqualTo(5);
    assertThat(findings.analysis("ben", list.toString())).isEqualTo(5);
    assertThat(findings.all()).hasSize(2 * Findings.MOST_OF_ONE);
  }

  @Test
  void aFindingThatWasWithdrawnCountsAgainOnceAnotherFindsIt() {
    String line = "FINDING: critical | a.java:1 | the port stays open";
    found(line);
    var _ = findings.rebuttal("ben", "CONTEST: F1 | it is closed below", 1);
    var _ = findings.rebuttal("ann", "WITHDRAW: F1", 1);
    assertThat(findings.all().getFirst().counts()).isFalse();

    var _ = findings.rebuttal("ben", line, 2);

    ReviewFinding finding = findings.all().getFirst();
    assertThat(finding.foundBy()).containsExactly("ben");
    assertThat(finding.contestedBy()).isEmpty();
    assertThat(finding.counts()).isTrue();
  }
}

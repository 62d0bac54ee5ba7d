package dev.parley.orchestration.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lines that programs read in an agent's answer, whatever stands around them. */
class MarkerLinesTest {
  private static final int LONG = 500_000;

  @Test
  void aMarkIsReadWithMarkdownAroundIt() {
    String text = "**POSITION:** yes\n> - _POSITION_: **no**  \nNo POSITION: here\nPOSITION:\n";

    assertThat(MarkerLines.all(text, "POSITION")).containsExactly("yes", "no");
    assertThat(MarkerLines.last(text, "CHANGED")).isNull();
  }

  @Test
  void aThesisMayHaveSeveralLinesAndEndsAtThePosition() {
    assertThat(MarkerLines.thesis("Well.\n**THESIS:**\nOne.\nTwo.\n**POSITION:** x"))
        .isEqualTo("One.\nTwo.");
    assertThat(MarkerLines.thesis("THESIS: One.")).isEqualTo("One.");
  }

  @Test
  void withoutAThesisTheFirstThreeSentencesCount() {
    assertThat(MarkerLines.thesis("Version v1.2 is out... Why? So be it! No more."))
        .isEqualTo("Version v1.2 is out... Why? So be it!");
    assertThat(MarkerLines.thesis("no sentence at all")).isEqualTo("no sentence at all");
  }

  /** An answer is data: it can be long, but not costly. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anAnswerOfManyEqualCharactersTakesNoTime() {
    for (String unit : List.of("\n", "-", ".", "*", "# ", ">\n", "1", "a.", "{", "POSITION: *\n")) {
      String text = "x" + unit.repeat(LONG / unit.length()) + "y";
      for (String before : List.of("", "POSITION: ", "THESIS: ", "## Critical Issues\n- ")) {
        Findings findings = new Findings();
        var _ = findings.analysis("ann", before + text);
        var _ = findings.rebuttal("ann", before + text, 1);
        assertThat(MarkerLines.thesis(before + text)).hasSizeLessThan(3_000);
        assertThat(MarkerLines.all(before + text, "POSITION"))
            .allMatch(each -> each.length() <= MarkerLines.LONGEST);
        assertThat(findings.all()).allMatch(each -> each.text().length() <= MarkerLines.LONGEST);
      }
    }
  }
}

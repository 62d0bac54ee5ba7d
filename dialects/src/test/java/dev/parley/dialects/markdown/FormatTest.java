package dev.parley.dialects.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seed 3.1 to 3.4: the forms that the format gives, and its templates. */
class FormatTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"MSG-20260126-101500-claude-5f2", "MSG-20260126-101500-claude-research-1-5f2c81"})
  void idsOfTheFormatAreIds(String id) {
    assertThat(JournalIds.isId(id)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MSG-1", "MSG-2026126-101500-claude-5f2", "msg-20260126-101500-a-1"})
  void otherTextsAreNone(String id) {
    assertThat(JournalIds.isId(id)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"claude-research-1", "orchestrator", "codex-dev-12", "alice", "worker-1.1-x"})
  void agentsOfTheFormatAndOfTheBusAreAgents(String agent) {
    assertThat(JournalIds.isAgent(agent)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b-c-1", "-x", "../x", "a..b"})
  void otherNamesAreNone(String agent) {
    assertThat(JournalIds.isAgent(agent)).isFalse();
  }

  @Test
  void everyFieldOfTheFormatStandsInItsOrder() {
    JournalMessage message =
        new JournalMessage(
            "MSG-20260126-101500-claude-5f2",
            "ANSWER",
            "claude-research-1",
            "2026-01-26T10:15:00Z",
            "run_001",
            "TASK-001",
            "MSG-20260126-101400-claude-5f1",
            List.of("a.ts", "b, c.ts"),
            List.of("review-packet.md"),
            Map.of(),
            "");

    assertThat(FrontMatter.write(message))
        .isEqualTo(
            """
            messageId: MSG-20260126-101500-claude-5f2
            type: ANSWER
            agent: claude-research-1
            timestamp: 2026-01-26T10:15:00Z
            runId: run_001
            taskId: TASK-001
            relatesTo: MSG-20260126-101400-claude-5f1
            files: a.ts, "b, c.ts"
            artifacts: review-packet.md
            """);
    assertThat(FrontMatter.list("a.ts, \"b, c.ts\"")).isEqualTo(message.files());
    assertThat(FrontMatter.list("[a, b]")).containsExactly("a", "b");
  }

  @Test
  void theTypesOfTheFormatAreAllThere() {
    assertThat(JournalType.names())
        .containsExactly(
            "FACT",
            "DECISION",
            "QUESTION",
            "ANSWER",
            "PROGRESS",
            "ERROR",
            "COMPLETE",
            "TASK",
            "REVIEW");
  }

  @Test
  void theTemplatesHaveTheFormatsLabelsInTheirOrder() {
    assertThat(JournalTemplate.REVIEW.fields())
        .containsExactly("scope", "severity", "findings", "tests", "recommendation");
    assertThat(JournalTemplate.REVIEW.fill(Map.of()).lines())
        .containsExactly(
            "Scope: <files/modules>",
            "Severity: <blocker/major/minor/nit>",
            "Findings: <bulleted list with file refs>",
            "Tests: <missing or recommended>",
            "Recommendation: <action>");
    assertThat(JournalTemplate.ERROR.fields())
        .containsExactly("task", "attempts", "error-details", "impact", "suggested-action");
    assertThat(JournalTemplate.ERROR.fill(Map.of()).lines())
        .containsSubsequence(
            "## Error Report",
            "**Task:** <task description>",
            "**Attempts:**",
            "1. Claude: <error summary>",
            "2. Codex: <error summary>",
            "3. Gemini: <error summary>",
            "**Error Details:**",
            "```",
            "<last error output>",
            "```",
            "**Impact:** <what is blocked>",
            "**Suggested Action:** <recommendation>");
  }

  @Test
  void aTemplateThatIsNotFilledSaysWhatIsMissing() {
    for (JournalTemplate template : JournalTemplate.values()) {
      assertThat(template.missing(template.fill(Map.of())))
          .hasSizeGreaterThanOrEqualTo(template.fields().size());
      assertThat(template.missing("")).hasSize(template.fields().size());
    }
    for (String severity : List.of("blocker", "major", "minor", "nit")) {
      String review =
          JournalTemplate.REVIEW.fill(
              Map.of(
                  "scope", "core",
                  "severity", severity,
                  "findings", "- a:1",
                  "tests", "none",
                  "recommendation", "merge"));
      assertThat(JournalTemplate.REVIEW.missing(review)).isEmpty();
    }
  }
}

package dev.parley.dialects.markdown;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seed 3.1, decided: real files are read as far as they make sense, and the rest is told. */
class DriftedJournalsTest {
  private final List<String> remarks = new ArrayList<>();

  private List<LocatedMessage> read(String text) {
    return JournalReader.read(
        text.getBytes(UTF_8),
        0,
        (line, understood, reason) -> remarks.add(line + (understood ? " " : "! ") + reason));
  }

  private List<String> bodies(String text) {
    return read(text).stream().map(placed -> placed.message().body()).toList();
  }

  private static String head(String id) {
    return "---\nmessageId: MSG-20260126-101500-claude-" + id + "\ntype: FACT\n---\n";
  }

  @Test
  void theFormatExampleAndThePlaceholderAreNoMessages() {
    String placeholder =
        """
        ---
        messageId: MSG-00000000-000000-000
        type: FACT
        agent: template
        timestamp: 0000-00-00T00:00:00Z
        runId: run_000
        taskId: TASK-000
        ---

        Nothing yet.

        ---
        """;

    assertThat(bodies(JournalPage.text() + placeholder)).isEmpty();
    assertThat(bodies(JournalPage.text() + placeholder + "\n" + head("1") + "\nreal\n\n---\n"))
        .containsExactly("real");
    assertThat(remarks).isEmpty();
  }

  @Test
  void aMissingEndOrBlankLineOrADoubledRuleLosesNothing() {
    String text =
        head("1")
            + "no blank line\n---\n---\n" // doubled
            + head("2")
            + "\nno end\n"
            + head("3")
            + "\nlast, no end either";

    assertThat(bodies(text)).containsExactly("no blank line", "no end", "last, no end either");
    assertThat(remarks).containsExactly("8 the message does not end with ---");
  }

  @Test
  void aRuleInsideABodyIsTextWhenAnotherOneEndsTheMessage() {
    assertThat(
            bodies(head("1") + "\nabove\n\n---\n\nbelow\n\n---\n\n" + head("2") + "\nx\n\n---\n"))
        .containsExactly("above\n\n---\n\nbelow", "x");
    assertThat(remarks).containsExactly("8 a line --- inside a message was taken for its text");
  }

  @Test
  void oldEntriesAndListsOfThemAreRead() {
    String text =
        "[2025-12-01 09:00:00] FACT: first\nand more of it\n\n"
            + "[2025-12-01 09:05:00] DECISION: second\n"
            + "- 2025-12-01 09:10 **PROGRESS**: third\n"
            + head("1")
            + "\nnew\n\n---\n";

    assertThat(bodies(text)).containsExactly("first\nand more of it", "second", "third", "new");
    assertThat(read(text).get(1).message().type()).isEqualTo("DECISION");
    assertThat(read(text).get(1).message().timestamp()).isEqualTo("2025-12-01 09:05:00");
    assertThat(read(text).getFirst().message().messageId())
        .isEqualTo(read(text).getFirst().message().messageId());
    assertThat(remarks).contains("1 an entry without front matter");
  }

  @Test
  void recordsOfARelatedToolAreRead() {
    String text =
        """
        ---
        msg_id: MSG-1
        ts: 2026-02-01T10:00:00Z
        type: ANSWER
        project_id: p
        task_id: t
        run_id: r
        parents:
          - MSG-0
          - MSG-00
        ---
        the body
        ---
        msg_id: MSG-2
        ts: 2026-02-01T10:00:01Z
        type: FACT
        parents: [MSG-1]
        ---
        last
        """;

    List<LocatedMessage> read = read(text);

    JournalMessage first = read.getFirst().message();
    assertThat(first.messageId()).isEqualTo("MSG-1");
    assertThat(first.timestamp()).isEqualTo("2026-02-01T10:00:00Z");
    assertThat(first.runId()).isEqualTo("r");
    assertThat(first.taskId()).isEqualTo("t");
    assertThat(first.relatesTo()).isEqualTo("MSG-0, MSG-00");
    assertThat(first.more()).containsEntry("project_id", "p");
    assertThat(read)
        .extracting(placed -> placed.message().body())
        .containsExactly("the body", "last");
  }

  @Test
  void whatBelongsToNoMessageIsToldByLineAndStopsNothing() {
    assertThat(bodies(head("1") + "\na\n\n---\n\nsomebody's note\n\n" + head("2") + "\nb\n\n---\n"))
        .containsExactly("a", "b");
    assertThat(remarks).containsExactly("10! text that belongs to no message");
  }

  @Test
  void windowsLineEndsAreRead() {
    assertThat(bodies((head("1") + "\na\nb\n\n---\n").replace("\n", "\r\n")))
        .containsExactly("a\r\nb");
  }

  @Test
  void aLastMessageThatIsStillBeingWrittenIsNotClosed() {
    assertThat(read(head("1") + "\nhalf").getFirst().closed()).isFalse();
    assertThat(read(head("1") + "\nwhole\n\n---").getFirst().closed()).isFalse();
    assertThat(read(head("1") + "\nwhole\n\n---\n").getFirst().closed()).isTrue();
  }

  @Test
  void listsAreReadHoweverTheyAreWritten() {
    String text =
        "---\nmessageId: MSG-1\nfiles: a.ts, \"b, c.ts\"\nartifacts: [x.md, y.md]\n---\n\n\n";

    JournalMessage message = read(text).getFirst().message();

    assertThat(message.files()).containsExactly("a.ts", "b, c.ts");
    assertThat(message.artifacts()).containsExactly("x.md", "y.md");
  }

  @Test
  void aJournalOfUsualSizeIsReadQuickly() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4000; i++) {
      text.append(head(Integer.toString(i))).append("\n").append("word ".repeat(30)).append("\n");
    }
    long begin = System.nanoTime();

    assertThat(read(text.toString())).hasSize(4000);
    assertThat(System.nanoTime() - begin).isLessThan(5_000_000_000L);
  }
}

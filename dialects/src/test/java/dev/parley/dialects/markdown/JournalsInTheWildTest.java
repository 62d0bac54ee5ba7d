package dev.parley.dialects.markdown;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.dialects.file.FileRemark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 3.1, decided: forms of journals that were found in public repositories. */
class JournalsInTheWildTest {
  @TempDir Path folder;
  private final List<String> remarks = new ArrayList<>();

  private List<JournalMessage> read(String text) {
    return JournalReader.read(
            text.getBytes(UTF_8),
            0,
            (line, understood, reason) -> remarks.add(line + (understood ? " " : "! ") + reason))
        .stream()
        .map(LocatedMessage::message)
        .toList();
  }

  private static String head(String id) {
    return "---\nmessageId: MSG-20260126-101500-claude-" + id + "\ntype: FACT\n---\n";
  }

  @Test
  void bulletListsNewestFirstAreReadEntryByEntry() {
    StringBuilder text = new StringBuilder();
    for (int i = 1065; i > 0; i--) {
      text.append("- FACT 2026-07-03 13:%02d CEST (Root): entry %d: `code`\n".formatted(i % 60, i));
      text.append(i % 3 == 0 ? "\n" : "");
    }

    List<JournalMessage> read = read(text.toString());

    assertThat(read).hasSize(1065);
    assertThat(read.getFirst().body()).isEqualTo("entry 1065: `code`");
    assertThat(read.getFirst().type()).isEqualTo("FACT");
    assertThat(read.getFirst().agent()).isEqualTo("Root");
    assertThat(read.getFirst().timestamp()).isEqualTo("2026-07-03 13:45 CEST");
    assertThat(remarks).hasSize(1065).allMatch(said -> said.contains("without front matter"));
  }

  @Test
  void bulletsMayLackTheTimeOfDayTheZoneAndTheAgentAndGoOnInIndentedLines() {
    List<JournalMessage> read =
        read(
            """
            - REVIEW 2026-07-01: three reviews

              and a paragraph
            - **FACT** 2026-07-01 09:00: bold
            * DECISION 2026-07-02 (claude-dev-1): star
            """);

    assertThat(read)
        .extracting(JournalMessage::body)
        .containsExactly("three reviews\n\n  and a paragraph", "bold", "star");
    assertThat(read.get(2).agent()).isEqualTo("claude-dev-1");
  }

  @Test
  void entriesWithPairsHaveTheirTextInTheLinesBelow() {
    List<JournalMessage> read =
        read(
            "[2026-02-20T12:00:00Z] type=FACT project=loop task=t1 run=r1\nMessage: first\n\nmore\n"
                + "[2026-02-20T12:00:01Z] type=DECISION project=loop\nMessage: second\n---\n---\n"
                + head("1")
                + "\nthird\n\n---\n");

    assertThat(read)
        .extracting(JournalMessage::body)
        .containsExactly("first\n\nmore", "second", "third");
    assertThat(read.getFirst())
        .returns("FACT", JournalMessage::type)
        .returns("t1", JournalMessage::taskId)
        .returns("r1", JournalMessage::runId);
    assertThat(read.getFirst().more()).containsEntry("project", "loop");
  }

  @Test
  void linesOfNoTypeAreEntriesToo() {
    assertThat(
            read(
                """
                [2026-02-05 12:51:53] DECISION: a
                [2026-02-05 12:51:53] === STAGE ===
                [2026-02-05 12:51:54] Starting tasks
                """))
        .extracting(JournalMessage::body)
        .containsExactly("a", "=== STAGE ===", "Starting tasks");
  }

  @Test
  void anEntryBehindAMessageWithoutAnEndIsNotPartOfItsBody() {
    List<JournalMessage> read =
        read(
            head("1")
                + "\nno end\n[2026-02-05 12:51:53] FACT: old form\n"
                + head("2")
                + "\n```\n[2026-02-05 12:51:53] FACT: a log\n```\n");

    assertThat(read)
        .extracting(JournalMessage::body)
        .containsExactly("no end", "old form", "```\n[2026-02-05 12:51:53] FACT: a log\n```");
    assertThat(remarks).contains("1 the message does not end with ---");
  }

  @Test
  void aFileInWhichNothingCanBeRecognisedIsReported() throws Exception {
    Path journal = Files.writeString(folder.resolve("notes.md"), "# Notes\n\nHello.\n");

    assertThat(JournalLint.check(new JournalFile(journal)))
        .extracting(FileRemark::reason)
        .containsExactly("no message was recognised in it");
    Path fresh = folder.resolve("fresh.md");
    assertThat(new JournalFile(fresh).create()).isTrue();
    assertThat(JournalLint.check(new JournalFile(fresh))).isEmpty();
  }

  /** Who follows a journal gets what who reads it gets, whatever ids come again. */
  @Test
  void followAndReadAgreeOnIdsThatComeAgain() throws Exception {
    Path path = folder.resolve("MESSAGE-BUS.md");
    String twice = head("1") + "\nsame\n\n---\n";
    Files.writeString(path, twice + head("1") + "\nother\n\n---\n" + twice);
    JournalFile file = new JournalFile(path);
    try (JournalFollower follower =
        new JournalFollower(file, false, (line, understood, reason) -> {})) {
      List<JournalMessage> followed = new ArrayList<>(follower.poll(false));
      Files.writeString(path, twice, StandardOpenOption.APPEND);
      followed.addAll(follower.poll(false));
      Files.writeString(path, head("9") + "\nnewest\n\n---\n" + Files.readString(path));
      List<JournalMessage> news = follower.poll(false);

      assertThat(followed)
          .extracting(JournalMessage::body)
          .containsExactly("same", "other", "same", "same");
      assertThat(news).extracting(JournalMessage::body).containsExactly("newest");
      followed.addAll(0, news);
      assertThat(followed)
          .isEqualTo(file.read().messages().stream().map(LocatedMessage::message).toList());
    }
  }

  @Test
  void aListOfThousandsIsReadQuickly() {
    String text =
        String.join(
            "\n",
            IntStream.range(0, 5000)
                .mapToObj(i -> "- FACT 2026-07-03 13:29 CEST (Root): " + "word ".repeat(150) + i)
                .toList());
    long begin = System.nanoTime();

    assertThat(read(text)).hasSize(5000);
    assertThat(System.nanoTime() - begin).isLessThan(5_000_000_000L);
  }
}

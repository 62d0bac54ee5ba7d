package dev.parley.dialects.markdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import dev.parley.dialects.file.FileRemark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFileTest {
  private static final Instant NOW = Instant.parse("2026-01-26T10:15:00.5Z");

  @TempDir Path folder;
  private JournalFile journal;

  @BeforeEach
  void create() {
    journal = new JournalFile(folder.resolve(JournalFile.NAME));
    assertThat(journal.create()).isTrue();
  }

  private static JournalFile.Draft draft(JournalType kind, String body) {
    return new JournalFile.Draft(
        kind, "claude-research-1", "run_001", "TASK-1", null, List.of(), List.of(), body);
  }

  /** Seed 3.1, 3.2, 3.3. */
  @Test
  void whatIsPostedIsReadWithAnIdOfTheFormatsForm() {
    JournalMessage posted = journal.post(draft(JournalType.FACT, "a\n---\nb"), NOW);

    assertThat(posted.messageId()).matches("MSG-20260126-101500-claude-research-1-[0-9a-f]{6}");
    assertThat(posted.timestamp()).isEqualTo("2026-01-26T10:15:00Z");
    assertThat(journal.read().messages())
        .extracting(LocatedMessage::message)
        .containsExactly(posted);
    assertThat(JournalLint.check(journal)).isEmpty();
  }

  @Test
  void creatingItAgainChangesNothingAndNothingAboveTheEndIsEverChanged() throws Exception {
    String before = Files.readString(journal.path());

    assertThat(journal.create()).isFalse();
    var _ = journal.post(draft(JournalType.FACT, "x"), NOW);

    assertThat(Files.readString(journal.path())).startsWith(before);
  }

  /** Seed 3.2. */
  @Test
  void anAnswerNeedsWhatItAnswersAndEveryMessageItsRunAndTask() throws Exception {
    String before = Files.readString(journal.path());
    JournalFile.Draft good = draft(JournalType.ANSWER, "x");

    refused("answer-to-nothing", good);
    refused("no-such-message", relating(good, "MSG-20260126-101500-claude-1-1"));
    refused(
        "missing-run-id",
        new JournalFile.Draft(
            JournalType.FACT, "claude-research-1", null, "T", null, List.of(), List.of(), ""));
    refused(
        "missing-task-id",
        new JournalFile.Draft(
            JournalType.FACT, "claude-research-1", "r", " ", null, List.of(), List.of(), ""));
    refused(
        "bad-journal-agent",
        new JournalFile.Draft(
            JournalType.FACT, "al ice", "r", "t", null, List.of(), List.of(), ""));
    assertThat(Files.readString(journal.path())).isEqualTo(before);

    JournalMessage question = journal.post(draft(JournalType.QUESTION, "which?"), NOW);
    assertThat(journal.post(relating(good, question.messageId()), NOW).relatesTo())
        .isEqualTo(question.messageId());
  }

  private static JournalFile.Draft relating(JournalFile.Draft draft, String id) {
    return new JournalFile.Draft(
        draft.kind(), draft.agent(), draft.runId(), draft.taskId(), id, List.of(), List.of(), "x");
  }

  private void refused(String code, JournalFile.Draft draft) {
    assertThatThrownBy(() -> journal.post(draft, NOW))
        .isInstanceOfSatisfying(
            ParleyException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  /** Seed 3.4. */
  @Test
  void reviewsAndErrorsFollowTheirTemplates() {
    refused("template-not-filled", draft(JournalType.REVIEW, "looks fine"));
    refused(
        "template-not-filled", draft(JournalType.REVIEW, JournalTemplate.REVIEW.fill(Map.of())));

    String review =
        JournalTemplate.REVIEW.fill(
            Map.of(
                "scope", "core",
                "severity", "minor",
                "findings", "- Topic.java:12 off by one",
                "tests", "none missing",
                "recommendation", "merge"));
    String error =
        JournalTemplate.ERROR.fill(
            Map.of(
                "task", "build",
                "attempts", "1. Claude: timed out",
                "error-details", "exit 1",
                "impact", "TASK-2",
                "suggested-action", "retry"));
    var _ = journal.post(draft(JournalType.REVIEW, review), NOW);
    var _ = journal.post(draft(JournalType.ERROR, error), NOW);

    assertThat(journal.read().messages())
        .extracting(placed -> placed.message().body())
        .containsExactly(review, error);
    assertThat(JournalTemplate.REVIEW.missing(review.replace("minor", "huge")))
        .containsExactly("Severity: must be one of blocker, major, minor, nit");
    assertThat(error).contains("```\nexit 1\n```").contains("**Impact:** TASK-2");
  }

  @Test
  void aJournalIsFoundByNameByTheEnvironmentOrUpwards() {
    Path below = folder.resolve("a/b");

    assertThat(JournalFile.find(null, below, Map.of()).path()).isEqualTo(journal.path());
    assertThat(JournalFile.find(null, below, Map.of("MESSAGE_BUS", "x.md")).path())
        .isEqualTo(below.resolve("x.md"));
    assertThat(JournalFile.find(Path.of("y.md"), below, Map.of("MESSAGE_BUS", "x.md")).path())
        .isEqualTo(Path.of("y.md"));
  }

  private static boolean isNoEnd(String told) {
    return told.contains("does not end with");
  }

  @Test
  void lintTellsWhatIsNotAsTheFormatSays() throws Exception {
    Files.writeString(
        journal.path(),
        """
        ---
        messageId: M-1
        type: NOTE
        agent: b ob
        timestamp: yesterday
        runId: N/A
        ---

        x

        ---
        ---
        messageId: M-1
        type: ANSWER
        agent: claude-dev-1
        timestamp: 2026-01-26T10:15:00Z
        runId: r
        taskId: t
        relatesTo: M-9
        ---

        x

        ---
        """);

    assertThat(JournalLint.check(journal))
        .extracting(remark -> remark.line() + " " + remark.reason())
        .contains(
            "1 the type is unknown: NOTE",
            "1 agent is not a valid agent name: b ob",
            "1 timestamp is not YYYY-MM-DDTHH:MM:SSZ: yesterday",
            "1 taskId is missing",
            "12 the messageId M-1 is there twice",
            "12 relatesTo names a message that is not here: M-9");

    Files.writeString(journal.path(), Files.readString(journal.path()).stripTrailing());
    assertThat(JournalLint.check(journal))
        .extracting(FileRemark::reason)
        .noneMatch(JournalFileTest::isNoEnd);
    Files.writeString(
        journal.path(), "\n---\nmessageId: M-2\n---\n\nlast\n", StandardOpenOption.APPEND);
    assertThat(JournalLint.check(journal))
        .extracting(FileRemark::reason)
        .anyMatch(JournalFileTest::isNoEnd);
  }

  @Test
  void aFollowerGivesEveryMessageOnceAlsoWhenTheFileIsChangedAboveThem() throws Exception {
    JournalMessage old = journal.post(draft(JournalType.FACT, "old"), NOW);
    List<JournalMessage> given = new CopyOnWriteArrayList<>();
    List<String> remarks = new ArrayList<>();
    FileRemark.Sink sink = (line, understood, reason) -> remarks.add(reason);
    Thread thread;
    try (JournalFollower follower = new JournalFollower(journal, false, sink)) {
      thread =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (var news = follower.next(); !news.isEmpty(); news = follower.next()) {
                    given.addAll(news);
                  }
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      await(given, old);
      JournalMessage second = journal.post(draft(JournalType.FACT, "second"), NOW);
      await(given, old, second);
      Files.writeString(
          journal.path(), "- prepended by somebody\n" + Files.readString(journal.path()));
      JournalMessage third = journal.post(draft(JournalType.FACT, "third"), NOW);
      await(given, old, second, third);
      Files.writeString(
          journal.path(),
          "\n---\nmessageId: MSG-open\ntype: FACT\n---\nnever closed\n",
          StandardOpenOption.APPEND);
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> given.size() == 4);
      assertThat(given.getLast().body()).isEqualTo("never closed");
    }
    thread.join();
  }

  private static void await(List<JournalMessage> given, JournalMessage... expected) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(given).containsExactly(expected));
  }

  /** Nothing is lost or torn beside programs that append with the shell. */
  @Test
  void itIsSharedWithProgramsThatAppendByThemselves() throws Exception {
    List<Process> others = new ArrayList<>();
    for (int writer = 0; writer < 3; writer++) {
      others.add(
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "for i in $(seq 50); do printf '\\n---\\nmessageId: MSG-"
                      + writer
                      + "-%s\\ntype: FACT\\nagent: a-b-1\\n---\\n\\nbody %s\\n\\n---\\n' $i $i >>"
                      + " \"$0\"; done",
                  journal.path().toString())
              .inheritIO()
              .start());
    }
    List<JournalMessage> posted = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      posted.add(journal.post(draft(JournalType.FACT, "ours " + i), NOW));
    }
    for (Process other : others) {
      assertThat(other.waitFor()).isZero();
    }

    JournalFile.Reading reading = journal.read();

    assertThat(reading.remarks()).isEmpty();
    assertThat(reading.messages()).hasSize(200);
    assertThat(reading.messages()).extracting(LocatedMessage::message).containsAll(posted);
  }
}

package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.Team;
import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mail.SentMail;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.markdown.JournalMessage;
import dev.parley.dialects.markdown.JournalType;
import dev.parley.dialects.markdown.LocatedMessage;
import dev.parley.dialects.swarm.SendOptions;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.testing.SwarmTool;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing echoes, nothing comes back to life, nothing is lost. */
class MountsTest {
  private static final Topic JOURNAL = new Topic("journal");

  @TempDir Path folder;
  private final List<FileRemark> remarks = new ArrayList<>();
  private BusFolder bus;
  private FileLog log;
  private Mounts mounts;
  private Mail alice;
  private JournalFile journal;
  private SwarmMessageBus swarm;

  @BeforeEach
  void open() {
    bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    log = bus.openLog();
    Team team = new Team(log, bus.views(), Reporter.TO_LOG);
    alice = team.mail(team.join("alice"));
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
    journal = new JournalFile(folder.resolve(JournalFile.NAME));
    swarm = new SwarmMessageBus(folder.resolve(".swarm"), remarks::add);
  }

  @AfterEach
  void close() {
    mounts.close();
    log.close();
  }

  private void mountJournal() {
    assertThat(journal.create()).isTrue();
    var _ = mounts.add(Dialect.MARKDOWN, journal.path(), null, null);
  }

  private void mountSwarm() throws Exception {
    swarm.initializeAgentQueues();
    var _ = mounts.add(Dialect.SWARM, folder.resolve(".swarm"), null, null);
    mounts.sync();
  }

  private JournalMessage post(JournalType kind, String body, String relatesTo) {
    return journal.post(
        new JournalFile.Draft(
            kind, "claude-dev-1", "run_1", "T-1", relatesTo, List.of(), List.of(), body),
        Instant.now());
  }

  private List<Envelope> in(Topic topic) {
    return log.read(topic, Bookmark.START, 1000).envelopes();
  }

  private List<JournalMessage> journalMessages() {
    return journal.read().messages().stream().map(LocatedMessage::message).toList();
  }

  /** The state is thrown away, as if a process had been killed before it noted its last round. */
  private void forgetLastRound(String mount) throws Exception {
    mounts.close();
    Path notes = log.file(MirrorState.topicOf(mount));
    List<String> lines = Files.readAllLines(notes);
    Files.writeString(notes, String.join("\n", lines.subList(0, lines.size() - 1)) + "\n");
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
  }

  @Test
  void whatIsPostedInAJournalIsOnTheBusOnceAndIsNotPushedBack() throws Exception {
    mountJournal();
    JournalMessage fact = post(JournalType.FACT, "it pages", null);
    String before = Files.readString(journal.path());

    mounts.sync();
    mounts.sync();

    assertThat(in(JOURNAL))
        .singleElement()
        .satisfies(envelope -> {
          assertThat(envelope.sender()).isEqualTo("claude-dev-1");
          assertThat(envelope.type()).isEqualTo("finding");
          assertThat(envelope.run()).isEqualTo("run_1");
        });
    assertThat(Files.readString(journal.path())).isEqualTo(before);
    assertThat(journalMessages()).containsExactly(fact);
  }

  @Test
  void anAgentOfTheFilesIsKnownThoughThePassThatPulledItsMessageWasKilled() throws Exception {
    mountJournal();
    post(JournalType.FACT, "it pages", null);
    mounts.sync();
    forgetLastRound("markdown");
    Message mail =
        Message.builder("alice", "finding")
            .to(List.of("claude-dev-1"))
            .payload(Json.object().put("subject", "").put("body", "so it does").build())
            .build();
    var _ = log.append(new Topic("mail.claude-dev-1"), List.of(mail));

    mounts.sync();

    assertThat(journalMessages()).extracting(JournalMessage::body).contains("so it does");
  }

  @Test
  void whatIsPublishedIsInTheJournalOnceAndIsNotPulledBack() throws Exception {
    mountJournal();
    var _ = log.append(JOURNAL, List.of(Message.of("alice", "decision", Json.of("we take 8080"))));

    mounts.sync();
    mounts.sync();

    assertThat(journalMessages())
        .singleElement()
        .satisfies(message -> {
          assertThat(message.type()).isEqualTo("DECISION");
          assertThat(message.body()).isEqualTo("we take 8080");
        });
    assertThat(in(JOURNAL)).hasSize(1);
  }

  @Test
  void aRoundThatWasNotNotedIsRecognised() throws Exception {
    mountJournal();
    var _ = post(JournalType.FACT, "pulled", null);
    var _ = log.append(JOURNAL, List.of(Message.of("alice", "note", Json.of("pushed"))));
    mounts.sync();

    forgetLastRound("markdown");
    mounts.sync();
    var _ = post(JournalType.FACT, "another", null);
    forgetLastRound("markdown");
    mounts.sync();

    assertThat(journalMessages())
        .extracting(JournalMessage::body)
        .containsExactly("pulled", "pushed", "another");
    assertThat(in(JOURNAL)).hasSize(3);
  }

  @Test
  void aJournalThatWasChangedAboveIsReadAgainAndNothingTwice() throws Exception {
    mountJournal();
    var _ = post(JournalType.FACT, "first", null);
    var _ = log.append(JOURNAL, List.of(Message.of("alice", "note", Json.of("ours"))));
    mounts.sync();
    Files.writeString(journal.path(), "- prepended\n" + Files.readString(journal.path()));
    var _ = post(JournalType.FACT, "second", null);

    mounts.sync();

    assertThat(in(JOURNAL)).hasSize(3);
    assertThat(journalMessages())
        .extracting(JournalMessage::body)
        .containsExactly("first", "ours", "second");
  }

  @Test
  void anAnswerInTheJournalGoesToTheAgentThatAskedThere() throws Exception {
    mountJournal();
    var _ = post(JournalType.PROGRESS, "here", null);
    mounts.sync();
    String asked = alice.send(Draft.question("claude-dev-1", "Port", "Which?")).first().id();
    mounts.sync();
    JournalMessage question = journalMessages().getLast();
    assertThat(question.type()).isEqualTo("QUESTION");

    var _ = post(JournalType.ANSWER, "8080", question.messageId());
    mounts.sync();
    mounts.sync();

    List<ReceivedMail> answers = alice.inbox(MailFilter.ANY.replyTo(asked));
    assertThat(answers)
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.content().body()).isEqualTo("8080");
          assertThat(letter.entry().from()).isEqualTo("claude-dev-1");
        });
    assertThat(alice.sent().getFirst().state()).isEqualTo("delivered");
    var _ = alice.reply(answers.getFirst().entry().id(), Draft.answer("thanks for the detail"));
    mounts.sync();
    assertThat(journalMessages().getLast().relatesTo())
        .isEqualTo(journalMessages().get(2).messageId());
  }

  /** Decided: hand-written outbox entries are routed once each, by id. */
  @Test
  void handWrittenOutboxEntriesAreRoutedOnceAndCompletedInTheFile() throws Exception {
    mountSwarm();
    Files.writeString(
        swarm.getOutboxPath("researcher"),
        """
        [{"to":"developer","type":"finding","priority":"high",
          "content":{"subject":"s","body":"by hand"},"requiresResponse":false},
         {"to":"developer"}]\
        """);

    mounts.sync();
    mounts.sync();
    forgetLastRound("swarm");
    mounts.sync();

    assertThat(swarm.readInbox("developer"))
        .singleElement()
        .satisfies(message -> {
          assertThat(message.body()).isEqualTo("by hand");
          assertThat(message.from()).isEqualTo("researcher");
          assertThat(message.id()).isNotEmpty();
        });
    assertThat(swarm.readOutbox("researcher")).hasSize(1);
    assertThat(Files.readString(swarm.getOutboxPath("researcher")))
        .contains("\"to\": \"developer\"");
    assertThat(remarks).extracting(FileRemark::reason).contains("entry 2 has no id");
    assertThat(in(new Topic("mail.developer"))).hasSize(1);
  }

  @Test
  void anEntryThatVanishesWasSeenAndDoesNotComeBack() throws Exception {
    mountSwarm();
    var _ = alice.send(Draft.task("developer", "s", "please"));
    mounts.sync();
    SwarmMessage entry = swarm.readInbox("developer").getFirst();
    assertThat(alice.sent()).extracting(SentMail::state).containsExactly("delivered");

    assertThat(swarm.removeFromInbox("developer", entry.id())).isTrue();
    mounts.sync();
    mounts.sync();

    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(alice.sent()).extracting(SentMail::state).containsExactly("seen");
  }

  /** A bridge was killed after it wrote an inbox; the agent read before the next one came. */
  @Test
  void anEntryThatWasReadBeforeItsRoundWasNotedDoesNotComeBack() throws Exception {
    mountSwarm();
    var _ = alice.send(Draft.task("developer", "s", "please"));
    mounts.sync();
    swarm.clearInbox("developer");

    forgetLastRound("swarm");
    mounts.sync();
    mounts.sync();

    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(alice.sent()).extracting(SentMail::state).containsExactly("seen");
  }

  /** A bridge was killed between announcing an entry and putting it there; says by way of what. */
  private Path announceOnly() throws Exception {
    mountSwarm();
    var _ = alice.send(Draft.task("developer", "s", "please"));
    mounts.sync();
    String announced =
        in(MirrorState.topicOf("swarm")).stream()
            .map(envelope -> envelope.payload().fields().get("announced"))
            .filter(Objects::nonNull)
            .map(all -> all.items().getLast().fields().get("by").text())
            .toList()
            .getLast();
    swarm.clearInbox("developer");
    forgetLastRound("swarm");
    return Files.writeString(Path.of(announced), "[]");
  }

  @Test
  void anEntryThatWasOnlyAnnouncedIsStillPutThere() throws Exception {
    Path temporary = announceOnly();

    mounts.sync();

    assertThat(swarm.readInbox("developer")).hasSize(1);
    assertThat(temporary).doesNotExist();
  }

  @Test
  void anEntryThatWasOnlyAnnouncedIsPutThereThoughTheNextRoundFailsToo() throws Exception {
    Path temporary = announceOnly();
    Path inTheWay = Path.of(swarm.getInboxPath("developer") + ".lock");
    Files.createDirectory(inTheWay);
    mounts.sync();
    assertThat(remarks).extracting(FileRemark::reason).anyMatch(said -> said.contains(".lock"));
    Files.delete(inTheWay);

    mounts.sync();

    assertThat(swarm.readInbox("developer")).hasSize(1);
    assertThat(temporary).doesNotExist();
  }

  /** Tools that do not replace a file leave it blank or half written for a moment. */
  @Test
  void anInboxThatIsJustBeingWrittenWasNotRead() throws Exception {
    mountSwarm();
    var _ = alice.send(Draft.task("developer", "s", "first"));
    mounts.sync();
    Path inbox = swarm.getInboxPath("developer");
    String whole = Files.readString(inbox);
    for (String part : List.of("", whole.substring(0, whole.length() / 2))) {
      Files.writeString(inbox, part);
      var _ = alice.send(Draft.task("developer", "s", "after " + part.length()));
      mounts.sync();
      assertThat(Files.readString(inbox)).isEqualTo(part);
      Files.writeString(inbox, whole);
    }

    mounts.sync();

    assertThat(swarm.readInbox("developer")).hasSize(3);
    assertThat(alice.sent())
        .extracting(SentMail::state)
        .containsExactly("delivered", "delivered", "delivered");
  }

  /** Seed 0.6: a session's folder is removed at its end, and made again by the next one. */
  @Test
  void aFolderThatComesAndGoesIsTakenUpAgainAndNothingTwice() throws Exception {
    Path at = folder.resolve("bus");
    Path board = at.resolve("wave-0/board.jsonl");
    assertThat(Dialect.CONCLAVE.create(at)).isTrue();
    var _ = mounts.add(Dialect.CONCLAVE, at, null, null);
    Topic topic = Bulletin.topic("wave-0");
    Files.createDirectory(at.resolve("wave-0"));
    Files.writeString(board, discovery("1"));
    mounts.sync();
    var _ = log.append(topic, List.of(Message.of("alice", "board.warning", Json.of("ours"))));
    mounts.sync();
    assertThat(Files.readAllLines(board)).hasSize(2);

    Files.delete(board);
    Files.delete(at.resolve("wave-0"));
    Files.delete(at);
    mounts.sync();
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .containsOnlyOnce("is mounted but missing; it is used again when it is back");
    Files.createDirectories(at.resolve("wave-0"));
    Files.writeString(board, discovery("1") + discovery("2"));
    mounts.sync();
    mounts.sync();

    assertThat(in(topic)).hasSize(3);
    assertThat(Files.readAllLines(board)).hasSize(2);
  }

  private static String discovery(String number) {
    return "{\"id\":\"7-%s\",\"timestamp\":\"2026-02-01T12:00:0%s+01:00\",\"sender\":\"task-1\","
            .formatted(number, number)
        + "\"type\":\"board.discovery\",\"payload\":{\"text\":\"x\"}}\n";
  }

  /** Two buses that share the files of a third tool: no message goes in circles. */
  @Test
  void twoBusesOnOneFileDoNoHarm() throws Exception {
    mountJournal();
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    BusFolder other = BusFolder.init(elsewhere.resolve(".parley"), elsewhere, Map.of()).folder();
    try (FileLog otherLog = other.openLog();
        Mounts others = new Mounts(other, Reporter.TO_LOG, remarks::add)) {
      var _ = others.add(Dialect.MARKDOWN, journal.path(), null, null);
      var _ = post(JournalType.FACT, "foreign", null);
      var _ = log.append(JOURNAL, List.of(Message.of("alice", "note", Json.of("one"))));
      var _ = otherLog.append(JOURNAL, List.of(Message.of("bob", "note", Json.of("two"))));

      for (int i = 0; i < 3; i++) {
        mounts.sync();
        others.sync();
      }

      assertThat(journalMessages())
          .extracting(JournalMessage::body)
          .containsExactly("foreign", "one", "two");
      assertThat(in(JOURNAL)).hasSize(3);
      assertThat(otherLog.read(JOURNAL, Bookmark.START, 10).envelopes()).hasSize(3);
    }
  }

  /** The same where each has its agents, and a tool reads and writes as well. */
  @Test
  void twoBusesOnOneSwarmFolderDoNoHarm() throws Exception {
    mountSwarm();
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    BusFolder other = BusFolder.init(elsewhere.resolve(".parley"), elsewhere, Map.of()).folder();
    try (FileLog otherLog = other.openLog();
        Mounts others = new Mounts(other, Reporter.TO_LOG, remarks::add)) {
      Team team = new Team(otherLog, other.views(), Reporter.TO_LOG);
      Mail bob = team.mail(team.join("bob"));
      var _ = others.add(Dialect.SWARM, folder.resolve(".swarm"), null, null);
      others.sync();
      swarm.addToOutbox("researcher", SwarmTool.message("by-outbox", "researcher", "developer"));
      swarm.addToInbox("developer", SwarmTool.message("direct", "researcher", "developer"));
      swarm.addToOutbox("researcher", SwarmTool.message("to-alice", "researcher", "alice"));
      swarm.addToOutbox("researcher", SwarmTool.message("to-bob", "researcher", "bob"));
      var _ = alice.send(Draft.task("developer", "from alice", "one"));
      var _ = bob.send(Draft.task("developer", "from bob", "two"));

      for (int i = 0; i < 3; i++) {
        mounts.sync();
        others.sync();
      }

      Topic developer = new Topic("mail.developer");
      assertThat(swarm.readInbox("developer")).hasSize(4);
      assertThat(swarm.readInbox("developer"))
          .extracting(SwarmMessage::id)
          .contains("by-outbox", "direct")
          .doesNotHaveDuplicates();
      assertThat(in(developer)).hasSize(4);
      assertThat(otherLog.read(developer, Bookmark.START, 10).envelopes()).hasSize(4);
      assertThat(alice.inbox(MailFilter.ANY)).hasSize(1);
      assertThat(bob.inbox(MailFilter.ANY)).hasSize(1);
      swarm.clearInbox("developer");
      var _ = bob.send(Draft.task("developer", "more", "three"));
      for (int i = 0; i < 3; i++) {
        others.sync();
        mounts.sync();
      }
      assertThat(swarm.readInbox("developer"))
          .extracting(SwarmMessage::body)
          .containsExactly("three");
      assertThat(in(developer)).hasSize(5);
      assertThat(alice.sent()).extracting(SentMail::state).containsExactly("seen");
      assertThat(remarks).isEmpty();
    }
  }

  @Test
  void whatTheToolPutsIntoInboxesItselfIsNotDoubled() throws Exception {
    mountSwarm();
    SwarmMessage sent = swarm.sendTask("orchestrator", "developer", "s", "b", SendOptions.NONE);
    swarm.addToInbox("reviewer", SwarmTool.message("direct-1", "orchestrator", "reviewer"));

    mounts.sync();
    mounts.sync();

    assertThat(swarm.readInbox("developer")).containsExactly(sent);
    assertThat(swarm.readInbox("reviewer")).hasSize(1);
    assertThat(in(new Topic("mail.developer"))).hasSize(1);
    assertThat(in(new Topic("mail.reviewer"))).hasSize(1);
    assertThat(swarm.removeFromInbox("developer", sent.id())).isTrue();
    mounts.sync();
    assertThat(swarm.readInbox("developer")).isEmpty();
  }

  @Test
  void aSwarmAgentAnswersAnAgentOfTheBusAndOneOfAJournal() throws Exception {
    mountJournal();
    mountSwarm();
    String asked = alice.send(Draft.question("architect", "Port", "Which?")).first().id();
    mounts.sync();
    SwarmMessage question = swarm.readInbox("architect").getFirst();
    swarm.addToOutbox("architect", SwarmTool.answer("a-1", "architect", question));
    mounts.sync();

    assertThat(alice.inbox(MailFilter.ANY.replyTo(asked))).hasSize(1);

    journalQuestionTo("architect");
    mounts.sync();
    SwarmMessage fromJournal = swarm.readInbox("architect").getLast();
    assertThat(fromJournal.from()).isEqualTo("claude-dev-1");
    swarm.addToOutbox("architect", SwarmTool.answer("a-2", "architect", fromJournal));
    mounts.sync();

    JournalMessage answer = journalMessages().getLast();
    assertThat(answer.agent()).isEqualTo("architect");
    assertThat(answer.body()).isEqualTo("**s**\n\nanswered");
    assertThat(answer.relatesTo()).isEqualTo("MSG-20260126-101500-claude-dev-1-5f2");
  }

  private void journalQuestionTo(String agent) throws Exception {
    Files.writeString(
        journal.path(),
        "\n---\nmessageId: MSG-20260126-101500-claude-dev-1-5f2\ntype: QUESTION\n"
            + "agent: claude-dev-1\ntimestamp: 2026-01-26T10:15:00Z\nto: "
            + agent
            + "\n---\n\nHow?\n\n---\n",
        StandardOpenOption.APPEND);
  }

  @Test
  void aMountIsListedAndRemovedAndOnlyWhatIsThereCanBeMounted() throws Exception {
    assertThatThrownBy(() -> mounts.add(Dialect.SWARM, folder.resolve("none"), null, null))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("There is no swarm at");
    mountJournal();
    assertThatThrownBy(() -> mounts.add(Dialect.MARKDOWN, journal.path(), "other", null))
        .hasMessageContaining("is mounted already, as markdown");

    assertThat(mounts.list()).extracting(Mount::name).containsExactly("markdown");
    var _ = mounts.remove("markdown");

    assertThat(mounts.list()).isEmpty();
    var _ = post(JournalType.FACT, "x", null);
    mounts.sync();
    assertThat(in(JOURNAL)).isEmpty();
  }

  @Test
  void whatCantBeReadIsToldWithFileAndLine() throws Exception {
    mountJournal();
    mountSwarm();
    var _ = post(JournalType.FACT, "x", null);
    Files.writeString(journal.path(), "\nloose text\n", StandardOpenOption.APPEND);
    Files.writeString(swarm.getInboxPath("developer"), "nonsense");

    assertThat(mounts.examine())
        .extracting(FileRemark::describe)
        .anyMatch(text -> text.matches(".*MESSAGE-BUS.md:\\d+: text that belongs to no message"))
        .anyMatch(text -> text.endsWith("developer.json: is not a JSON array"));
  }
}

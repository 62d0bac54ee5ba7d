package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.roster.Status;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.testing.SwarmTool;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 2: what the design's programs and agents do with their queues, beside a bus. */
class SwarmWorkflowsTest {
  @TempDir Path folder;
  private final List<FileRemark> remarks = new ArrayList<>();
  private BusFolder bus;
  private FileLog log;
  private Team team;
  private Mail alice;
  private SwarmMessageBus swarm;
  private Mounts mounts;
  private Mount mount;

  @BeforeEach
  void open() {
    bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    log = bus.openLog();
    team = new Team(log, bus.views(), Reporter.TO_LOG);
    alice = team.mail(team.join("alice"));
    swarm = new SwarmMessageBus(folder.resolve(".swarm"), remarks::add);
    swarm.initializeAgentQueues();
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
    mount = mounts.add(Dialect.SWARM, folder.resolve(".swarm"), null, null);
  }

  @AfterEach
  void close() {
    mounts.close();
    log.close();
  }

  private List<Envelope> mailOf(String agent) {
    return log.read(new Topic("mail." + agent), Bookmark.START, 1000).envelopes();
  }

  private List<String> bodies(String agent) {
    return swarm.readInbox(agent).stream().map(SwarmMessage::body).toList();
  }

  /** As a process that is killed leaves it. */
  private void forgetLastRound() throws Exception {
    mounts.close();
    Path notes = log.file(MirrorState.topicOf("swarm"));
    List<String> lines = Files.readAllLines(notes);
    Files.writeString(notes, String.join("\n", lines.subList(0, lines.size() - 1)) + "\n");
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
  }

  /** A message as the design's sendMessage writes it, so long ago that its sender is done. */
  private SwarmMessage byProgram(String from, String to, String body) {
    return new SwarmMessage(
        Json.parse(
            """
            {"id":"%s","timestamp":"%s","from":"%s","to":"%s","type":"task","priority":"normal",
             "content":{"subject":"s","body":"%s"},"requiresResponse":false}\
            """
                .formatted(
                    UUID.randomUUID(),
                    Instant.ofEpochMilli(Instant.now().minusMillis(3500).toEpochMilli()),
                    from,
                    to,
                    body)));
  }

  private static void written(Path file, Duration ago) throws Exception {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(ago)));
  }

  @Test
  void whatIsSentByTheBusStandsInTheSendersOutboxAndTheRecipientsInbox() throws Exception {
    mounts.sync();
    Mail developer = team.mail(team.join("developer"));
    var _ = developer.send(Draft.task("orchestrator", "s", "done"));
    var _ = alice.send(Draft.task("developer", "s", "do it"));

    mounts.sync();
    mounts.sync();

    assertThat(swarm.readOutbox("developer")).isEqualTo(swarm.readInbox("orchestrator"));
    assertThat(bodies("orchestrator")).containsExactly("done");
    assertThat(swarm.readOutbox("alice")).isEqualTo(swarm.readInbox("developer"));
    assertThat(bodies("developer")).containsExactly("do it"); // who is on the bus, too
    assertThat(mailOf("orchestrator")).hasSize(1);
    assertThat(mailOf("developer")).hasSize(1);
  }

  @Test
  void mailToTwoNamesEachAndABroadcastHasOneIdEverywhere() throws Exception {
    mounts.sync();
    var _ = alice.send(Draft.to("developer", "reviewer").says("s", "two"));
    var _ = alice.send(Draft.to(Draft.ALL).says("s", "all"));

    mounts.sync();

    assertThat(swarm.readInbox("developer").getFirst().to()).isEqualTo("developer");
    assertThat(swarm.readInbox("reviewer").getFirst().to()).isEqualTo("reviewer");
    SwarmMessage broadcast = swarm.readInbox("developer").getLast();
    assertThat(broadcast.to()).isEqualTo("broadcast");
    for (String agent : SwarmMessageBus.VALID_AGENTS) {
      assertThat(swarm.readInbox(agent).getLast().id()).as(agent).isEqualTo(broadcast.id());
      assertThat(swarm.readInbox(agent).getLast().threadId()).isEqualTo(broadcast.threadId());
    }
    assertThat(swarm.readOutbox("alice"))
        .extracting(SwarmMessage::body)
        .containsExactly("two", "two", "all");
  }

  @Test
  void eachAnswerToABroadcastIsTiedToTheCopyThatItAnswers() throws Exception {
    mounts.sync();
    var copies = alice.send(Draft.to(Draft.ALL).says("s", "who is there?")).copies();
    mounts.sync();
    for (String agent : List.of("developer", "architect")) {
      SwarmMessage asked = swarm.readInbox(agent).getFirst();
      swarm.addToOutbox(agent, SwarmTool.answer("i-am-" + agent, agent, asked));
    }

    mounts.sync();

    for (String agent : List.of("developer", "architect")) {
      String copy =
          copies.stream().filter(one -> one.to().equals(agent)).findFirst().orElseThrow().id();
      assertThat(alice.inbox(MailFilter.ANY.replyTo(copy)))
          .extracting(letter -> letter.entry().from())
          .containsExactly(agent);
    }
  }

  @Test
  void anEntryThatItsRecipientHasReadBeforeAnyoneLookedDoesNotComeBack() throws Exception {
    mounts.sync();
    SwarmMessage task = byProgram("orchestrator", "developer", "read at once");
    swarm.addToOutbox("orchestrator", task);
    swarm.addToInbox("developer", task);
    swarm.clearInbox("developer");

    mounts.sync();
    mounts.sync();

    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(mailOf("developer")).hasSize(1);
    forgetLastRound();
    mounts.sync();
    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(mailOf("developer")).hasSize(1);
  }

  @Test
  void anEntryThatAProgramPutIntoItsOutboxAloneIsRoutedOnceItIsSureThatItStops() throws Exception {
    mounts.sync();
    written(swarm.getInboxPath("developer"), Duration.ofSeconds(10));
    swarm.addToOutbox("researcher", byProgram("researcher", "developer", "never put there"));

    mounts.sync();
    mounts.sync();

    assertThat(bodies("developer")).containsExactly("never put there");
  }

  @Test
  void anEntryOfAnInboxThatWasReadBeforeItsRoundWasNotedDoesNotComeBack() throws Exception {
    mounts.sync();
    swarm.addToInbox("developer", SwarmTool.message("direct-1", "orchestrator", "developer"));
    mounts.sync();
    swarm.clearInbox("developer");
    forgetLastRound();

    mounts.sync();

    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(mailOf("developer")).hasSize(1);
  }

  @Test
  void norDoesItWhenTheFolderIsMountedAgainUnderAnotherName() throws Exception {
    mounts.sync();
    var _ = alice.send(Draft.task("developer", "s", "read"));
    swarm.addToInbox("developer", SwarmTool.message("direct-1", "orchestrator", "developer"));
    mounts.sync();
    swarm.clearInbox("developer");
    mounts.sync();
    var _ = alice.send(Draft.task("developer", "s", "unread"));
    mounts.sync();

    var _ = mounts.remove(mount.name());
    var _ = mounts.add(Dialect.SWARM, folder.resolve(".swarm"), "again", null);
    mounts.sync();
    mounts.sync();

    assertThat(bodies("developer")).containsExactly("unread");
    assertThat(mailOf("developer")).hasSize(3);
  }

  @Test
  void whatWasReadBeforeTheFirstPassIsNotSentUntilItIsRecalled() throws Exception {
    swarm.addToOutbox("orchestrator", SwarmTool.message("old-1", "orchestrator", "developer"));
    swarm.addToOutbox("orchestrator", SwarmTool.message("old-2", "orchestrator", "reviewer"));
    SwarmMessage unread = SwarmTool.message("old-3", "orchestrator", "reviewer");
    swarm.addToOutbox("orchestrator", unread);
    swarm.addToInbox("reviewer", unread);
    mounts.sync();
    swarm.addToOutbox("orchestrator", SwarmTool.message("new-1", "orchestrator", "developer"));
    mounts.sync();

    assertThat(swarm.readInbox("developer"))
        .extracting(SwarmMessage::id)
        .containsExactly("new-1"); // whatever its date
    assertThat(swarm.readInbox("reviewer")).extracting(SwarmMessage::id).containsExactly("old-3");
    assertThat(mailOf("reviewer")).hasSize(1);
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .anyMatch(told -> told.startsWith("2 messages"));
    assertThat(mounts.past(mount)).isEqualTo(2);

    assertThat(mounts.recall(mount)).isEqualTo(2);
    mounts.sync();
    mounts.sync();

    assertThat(swarm.readInbox("developer")).hasSize(2);
    assertThat(swarm.readInbox("reviewer")).hasSize(2);
    assertThat(mounts.past(mount)).isZero();
    swarm.clearAllQueues();
    mounts.sync();
    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(mailOf("developer")).hasSize(2);
  }

  /** Role prompts show entries with ids such as msg-001, and without to, priority and more. */
  @Test
  void entriesThatLackWhatCanBeCompletedAreDeliveredAndReported() throws Exception {
    mounts.sync();
    Files.writeString(
        swarm.getOutboxPath("reviewer"),
        """
        [{"id":"unique-uuid","timestamp":"2024-01-15T10:30:00Z","from":"reviewer","type":"review",
          "content":{"subject":"Review","body":"fine"}}]\
        """);

    mounts.sync();
    mounts.sync();

    assertThat(swarm.readInbox("orchestrator"))
        .singleElement()
        .satisfies(message -> {
          assertThat(message.id()).isEqualTo("unique-uuid");
          assertThat(message.priority()).isEqualTo("normal");
          assertThat(message.requiresResponse()).isFalse();
        });
    assertThat(remarks).extracting(FileRemark::reason).anyMatch(told -> told.contains("completed"));
  }

  private static String byHand(String id, String body) {
    return """
    [{"id":"%s","type":"finding","to":"developer","content":{"subject":"s","body":"%s"}}]\
    """
        .formatted(id, body);
  }

  @Test
  void theSameIdWithOtherContentIsAnotherMessageAndWithTheSameContentTheSame() throws Exception {
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), byHand("msg-001", "first"));
    Files.writeString(swarm.getOutboxPath("reviewer"), byHand("msg-001", "of another"));
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), byHand("msg-001", "second"));
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), "[]");
    mounts.sync();
    swarm.clearInbox("developer");
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), byHand("msg-001", "second"));
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), byHand("msg-001", "first"));
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), byHand("msg-001", "third"));
    mounts.sync();

    assertThat(mailOf("developer"))
        .extracting(envelope -> envelope.payload().fields().get("body").text())
        .contains("first", "of another", "second", "third");
    assertThat(bodies("developer")).contains("third").doesNotContain("first");
    assertThat(swarm.readInbox("developer"))
        .extracting(SwarmMessage::id)
        .doesNotHaveDuplicates()
        .doesNotContain("msg-001");
    assertThat(remarks).extracting(FileRemark::reason).anyMatch(told -> told.contains("new ids"));
  }

  /** Models like to copy the UUID of an example. */
  @Test
  void soIsTheSameUuidWithOtherContent() throws Exception {
    String example = "550e8400-e29b-41d4-a716-446655440000";
    mounts.sync();
    String first = byHand(example, "first");
    String second = byHand(example, "second");
    String both = first.substring(0, first.length() - 1) + "," + second.substring(1);
    Files.writeString(swarm.getOutboxPath("researcher"), both);
    Files.writeString(swarm.getOutboxPath("reviewer"), byHand(example, "of another"));
    mounts.sync();
    swarm.clearInbox("developer");
    Files.writeString(swarm.getOutboxPath("researcher"), "[]");
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), first);
    mounts.sync();
    Files.writeString(swarm.getOutboxPath("researcher"), byHand(example, "third"));
    mounts.sync();

    assertThat(mailOf("developer"))
        .extracting(envelope -> envelope.payload().fields().get("body").text())
        .containsExactlyInAnyOrder("first", "second", "of another", "third");
    assertThat(bodies("developer")).containsExactly("third");
    assertThat(remarks).extracting(FileRemark::reason).anyMatch(told -> told.contains("new ids"));
  }

  @Test
  void mailThatIsAnsweredOrClearedOnTheBusLeavesTheInboxFile() throws Exception {
    mounts.sync();
    Mail developer = team.mail(team.join("developer"));
    String asked = alice.send(Draft.question("developer", "Port", "Which?")).first().id();
    var _ = alice.send(Draft.task("developer", "s", "clear me"));
    swarm.addToInbox("developer", SwarmTool.message("direct-1", "orchestrator", "developer"));
    mounts.sync();
    assertThat(swarm.readInbox("developer")).hasSize(3);

    var _ = developer.reply(asked, Draft.answer("8080"));
    mounts.sync();
    assertThat(bodies("developer")).containsExactlyInAnyOrder("clear me", "b");
    var _ = developer.clear();
    mounts.sync();

    assertThat(swarm.readInbox("developer")).isEmpty();
    mounts.sync();
    assertThat(mailOf("developer")).hasSize(3);
  }

  @Test
  void statusesReachTheRoster() throws Exception {
    mounts.sync();
    var _ = swarm.sendStatus("developer", "in_progress", "half");
    mounts.sync();
    assertThat(status("developer")).isEqualTo(Status.RUNNING);
    var _ = swarm.sendStatus("developer", "blocked", "no key");
    var _ = swarm.sendStatus("reviewer", "error", "crashed");
    mounts.sync();

    assertThat(status("developer")).isEqualTo(Status.BLOCKED);
    assertThat(status("reviewer")).isEqualTo(Status.FAILED);
    Session session = team.join("architect");
    var _ = swarm.sendStatus("architect", "complete", "done");
    mounts.sync();
    assertThat(status("architect")).isEqualTo(Status.COMPLETE);
    assertThat(team.sessions().owns(session)).isTrue();
  }

  private Status status(String agent) {
    return team.ledger().look(ledger -> ledger.roster().member(agent).status());
  }

  @Test
  void whatVanishedFromAnInboxWasSeen() throws Exception {
    mounts.sync();
    var _ = alice.send(Draft.task("developer", "s", "b"));
    mounts.sync();
    Files.writeString(swarm.getInboxPath("developer"), "[]");
    for (int i = 0; i < 3; i++) {
      mounts.sync();
    }

    assertThat(swarm.readInbox("developer")).isEmpty();
    assertThat(alice.sent()).extracting(SentMail::state).containsExactly("seen");
  }
}

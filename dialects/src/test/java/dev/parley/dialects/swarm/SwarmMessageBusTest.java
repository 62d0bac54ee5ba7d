package dev.parley.dialects.swarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.testing.AtOnce;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 2.1, 2.3, 2.4 and 2.6. */
class SwarmMessageBusTest {
  private static final Json CONTENT = Json.parse("{\"subject\":\"s\",\"body\":\"b\"}");

  @TempDir Path folder;
  private final List<FileRemark> remarks = new ArrayList<>();
  private SwarmMessageBus bus;

  @BeforeEach
  void create() {
    bus = new SwarmMessageBus(folder.resolve(".swarm"), remarks::add);
    bus.initializeAgentQueues();
  }

  private SwarmMessage send(String from, String to, String type, String priority) {
    return bus.sendMessage(new SendMessageInput(from, to, type, CONTENT).priority(priority));
  }

  @Test
  void theQueuesOfTheFiveAreMadeAndWhatIsThereStays() throws Exception {
    for (String agent : SwarmMessageBus.VALID_AGENTS) {
      assertThat(bus.getInboxPath(agent)).hasContent("[]");
      assertThat(bus.getOutboxPath(agent)).hasContent("[]");
    }
    var _ = send("orchestrator", "developer", "task", "normal");
    String before = Files.readString(bus.getInboxPath("developer"));

    bus.initializeAgentQueues();

    assertThat(bus.getInboxPath("developer")).hasContent(before);
    assertThat(before).startsWith("[\n  {\n    \"id\": \"").endsWith("\n  }\n]");
    bus.clearAllQueues();
    assertThat(bus.getInboxPath("developer")).hasContent("[]");
  }

  @Test
  void aMessageIsInTheOutboxOfItsSenderAndTheInboxOfItsRecipient() {
    SwarmMessage sent = send("orchestrator", "developer", "task", "high");

    assertThat(bus.readOutbox("orchestrator")).containsExactly(sent);
    assertThat(bus.readInbox("developer")).containsExactly(sent);
    assertThat(bus.getUnreadInbox("developer")).containsExactly(sent);
    assertThat(bus.readInbox("reviewer")).isEmpty();
    assertThat(sent.id()).matches("[0-9a-f-]{36}");
    assertThat(sent.requiresResponse()).isFalse();
  }

  @Test
  void aBroadcastReachesAllButItsSender() {
    var _ = bus.broadcastMessage("developer", "finding", CONTENT, SendOptions.NONE);

    assertThat(bus.getQueueSummary())
        .containsEntry("developer", new SwarmQueues.QueueSizes(0, 1))
        .containsEntry("researcher", new SwarmQueues.QueueSizes(1, 0))
        .containsEntry("orchestrator", new SwarmQueues.QueueSizes(1, 0))
        .hasSize(5);
    assertThat(bus.dumpAllMessages().inbox().get("architect")).hasSize(1);
  }

  @Test
  void theShorthandsSayWhatTheyMean() {
    SendOptions none = SendOptions.NONE;
    SwarmMessage task = bus.sendTask("orchestrator", "developer", "s", "b", "critical", "t", none);
    SwarmMessage result = bus.sendResult("developer", "orchestrator", "s", "b", "t", none);
    SwarmMessage status = bus.sendStatus("developer", "complete", "all of it", none);
    SwarmMessage question = bus.sendQuestion("developer", "architect", "q", "c", null, none);
    SwarmMessage feedback =
        bus.sendFeedback("reviewer", "developer", "s", "f", "needs_revision", "t", none);

    assertThat(task.priority()).isEqualTo("critical");
    assertThat(task.requiresResponse()).isTrue();
    assertThat(result.threadId()).isEqualTo("t");
    assertThat(status.to()).isEqualTo("orchestrator");
    assertThat(status.subject()).isEqualTo("Status: complete");
    assertThat(status.metadata("status")).isEqualTo("complete");
    assertThat(question.requiresResponse()).isTrue();
    assertThat(feedback.metadata("verdict")).isEqualTo("needs_revision");
    assertThat(SwarmMessageBus.createThreadId()).startsWith("thread_");
  }

  /** Seed 002, 3: what may be left out there may be left out here. */
  @Test
  void theOptionsOfTheDesignCanBeLeftOut() throws Exception {
    SwarmMessage task = bus.sendTask("orchestrator", "researcher", "Test", "Body");
    SwarmMessage result = bus.sendResult("researcher", "orchestrator", "s", "b", "t");
    SwarmMessage status = bus.sendStatus("researcher", "complete", "all of it");
    SwarmMessage question = bus.sendQuestion("researcher", "architect", "q", "c");
    SwarmMessage feedback = bus.sendFeedback("reviewer", "developer", "s", "f", "approved");
    SwarmMessage broadcast = bus.broadcastMessage("architect", "design", CONTENT);

    assertThat(task.priority()).isEqualTo("normal");
    assertThat(question.threadId()).isNull();
    assertThat(feedback.threadId()).isNull();
    assertThat(broadcast.to()).isEqualTo("broadcast");
    assertThat(bus.pollInbox("researcher")).isEqualTo(task);
    assertThat(bus.pollForType("developer", "feedback")).isEqualTo(feedback);
    assertThat(bus.pollForThreadResponse("orchestrator", "t")).isEqualTo(result);
    assertThat(bus.pollForCompletion("orchestrator")).isEqualTo(status);
    assertThat(PollOptions.DEFAULT.interval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(PollOptions.DEFAULT.timeout()).isEqualTo(Duration.ofMinutes(5));
  }

  /** The design's compiler refuses these. */
  @Test
  void wordsThatTheDesignDoesNotHaveAreRefused() {
    refused("bad-status", () -> bus.sendStatus("developer", "completed", "s"));
    refused("bad-verdict", () -> bus.sendFeedback("reviewer", "developer", "s", "f", "fine"));
    refused("bad-priority", () -> bus.getInboxByPriority("developer", "urgent"));
    assertThat(bus.readOutbox("developer")).isEmpty();
    assertThat(bus.readOutbox("reviewer")).isEmpty();
  }

  @Test
  void aMessageHasWhatItsSenderSaidAndNothingElse() {
    SwarmMessage plain =
        SwarmMessageBus.createMessage(new SendMessageInput("developer", "nobody", "task", CONTENT));
    SwarmMessage full =
        SwarmMessageBus.createMessage(
            new SendMessageInput("developer", "nobody", "task", CONTENT)
                .priority("high")
                .in("t")
                .asking()
                .until("2024-01-15T11:00:00.000Z"));

    assertThat(plain.json().fields())
        .containsOnlyKeys(
            "id", "timestamp", "from", "to", "type", "priority", "content", "requiresResponse");
    assertThat(plain.timestamp()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(full.deadline()).isEqualTo("2024-01-15T11:00:00.000Z");
    assertThat(full.requiresResponse()).isTrue();
  }

  /**
   * Seed 002, 5 and 6: writing makes the folder, and clearing the file; taking out makes nothing.
   */
  @Test
  void foldersAndFilesThatAreNotThereAreMade() {
    SwarmMessageBus fresh = new SwarmMessageBus(folder.resolve("fresh"), remarks::add);
    assertThat(fresh.removeFromInbox("developer", "x")).isFalse();
    assertThat(fresh.getInboxPath("developer")).doesNotExist();

    fresh.clearAllQueues();
    assertThat(fresh.getInboxPath("developer")).hasContent("[]");
    SwarmMessage message =
        SwarmMessageBus.createMessage(new SendMessageInput("a", "tester", "task", CONTENT));
    new SwarmMessageBus(folder.resolve("other"), remarks::add).addToInbox("tester", message);
    assertThat(folder.resolve("other/messages/inbox/tester.json")).isNotEmptyFile();
    assertThat(remarks).isEmpty();
  }

  /** Several may set a folder up at once, and send as soon as it is there. */
  @Test
  void creatingAQueueReplacesNoExistingOne() throws Exception {
    for (int i = 0; i < 20; i++) {
      Path swarm = folder.resolve("swarm-" + i);
      AtOnce.run(
          4,
          () -> {
            SwarmMessageBus one = new SwarmMessageBus(swarm, remark -> {});
            one.initializeAgentQueues();
            return one.sendTask("orchestrator", "developer", "s", "b");
          });
      assertThat(new SwarmMessageBus(swarm, remark -> {}).readInbox("developer")).hasSize(4);
    }
  }

  @Test
  void onlyAnEntryOfThatIdIsTakenOut() throws Exception {
    Files.writeString(bus.getInboxPath("developer"), "[{\"to\":\"x\"}, 7]");

    assertThat(bus.removeFromInbox("developer", "")).isFalse();

    assertThat(bus.getInboxPath("developer")).hasContent("[{\"to\":\"x\"}, 7]");
  }

  @Test
  void inboxesAreFilteredAndEmptied() {
    SwarmMessage low = send("orchestrator", "developer", "task", "low");
    SwarmMessage high = send("orchestrator", "developer", "question", "high");
    SwarmMessage critical = send("orchestrator", "developer", "task", "critical");

    assertThat(bus.getInboxByType("developer", "task")).containsExactly(low, critical);
    assertThat(bus.getInboxByPriority("developer", "high")).containsExactly(high, critical);
    assertThat(bus.removeFromInbox("developer", high.id())).isTrue();
    assertThat(bus.removeFromInbox("developer", high.id())).isFalse();
    assertThat(bus.readInbox("developer")).containsExactly(low, critical);
    bus.clearInbox("developer");
    assertThat(bus.readInbox("developer")).isEmpty();
    assertThat(bus.getNewOutboxMessages("orchestrator", "2024-01-01T00:00:00Z")).hasSize(3);
    assertThat(bus.getNewOutboxMessages("orchestrator", "2999-01-01 00:00:00")).isEmpty();
    bus.clearOutbox("orchestrator");
    assertThat(bus.readOutbox("orchestrator")).isEmpty();
  }

  @Test
  void invalidEntriesArePassedOverWithARemarkAndStayWhateverElseChanges() throws Exception {
    Files.writeString(bus.getInboxPath("developer"), "[{\"id\":\"x\"}, 7]");

    SwarmMessage sent = send("orchestrator", "developer", "task", "normal");

    assertThat(bus.readInbox("developer")).containsExactly(sent);
    assertThat(remarks)
        .extracting(FileRemark::reason)
        .contains("entry 1 has no timestamp", "entry 2 is not an object");
    assertThat(Files.readString(bus.getInboxPath("developer")))
        .startsWith("[{\"id\":\"x\"}, 7,\n  {\n    \"id\": ");
  }

  /** Somebody who takes no lock writes between our reading and our replacing. */
  @Test
  void aWriteThatSlipsInBetweenIsMerged() throws Exception {
    Path inbox = bus.getInboxPath("developer");
    SwarmMessage other =
        SwarmMessageBus.createMessage(SendMessageInput.of("a", "b", "task", "s", "b"));
    SwarmMessage ours =
        SwarmMessageBus.createMessage(SendMessageInput.of("a", "b", "task", "s", "b"));
    String slips = "[" + other.json() + "]";

    bus.queue(inbox)
        .add(
            entries -> {
              if (entries.count() == 0) {
                write(inbox, slips);
              }
              return List.of(ours.json());
            },
            null);
    assertThat(bus.readInbox("developer")).containsExactly(other, ours);

    bus.queue(inbox)
        .change(items -> {
          if (items.size() == 2) {
            write(inbox, slips);
          }
          return items.subList(0, items.size() - 1);
        });
    assertThat(bus.readInbox("developer")).isEmpty();
  }

  /** What was read before is remembered, but only as far as it still stands there. */
  @Test
  void whatIsAddedComesAfterWhatIsThereThenWhateverWasThereBefore() {
    Path inbox = bus.getInboxPath("tester");
    List<String> expected = new ArrayList<>();
    Random random = Seed.random("whatIsAddedComesAfterWhatIsThere");
    for (int i = 0; i < 300; i++) {
      if (random.nextInt(3) == 0) {
        int kept = random.nextInt(expected.size() + 1);
        expected.subList(kept, expected.size()).clear();
        List<Json> left =
            bus.readInbox("tester").stream().limit(kept).map(SwarmMessage::json).toList();
        write(inbox, Json.of(left).toString());
      }
      SwarmMessage message =
          SwarmMessageBus.createMessage(
              SendMessageInput.of("human", "tester", "status", "S", "B" + i));
      bus.addToInbox("tester", message);
      expected.add(message.id());
      assertThat(bus.readInbox("tester"))
          .extracting(SwarmMessage::id)
          .containsExactlyElementsOf(expected);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileThatIsNoArrayCountsAsEmptyAndIsKeptBeforeItIsWritten() throws Exception {
    Path inbox = bus.getInboxPath("developer");
    Files.writeString(inbox, "{broken");

    assertThat(bus.readInbox("developer")).isEmpty();
    assertThat(inbox).hasContent("{broken");
    var _ = send("orchestrator", "developer", "task", "normal");

    assertThat(inbox.resolveSibling("developer.json.damaged")).hasContent("{broken");
    assertThat(bus.readInbox("developer")).hasSize(1);
    Files.writeString(inbox, "null");
    assertThat(bus.readInbox("developer")).isEmpty();
    Files.delete(inbox);
    assertThat(bus.readInbox("developer")).isEmpty();
  }

  @Test
  void whatWouldBeLostIsRefusedBeforeAnythingIsDelivered() {
    SwarmMessageBus small = new SwarmMessageBus(folder.resolve(".swarm"), 1, remarks::add);
    var _ = small.sendTask("orchestrator", "developer", "s", "b", SendOptions.NONE);

    refused(
        "inbox-full", () -> small.sendTask("reviewer", "developer", "s", "b", SendOptions.NONE));
    refused("unknown-recipient", () -> send("reviewer", "develper", "task", "normal"));
    refused("bad-agent-name", () -> send("reviewer", "../x", "task", "normal"));
    refused("bad-message", () -> send("reviewer", "developer", "chat", "normal"));
    refused(
        "no-session-id",
        () -> bus.sendTask("reviewer", "developer", "s", "b", new SendOptions(true, null)));
    refused(
        "unknown-session",
        () -> bus.sendTask("reviewer", "developer", "s", "b", SendOptions.keptIn("session")));
    refused("no-session-id", () -> bus.getThreadHistory("", "thread"));
    assertThat(bus.readOutbox("reviewer")).isEmpty();
  }

  private static void refused(String code, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            ParleyException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  @Test
  void pollingFindsWhatIsThereAndWhatComesAndEndsWhenTheTimeIsOver() throws Exception {
    PollOptions brief = new PollOptions(Duration.ofMillis(50), Duration.ofMillis(200), m -> true);
    PollOptions usual = new PollOptions(Duration.ofSeconds(5), Duration.ofSeconds(60), m -> true);
    assertThat(bus.pollInbox("developer", brief)).isNull();

    CompletableFuture<SwarmMessage> waiting =
        CompletableFuture.supplyAsync(() -> {
          try {
            return bus.pollForThreadResponse("developer", "t-9", usual);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    var _ = send("orchestrator", "developer", "task", "normal");
    SwarmMessage answer =
        bus.sendResult("researcher", "developer", "s", "b", "t-9", SendOptions.NONE);

    assertThat(waiting.get()).isEqualTo(answer);
    assertThat(bus.pollForType("developer", "result", brief)).isEqualTo(answer);
    assertThat(bus.pollForCompletion("orchestrator", brief)).isNull();
    SwarmMessage done = bus.sendStatus("developer", "complete", "done", SendOptions.NONE);
    assertThat(bus.pollForCompletion("orchestrator", brief)).isEqualTo(done);
  }

  @Test
  void aSentinelOfADeadProcessIsBrokenAndThatOfALivingOneIsNot() throws Exception {
    Path lock = bus.getInboxPath("developer").resolveSibling("developer.json.lock");
    Files.writeString(lock, "999999999\n1000");
    var _ = send("orchestrator", "developer", "task", "normal");
    assertThat(lock).doesNotExist();

    Files.writeString(lock, ProcessHandle.current().pid() + "\n1000");
    refused("queue-locked", () -> bus.clearInbox("developer"));
    assertThat(lock).exists();
  }

  /** Seed 2.6: nothing is lost beside a tool that follows the same rules. */
  @Test
  void foreignSendersAndOursLoseNothing() throws Exception {
    Path client = Path.of("src/test/resources/clients/swarm_sender.py").toAbsolutePath();
    List<Process> others = new ArrayList<>();
    for (String name : List.of("py1", "py2")) {
      others.add(
          new ProcessBuilder(
                  "python3",
                  client.toString(),
                  bus.getInboxPath("developer").toString(),
                  "100",
                  name)
              .inheritIO()
              .start());
    }
    for (int i = 0; i < 100; i++) {
      var _ = send("orchestrator", "developer", "task", "normal");
      assertThat(bus.readInbox("developer")).isNotEmpty();
    }
    for (Process other : others) {
      assertThat(other.waitFor()).isZero();
    }

    assertThat(bus.readInbox("developer"))
        .hasSize(300)
        .extracting(SwarmMessage::id)
        .doesNotHaveDuplicates();
    assertThat(remarks).isEmpty();
  }
}

package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Reporter;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.testing.RunningBridge;
import dev.parley.dialects.testing.SwarmTool;
import dev.parley.filelog.BusFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seed 2: a program's entry in an outbox, which its recipient does not have, though the inbox was
 * written since: it was read there, or was never there.
 */
class SwarmDeliveryEvidenceTest {
  @TempDir Path folder;
  private final List<FileRemark> remarks = new CopyOnWriteArrayList<>();
  private BusFolder bus;
  private SwarmMessageBus swarm;
  private Mounts mounts;
  private Mount mount;

  @BeforeEach
  void open() throws Exception {
    bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    swarm = new SwarmMessageBus(folder.resolve(".swarm"), remarks::add);
    swarm.initializeAgentQueues();
    mounts = new Mounts(bus, Reporter.TO_LOG, remarks::add);
    mount = mounts.add(Dialect.SWARM, folder.resolve(".swarm"), null, null);
    mounts.sync();
  }

  @AfterEach
  void close() {
    mounts.close();
  }

  private static SwarmMessage message(Instant time, String from, String body) {
    return new SwarmMessage(
        Json.parse(
            """
            {"id":"%s","timestamp":"%s","from":"%s","to":"developer","type":"task",
             "priority":"normal","content":{"subject":"s","body":"%s"},"requiresResponse":false}\
            """
                .formatted(
                    UUID.randomUUID(), Instant.ofEpochMilli(time.toEpochMilli()), from, body)));
  }

  /** Dated so long ago that its sender is done with it. */
  private SwarmMessage sent(String from, String body) {
    SwarmMessage message = message(Instant.now().minusMillis(3500), from, body);
    swarm.addToOutbox(from, message);
    return message;
  }

  private void inboxWritten(Duration ago) throws Exception {
    Files.setLastModifiedTime(
        swarm.getInboxPath("developer"), FileTime.from(Instant.now().minus(ago)));
  }

  private List<String> bodies() {
    return swarm.readInbox("developer").stream().map(SwarmMessage::body).toList();
  }

  private boolean isTold(String part) {
    return remarks.stream().anyMatch(remark -> remark.reason().contains(part));
  }

  private MountCheck check() {
    return mounts.check().getFirst();
  }

  @Test
  void beforeAnythingIsKnownItCountsAsReadIsReportedAndSentOnDemandOnce() throws Exception {
    var _ = sent("researcher", "perhaps read");
    inboxWritten(Duration.ZERO);
    mounts.sync();

    assertThat(bodies()).isEmpty();
    assertThat(isTold("counts as read")).isTrue();
    assertThat(check().isInStep()).isFalse();
    assertThat(check().passedOver()).hasSize(1);

    assertThat(mounts.recall(mount)).isEqualTo(1);
    mounts.sync();
    assertThat(bodies()).containsExactly("perhaps read");
    assertThat(check().isInStep()).isTrue();
    swarm.clearInbox("developer");
    mounts.sync();
    mounts.sync();
    assertThat(bodies()).isEmpty();
    assertThat(mounts.recall(mount)).isZero();
  }

  @Test
  void ofASenderThatLeavesInboxesToOthersItIsDelivered() throws Exception {
    inboxWritten(Duration.ofSeconds(10));
    var _ = sent("researcher", "first");
    mounts.sync();
    assertThat(bodies()).containsExactly("first");
    var _ = sent("researcher", "second");
    inboxWritten(Duration.ZERO);

    mounts.sync();

    assertThat(bodies()).containsExactly("first", "second");
    assertThat(check().isInStep()).isTrue();
  }

  @Test
  void ofASenderThatWritesInboxesItWasRead() throws Exception {
    swarm.addToInbox("developer", sent("orchestrator", "first"));
    mounts.sync();
    swarm.addToInbox("developer", sent("orchestrator", "second"));
    swarm.clearInbox("developer");

    mounts.sync();
    mounts.sync();

    assertThat(bodies()).isEmpty();
    assertThat(check().isInStep()).isTrue();
    assertThat(check().drifted()).isZero();
  }

  @Test
  void whatIsLearntLaterSettlesWhatWasGuessed() throws Exception {
    var _ = sent("researcher", "guessed");
    inboxWritten(Duration.ZERO);
    mounts.sync();
    assertThat(bodies()).isEmpty();
    inboxWritten(Duration.ofSeconds(10));
    var _ = sent("researcher", "learnt from");

    mounts.sync();
    mounts.sync();

    assertThat(bodies()).containsExactlyInAnyOrder("guessed", "learnt from");
    assertThat(check().isInStep()).isTrue();
  }

  @Test
  void whileABridgeWatchesItIsDeliveredAndReported() throws Exception {
    try (RunningBridge _ = new RunningBridge(bus)) {
      swarm.addToOutbox("researcher", SwarmTool.message("by-hand", "researcher", "reviewer"));
      Awaitility.await().until(() -> !swarm.readInbox("reviewer").isEmpty()); // it watches
      swarm.addToOutbox("researcher", message(Instant.now(), "researcher", "to the outbox alone"));
      swarm.addToInbox("developer", message(Instant.now(), "reviewer", "to the inbox alone"));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> bodies().contains("to the outbox alone"));
    }
    mounts.sync();

    assertThat(bodies()).containsExactly("to the inbox alone", "to the outbox alone");
    assertThat(check().isInStep()).isTrue();
    assertThat(check().drifted()).isEqualTo(1);
  }
}

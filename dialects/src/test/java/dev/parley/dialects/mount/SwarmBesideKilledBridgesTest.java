package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.core.Bookmark;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.testing.BridgeProcess;
import dev.parley.dialects.testing.Client;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seed 2: a program that sends as the design does, agents that write their outboxes by hand, with
 * and without a lock, and one that removes its mail at once, while bridges are killed.
 */
class SwarmBesideKilledBridgesTest {
  private static final Duration LONG = Duration.ofSeconds(Seed.isLong() ? 600 : 120);

  private final int sent = Seed.isLong() ? 1200 : 60;
  private final int byHand = Seed.isLong() ? 60 : 10;
  private final int ours = Seed.isLong() ? 200 : 20;
  private final int kills = Seed.isLong() ? 60 : 4;

  @TempDir Path folder;

  @Test
  void nothingIsLostDoubledOrBroughtBackToLife() throws Exception {
    Random random = Seed.random("Swarm beside killed bridges");
    Path swarm = folder.resolve(".swarm");
    Path got = Files.createFile(folder.resolve("got"));
    Path stop = folder.resolve("stop");
    new SwarmMessageBus(swarm, remark -> {}).initializeAgentQueues();
    BusFolder place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    try (FileLog log = place.openLog();
        Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      Team team = new Team(log, place.views(), Reporter.TO_LOG);
      Mail alice = team.mail(team.join("alice"));
      var _ = mounts.add(Dialect.SWARM, swarm, null, null);
      mounts.sync();
      try (Client drain = Client.python("swarm_agents.py", "drain", swarm, "developer", got, stop);
          Client send =
              Client.python("swarm_agents.py", "send", swarm, "orchestrator", "developer", sent);
          Client hand =
              Client.python("swarm_agents.py", "hand", swarm, "researcher", "developer", byHand);
          Client rename =
              Client.python("swarm_agents.py", "rename", swarm, "reviewer", "developer", byHand);
          Client inPlace =
              Client.python("swarm_agents.py", "inplace", swarm, "architect", "developer", byHand);
          Client memory =
              Client.python("swarm_agents.py", "memory", swarm, "tester", "developer", byHand)) {
        List<Client> writers = List.of(send, hand, rename, inPlace, memory);
        for (int i = 0; i < kills; i++) {
          try (Client bridge = Client.java(BridgeProcess.class, folder)) {
            bridge.awaitOutput();
            for (int j = 0; j < ours / kills; j++) {
              var _ = alice.send(Draft.task("developer", "s", "ours " + i + "." + j));
            }
            long end = System.nanoTime() + Duration.ofMillis(random.nextInt(900)).toNanos();
            Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> System.nanoTime() - end >= 0);
          }
        }
        try (Client _ = Client.java(BridgeProcess.class, folder)) {
          Awaitility.await().atMost(LONG).until(() -> writers.stream().noneMatch(Client::isAlive));
          Awaitility.await()
              .atMost(LONG)
              .until(() ->
                  log.read(new Topic("mail.developer"), Bookmark.START, 5000).envelopes().size()
                      >= expected().size());
        }
        mounts.sync();
        Files.createFile(stop);
        assertThat(drain.exitCode()).isZero();
      }
      mounts.sync();

      assertThat(Files.readAllLines(got)).containsExactlyInAnyOrderElementsOf(expected());
      assertThat(log.read(new Topic("mail.developer"), Bookmark.START, 5000).envelopes())
          .extracting(envelope -> envelope.payload().fields().get("body").text())
          .containsExactlyInAnyOrderElementsOf(expected());
      assertThat(swarm.resolve("messages/inbox/developer.json")).content().startsWith("[]");
      Seed.say(kills + " bridges killed, " + expected().size() + " messages");
    }
  }

  private List<String> expected() {
    List<String> all = new ArrayList<>();
    IntStream.range(0, sent).mapToObj(i -> "sent " + i).forEach(all::add);
    for (String way : List.of("by hand ", "rename ", "inplace ", "memory ")) {
      IntStream.range(0, byHand).mapToObj(i -> way + i).forEach(all::add);
    }
    Stream.iterate(0, i -> i < kills, i -> i + 1)
        .flatMap(i -> IntStream.range(0, ours / kills).mapToObj(j -> "ours " + i + "." + j))
        .forEach(all::add);
    return all;
  }
}

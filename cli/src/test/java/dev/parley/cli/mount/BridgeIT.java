package dev.parley.cli.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.message.JsonLinesFormat;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bridge between real files and the bus, while foreign programs write and bridges are killed. */
class BridgeIT {
  @TempDir Path folder;
  private Trial trial;

  @BeforeEach
  void mount() {
    trial = new Trial(folder).with("PARLEY_AGENT", "alice");
    run("init");
    for (String[] design :
        new String[][] {
          {"markdown", "MESSAGE-BUS.md"},
          {"swarm", ".swarm"},
          {"conclave", "conclave"},
          {"conductor", "message-bus"}
        }) {
      run("init", "--dialect", design[0], design[1]);
      run("mount", design[0], design[1]);
    }
  }

  private void run(String... args) {
    Trial.Answer answer = trial.run(args);
    assertThat(answer.exitCode()).as(answer.err() + answer.out()).isZero();
  }

  /** What foreign programs do, 60 messages each, and readers that follow nobody's locks. */
  private static final String CLIENTS =
      """
      journal() { for i in $(seq 60); do
        printf '\\n---\\nmessageId: MSG-20260126-101500-claude-dev-1-%s\\ntype: FACT\\nagent: claude-dev-1\\ntimestamp: 2026-01-26T10:15:00Z\\n---\\n\\nfact %s\\n\\n---\\n' $i $i >> MESSAGE-BUS.md
        sleep 0.05; done; }
      queue() { for i in $(seq 60); do
        printf '{"id":"msg-%s","type":"PROGRESS","source":"worker-1.1-x","timestamp":"2026-02-01T12:00:00Z","payload":{"n":%s}}\\n' $i $i >> message-bus/queue.jsonl
        sleep 0.05; done; }
      board() { for i in $(seq 60); do
        { flock 9; printf '{"id":"7-%s","seq":%s,"timestamp":"2026-02-01T12:00:00Z","sender":"task-1","topic":"board","type":"board.discovery","payload":{"text":"%s"}}\\n' $i $i $i >> conclave/board.jsonl; } 9>>conclave/board.jsonl
        sleep 0.05; done; }
      swarm() { python3 "$client" .swarm/messages/outbox/researcher.json 60 researcher; }
      journal & queue & board & swarm & wait
      """;

  @Test
  void nothingIsLostOrDoubledThoughBridgesAreKilled() throws Exception {
    Random random = Seed.random("bridge");
    int kills = Seed.isLong() ? 100 : 8;
    Path client =
        Path.of(
            System.getProperty("parley.root"),
            "dialects/src/test/resources/clients/swarm_sender.py");
    List<String> command = List.of("bash", "-c", CLIENTS);
    int sent = 0;
    try (Launched clients = Launched.start(folder, Map.of("client", client.toString()), command)) {
      for (int kill = 0; kill < kills || clients.isAlive(); kill++) {
        try (Launched bridge = Launched.parley(folder, "bridge")) {
          bridge.awaitOutput("bridging");
          long rest = System.nanoTime() + Duration.ofMillis(random.nextInt(600)).toNanos();
          for (String to : List.of("developer", "claude-dev-1", "task-1", "worker-1.1-x")) {
            publish(to, sent++);
          }
          Awaitility.await().until(() -> System.nanoTime() - rest >= 0);
          bridge.signal("KILL");
        }
      }
      assertThat(clients.answer().exitCode()).isZero();
    }

    run("status");

    assertPulled("journal", 60);
    assertPulled("conductor", 60);
    assertPulled("conclave.board", 60);
    SwarmMessageBus swarm = new SwarmMessageBus(folder.resolve(".swarm"), remark -> {});
    assertThat(swarm.readInbox("developer"))
        .extracting(SwarmMessage::id)
        .doesNotHaveDuplicates()
        .hasSize(60 + sent / 4);
    assertThat(new JournalFile(folder.resolve("MESSAGE-BUS.md")).read().remarks()).isEmpty();
    assertPushed(
        new JournalFile(folder.resolve("MESSAGE-BUS.md"))
            .read().messages().stream().map(placed -> placed.message().body()).toList(),
        sent,
        1);
    assertPushed(lines("conclave/mail.task-1.jsonl"), sent, 2);
    assertPushed(lines("message-bus/queue.jsonl"), sent, 3);
  }

  /** Mail as any process on the bus sends it, without a round of its own. */
  private void publish(String to, int number) {
    BusFolder bus = BusFolder.find(folder.resolve(".parley"), folder, Map.of());
    try (FileLog log = bus.openLog()) {
      var _ =
          log.append(
              new Topic("mail." + to.replace('.', '~')),
              List.of(
                  Message.builder("alice", "finding")
                      .to(List.of(to))
                      .payload(
                          Json.object()
                              .put("subject", "")
                              .put("body", "ours " + number + ".")
                              .build())
                      .build()));
    }
  }

  private void assertPulled(String topic, int count) {
    BusFolder bus = BusFolder.find(folder.resolve(".parley"), folder, Map.of());
    try (FileLog log = bus.openLog()) {
      List<Envelope> envelopes = WholeTopic.of(log, new Topic(topic));
      assertThat(envelopes).as(topic).hasSize(count);
      assertThat(envelopes).extracting(Envelope::key).doesNotHaveDuplicates();
    }
  }

  private List<String> lines(String file) throws Exception {
    List<String> bodies = new ArrayList<>();
    List<Json> messages =
        JsonLinesFormat.read(
                Files.readAllBytes(folder.resolve(file)),
                0,
                (line, understood, reason) -> {
                  throw new AssertionError(file + ":" + line + " " + reason);
                },
                (line, end) -> line.json())
            .messages();
    for (Json message : messages) {
      bodies.add(Fields.of(message).object("payload").text("body", ""));
    }
    return bodies;
  }

  private static void assertPushed(List<String> bodies, int sent, int first) {
    List<String> expected =
        IntStream.range(0, sent)
            .filter(number -> number % 4 == first)
            .mapToObj(number -> "ours " + number + ".")
            .toList();
    assertThat(bodies.stream().filter(body -> body.startsWith("ours "))).isEqualTo(expected);
  }

  @Test
  void aBusWithoutMountsLoadsNothingThatDealsWithThem(@TempDir Path plain) throws Exception {
    Path classes = plain.resolve("classes.txt");
    String script =
        "\"$parley\" init && export PARLEY_AGENT=alice"
            + " PARLEY_JAVA_OPTS=\"-Xlog:class+load:file="
            + classes
            + "\" && \"$parley\" publish notes --type note";
    try (Launched shell = Launched.bash(plain, script)) {
      assertThat(shell.answer().exitCode()).isZero();
    }
    assertThat(Files.readString(classes))
        .contains("dev.parley.cli.Main ")
        .doesNotContain("dev.parley.dialects.");
  }

  @Test
  void aForeignAppendIsOnTheBusSoonAndTheAnswerInTheFile() throws Exception {
    try (Launched bridge = Launched.parley(folder, "bridge")) {
      bridge.awaitOutput("bridging");
      List<Long> there = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String id = "msg-quick-" + i;
        long begin = System.nanoTime();
        Files.writeString(
            folder.resolve("message-bus/queue.jsonl"),
            "{\"id\":\"" + id + "\",\"type\":\"PROGRESS\",\"source\":\"w\",\"payload\":{}}\n",
            StandardOpenOption.APPEND);
        Path topic = folder.resolve(".parley/conductor.jsonl");
        Awaitility.await()
            .pollInterval(Duration.ofMillis(2))
            .atMost(Duration.ofSeconds(20))
            .until(() -> Files.exists(topic) && Files.readString(topic).contains(id));
        there.add((System.nanoTime() - begin) / 1_000_000);
      }
      there.sort(null);
      Seed.say("foreign append to bus, ms: p50 " + there.get(25) + ", max " + there.getLast());
      assertThat(there.get(25)).isLessThan(2000);
    }
  }
}

package dev.parley.dialects.swarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seed 2.5: there is no room for the database any more: delivered, and told that it is not kept.
 */
class FullDatabaseTest {
  private static final int ENOUGH = 60;

  @TempDir Path folder;

  /** Sends until a message is not kept; the last one is not. */
  private static List<SwarmMessage> sendUntilFull(
      SwarmMessageBus bus, List<String> told, String session, int size) {
    List<SwarmMessage> sent = new ArrayList<>();
    while (told.isEmpty() && sent.size() < ENOUGH) {
      bus.clearAllQueues(); // only the database grows
      sent.add(send(bus, session, "x".repeat(size)));
    }
    return sent;
  }

  private static SwarmMessage send(SwarmMessageBus bus, String session, String body) {
    return bus.sendMessage(
        SendMessageInput.of("orchestrator", "developer", "task", "s", body).in("t"),
        SendOptions.keptIn(session));
  }

  /** As root only: a file system of its own, which is filled up. */
  @Test
  void onAFullFileSystemAMessageIsDeliveredAndItIsKeptAgainWhenThereIsRoom() throws Exception {
    Path swarm = Files.createDirectory(folder.resolve(".swarm"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", swarm.toString())).isZero();
    try {
      List<String> told = new ArrayList<>();
      SwarmMessageBus bus = new SwarmMessageBus(swarm, remark -> told.add(remark.reason()));
      bus.initializeAgentQueues();
      String session = bus.startSession("Build it", "development");
      Path ballast = swarm.resolve("ballast");
      Files.write(ballast, new byte[(int) (swarm.toFile().getUsableSpace() - (150 << 10))]);

      List<SwarmMessage> sent = sendUntilFull(bus, told, session, 8 << 10);

      SwarmMessage last = sent.removeLast();
      assertThat(told)
          .singleElement()
          .asString()
          .startsWith("message " + last.id() + " is delivered, not kept: ")
          .contains("full");
      assertThat(bus.readInbox("developer")).containsExactly(last);
      assertThat(bus.readOutbox("orchestrator")).containsExactly(last);

      Files.delete(ballast);
      SwarmMessage after = send(bus, session, "there is room again");
      sent.add(after);
      assertThat(bus.getThreadHistory(session, "t")).containsExactlyElementsOf(sent);
    } finally {
      assertThat(run("umount", swarm.toString())).isZero();
    }
  }

  /** In a process whose files may not grow beyond a limit. */
  @Test
  void aDatabaseThatMayNotGrowUndoesNoDelivery() throws Exception {
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f 3000; exec \"$0\" -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                    + " --enable-native-access=ALL-UNNAMED -cp \"$1\" \"$2\" \"$3\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"),
                Sender.class.getName(),
                folder.resolve(".swarm").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    Json result = Json.parse(said.strip());
    String id = String.valueOf(result.fields().get("id").text());

    assertThat(result.fields().get("told").text())
        .startsWith("message " + id + " is delivered, not kept: ");
    SwarmMessageBus bus = new SwarmMessageBus(folder.resolve(".swarm"), remark -> {});
    assertThat(bus.readInbox("developer")).extracting(SwarmMessage::id).containsExactly(id);
    assertThat(bus.readOutbox("orchestrator")).extracting(SwarmMessage::id).containsExactly(id);
    assertThat(bus.getSessions())
        .singleElement()
        .satisfies(session -> {
          assertThat(session.messages()).isEqualTo(result.fields().get("sent").number(0) - 1);
        });
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Sends until a message is not kept, and says which, and what was told. */
  static final class Sender {
    private Sender() {}

    public static void main(String[] args) {
      List<String> told = new ArrayList<>();
      SwarmMessageBus bus =
          new SwarmMessageBus(Path.of(args[0]), remark -> told.add(remark.reason()));
      bus.initializeAgentQueues();
      String session = bus.startSession("Build it", "development");
      List<SwarmMessage> sent = sendUntilFull(bus, told, session, 100 << 10);
      System.out.println(
          Json.object()
              .put("id", sent.getLast().id())
              .put("sent", sent.size())
              .put("told", String.join("; ", told))
              .build());
    }
  }
}

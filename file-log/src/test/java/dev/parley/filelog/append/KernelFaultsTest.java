package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The faults of {@link ScriptedDisk}, made by the kernel: injected by strace, and by a limit. */
class KernelFaultsTest {
  private static final Topic TOPIC = new Topic("a");
  private static final int APPENDS = 120;

  @TempDir private Path folder;

  /** Appends and prints the outcome of each append; continues after errors. */
  static final class Appends {
    private Appends() {}

    public static void main(String[] args) {
      Durability durability = Durability.named(args[1]);
      try (FileLog log =
          new FileLog(Path.of(args[0]), Limits.DEFAULT, PollingInterval.DEFAULT, durability)) {
        for (int i = 0; i < APPENDS; i++) {
          Message message =
              Message.builder("ours", "n").key("k" + i).payload(Json.of("x".repeat(400))).build();
          try {
            var stored = log.append(TOPIC, List.of(message)).getFirst();
            System.out.println("ack k" + i + " " + stored.position().value());
          } catch (ParleyException e) {
            System.out.println(e.kind() + " k" + i + " " + e.code());
          }
        }
      }
    }
  }

  private record Answers(Map<String, Long> acks, List<String> failed, List<String> unknown) {}

  /** How a process appends: by native calls, or through the JDK. */
  private static final String CALLS = "--enable-native-access=ALL-UNNAMED";

  private static final String CHANNEL = "-Dparley.way=channel";

  private Answers run(Path bus, Durability durability, List<String> wrapper, String way)
      throws Exception {
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            way,
            "-cp",
            System.getProperty("java.class.path"),
            Appends.class.getName(),
            bus.toString(),
            durability.name()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    Answers answers = new Answers(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
    for (String line : output.lines().toList()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "ack" -> answers.acks.put(words[1], Long.valueOf(words[2]));
        case "FAILED" -> answers.failed.add(words[1]);
        default -> answers.unknown.add(words[1]);
      }
    }
    assertThat(answers.acks.size() + answers.failed.size() + answers.unknown.size())
        .isEqualTo(APPENDS);
    return answers;
  }

  private static void check(Path bus, Answers answers, String what) {
    Map<String, Long> there = new HashMap<>();
    try (FileLog log = new FileLog(bus, Limits.DEFAULT, PollingInterval.DEFAULT)) {
      for (Envelope envelope : WholeTopic.of(log, TOPIC)) {
        assertThat(there.put(String.valueOf(envelope.key()), envelope.position().value()))
            .as(what)
            .isNull();
      }
    }
    assertThat(there).as(what).containsAllEntriesOf(answers.acks);
    assertThat(there).as(what).doesNotContainKeys(answers.failed.toArray(String[]::new));
  }

  private Path newBus() throws IOException {
    Path bus = Files.createTempDirectory(folder, "bus");
    Files.createFile(bus.resolve("a.jsonl"));
    return bus;
  }

  private static List<String> inject(Path bus, String fault) {
    return List.of(
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-P",
        bus.resolve("a.jsonl").toString(),
        "-e",
        "trace=write,fdatasync",
        "-e",
        "inject=" + fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {CALLS, CHANNEL})
  void errorsOfTheKernelAreAnsweredTruly(String way) throws Exception {
    List<String> faults = new ArrayList<>(List.of("write:error=ENOSPC:when=7..11"));
    if (Seed.isLong()) {
      for (int n = 1; n <= 12; n++) {
        faults.add("write:error=ENOSPC:when=" + n);
        faults.add("write:error=EIO:when=" + n);
        faults.add("write:error=EIO:when=" + n + "+3");
      }
      faults.add("write:error=ENOSPC:when=20+");
    }
    for (String fault : faults) {
      Path bus = newBus();
      Answers answers = run(bus, Durability.OS, inject(bus, fault), way);
      assertThat(answers.failed).as(fault).isNotEmpty();
      check(bus, answers, fault);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {CALLS, CHANNEL})
  void afterASyncThatTheKernelRefusesNothingIsAcknowledged(String way) throws Exception {
    Path bus = newBus();
    Answers answers = run(bus, Durability.DISK, inject(bus, "fdatasync:error=EIO:when=10"), way);

    // Syncs run on several threads, and strace counts per thread, so the failing sync differs.
    int synced = answers.acks.size();
    assertThat(synced).isBetween(9, APPENDS - 2);
    assertThat(answers.unknown).containsExactly("k" + synced);
    assertThat(answers.failed)
        .hasSize(APPENDS - synced - 1)
        .allSatisfy(key -> assertThat(Integer.parseInt(key.substring(1))).isGreaterThan(synced));
    check(bus, answers, "sync");
  }

  @ParameterizedTest
  @ValueSource(strings = {CALLS, CHANNEL})
  void aFileSizeLimitCutsAWriteAndIsAnsweredTruly(String way) throws Exception {
    for (int kilobytes = 8; kilobytes <= (Seed.isLong() ? 40 : 9); kilobytes++) {
      Path bus = newBus();
      Answers answers =
          run(
              bus,
              Durability.OS,
              List.of("bash", "-c", "ulimit -f " + kilobytes + "; exec \"$@\"", "bash"),
              way);
      assertThat(answers.acks).isNotEmpty();
      assertThat(answers.failed.size() + answers.unknown.size()).isPositive();
      check(bus, answers, "ulimit -f " + kilobytes);
    }
  }
}

package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Bookmark;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.disk.ScriptedDisk.Step;
import dev.parley.filelog.testing.BusJson;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guarantees of durability {@code disk}. */
class DurabilityTest {
  private static final Topic TOPIC = new Topic("a");

  @TempDir private Path folder;
  private final List<Step> steps = new CopyOnWriteArrayList<>();

  private FileLog open(ScriptedDisk.Script script) {
    return new FileLog(
        folder, Limits.DEFAULT, PollingInterval.DEFAULT, Durability.DISK, new ScriptedDisk(script));
  }

  private static Message message(int number) {
    return Message.of("alice", "n", Json.of(number));
  }

  @Test
  void anAppendIsSyncedBeforeItIsAcknowledgedAndAFileThatIsNewWithItsFolder() {
    ScriptedDisk.Script listening =
        new ScriptedDisk.Script() {
          @Override
          public void before(Step step) {
            steps.add(step);
          }
        };
    try (FileLog log = open(listening)) {
      log.append(TOPIC, List.of(message(1)));
      assertThat(steps).endsWith(Step.LOOK, Step.SYNC, Step.SYNC_FOLDER);
      steps.clear();

      log.append(TOPIC, List.of(message(2), message(3)));
      assertThat(steps).contains(Step.WRITE).endsWith(Step.SYNC).doesNotContain(Step.SYNC_FOLDER);
    }
  }

  @Test
  void withDurabilityOsNothingIsSynced() {
    try (FileLog log =
        new FileLog(
            folder,
            Limits.DEFAULT,
            PollingInterval.DEFAULT,
            Durability.OS,
            new ScriptedDisk(
                new ScriptedDisk.Script() {
                  @Override
                  public void before(Step step) {
                    steps.add(step);
                  }
                }))) {
      log.append(TOPIC, List.of(message(1)));
    }
    assertThat(steps).contains(Step.WRITE).doesNotContain(Step.SYNC, Step.SYNC_FOLDER);
  }

  @Test
  void afterAFailedSyncNothingIsAcknowledgedUntilTheLogIsOpenedAgain() {
    for (Step failing : List.of(Step.SYNC, Step.SYNC_FOLDER)) {
      Topic topic = new Topic("after-" + failing.toString().replace('_', '-'));
      List<Step> failed = new ArrayList<>();
      ScriptedDisk.Script failsOnce =
          new ScriptedDisk.Script() {
            @Override
            public void before(Step step) throws IOException {
              steps.add(step);
              if (step == failing && failed.isEmpty()) {
                failed.add(step);
                throw new IOException("Input/output error");
              }
            }
          };
      try (FileLog log = open(failsOnce)) {
        assertThatThrownBy(() -> log.append(topic, List.of(message(1))))
            .isInstanceOfSatisfying(
                ParleyException.class,
                e -> {
                  assertThat(e.kind()).isEqualTo(ParleyException.Kind.UNKNOWN);
                  assertThat(e.code()).isEqualTo("sync-failed");
                });
        steps.clear();
        assertThatThrownBy(() -> log.append(topic, List.of(message(2))))
            .isInstanceOfSatisfying(
                ParleyException.class,
                e -> assertThat(e.kind()).isEqualTo(ParleyException.Kind.FAILED));
        assertThat(steps).as("it does not even write").doesNotContain(Step.WRITE);
      }
      try (FileLog again = open(new ScriptedDisk.Script() {})) {
        again.append(topic, List.of(message(3)));
        assertThat(again.read(topic, Bookmark.START, 10).envelopes())
            .extracting(e -> e.payload().number(-1))
            .endsWith(3L)
            .doesNotContain(2L);
      }
    }
  }

  @Test
  void threadsThatWaitForTheDiskShareASync() throws Exception {
    ScriptedDisk.Script counting =
        new ScriptedDisk.Script() {
          @Override
          public void before(Step step) {
            if (step == Step.SYNC) {
              steps.add(step);
            }
          }
        };
    int each = 100;
    try (FileLog log = open(counting);
        var threads = Executors.newFixedThreadPool(16)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 16; t++) {
        running.add(
            threads.submit(() -> {
              for (int i = 0; i < each; i++) {
                log.append(TOPIC, List.of(message(i)));
              }
            }));
      }
      for (Future<?> one : running) {
        one.get();
      }
      assertThat(log.read(TOPIC, Bookmark.START, 10_000).envelopes()).hasSizeGreaterThan(1000);
    }
    Seed.say("syncs for " + 16 * each + " appends of 16 threads: " + steps.size());
    assertThat(steps).hasSizeLessThan(16 * each / 2);
  }

  /** Appends a few lines and prints an acknowledgement of each. */
  static final class Appends {
    private Appends() {}

    public static void main(String[] args) {
      try (FileLog log =
          new FileLog(Path.of(args[0]), Limits.DEFAULT, PollingInterval.DEFAULT, Durability.DISK)) {
        for (int i = 0; i < 5; i++) {
          log.append(TOPIC, List.of(message(i)));
          System.out.println("acknowledged " + i);
        }
      }
    }
  }

  @Test
  void theKernelSeesEachSyncBetweenTheWriteAndItsAcknowledgement() throws Exception {
    Path trace = folder.resolve("trace");
    Process process =
        new ProcessBuilder(
                "strace",
                "-f",
                "-qq",
                "-e",
                "trace=write,fdatasync,fsync",
                "-o",
                trace.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Appends.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();

    List<String> events = new ArrayList<>();
    for (String line : Files.readAllLines(trace)) {
      if (line.contains("{\\\"id\\\":")) {
        events.add("write");
      } else if (line.contains("fdatasync(") || line.contains("fsync(")) {
        events.add("sync");
      } else if (line.contains("\"acknowledged")) {
        events.add("acknowledged");
      }
    }
    String story = String.join(" ", events).replaceAll("(sync ?)+", "sync ").strip();
    assertThat(story).isEqualTo("write sync acknowledged ".repeat(5).strip());
  }

  @Test
  void theSettingComesFromTheEnvironmentOrBusJson() throws Exception {
    BusFolder.init(folder, folder, Map.of());
    assertThat(BusFolder.find(folder, folder, Map.of()).durability()).isEqualTo(Durability.OS);
    assertThat(BusFolder.find(folder, folder, Map.of("PARLEY_DURABILITY", "disk")).durability())
        .isEqualTo(Durability.DISK);
    BusJson.set(folder, "\"durability\":\"disk\"");
    assertThat(BusFolder.find(folder, folder, Map.of()).durability()).isEqualTo(Durability.DISK);
    assertThatThrownBy(() -> BusFolder.find(folder, folder, Map.of("PARLEY_DURABILITY", "tape")))
        .hasMessageContaining("tape");
  }
}

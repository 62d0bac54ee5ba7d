package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Agent;
import dev.parley.coordination.fold.Fold;
import dev.parley.core.json.Json;
import dev.parley.dialects.message.Codec;
import dev.parley.filelog.FileLog;
import dev.parley.orchestration.ask.Run;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A consensus whose process is killed (SIGKILL) at random moments, then resumed. */
class KilledConsensusTest {
  private static final int KILLS = Boolean.getBoolean("parley.long") ? 50 : 3;

  @TempDir private Path folder;

  @Test
  void noAskThatWasAnsweredIsRepeatedAndTheResultIsThatOfAnUnbrokenRun() throws Exception {
    long seed = Long.getLong("parley.seed", System.nanoTime());
    System.out.println("KilledConsensusTest: -Dparley.seed=" + seed);
    Random random = new Random(seed);
    Path agent = folder.resolve("agent.sh");

    Files.writeString(
        agent,
        """
        #!/bin/bash
        cat >/dev/null
        sleep 0.1
        echo "$PARLEY_STAGE of $PARLEY_AGENT"; echo 'POSITION: yes'
        """);
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(folder.resolve("config/parley"));
    StringBuilder toml = new StringBuilder();
    for (String name : List.of("ann", "ben", "cat")) {
      toml.append("[agents.").append(name).append("]\ncommand = [\"").append(agent).append("\"]\n");
    }
    Files.writeString(folder.resolve("config/parley/parley.toml"), toml);
    Trial trial = trial();
    assertThat(trial.run("init").exitCode()).isZero();
    String[] words = {
      "consensus",
      "--mode",
      "general-prompt",
      "--prompt",
      "Is it so?",
      "--debate",
      "--debate-rounds",
      "2"
    };
    String whole = trial.run(words).out();

    int interrupted = 0;
    for (int i = 0; i < KILLS; i++) {
      int runs = trial.run("runs", "--json").lines().size();
      Process process = start(words);
      while (process.isAlive() && trial.run("runs", "--json").lines().size() == runs) {
        process.waitFor(20, TimeUnit.MILLISECONDS);
      }
      process.waitFor(random.nextInt(500), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      Json before = Json.parse(trial.run("runs", "show", "last", "--json").out());
      long answered = answered(before);

      Trial.Answer resumed = trial.run("runs", "resume", "last", "--json");

      if (resumed.out().contains("run-complete")) {
        continue; // it had ended before it was killed
      }
      interrupted++;
      assertThat(resumed.exitCode()).as(resumed.out()).isZero();
      assertThat(resumed.lines().stream().filter(line -> line.contains("\"known\":true")).count())
          .isEqualTo(answered);
      Json after = Json.parse(trial.run("runs", "show", "last", "--json").out());
      assertThat(answered(after)).isEqualTo(10);
      Json last = Json.parse(resumed.lines().getLast());
      assertThat(String.valueOf(last.fields().get("synthesis"))).contains("synthesis of ann");
      assertThat(whole).contains("synthesis of ann");
      assertThat(debateLines(last)).isEqualTo(9);
    }
    assertThat(interrupted).as("runs that were killed before their end").isPositive();
  }

  /** Seed 0.6, on SIGINT. */
  @Test
  void aRunThatIsInterruptedRemovesConclavesFolderAndCanBeResumed() throws Exception {
    Path bus = folder.resolve("conclave/bus");
    Path agent = folder.resolve("agent.sh");
    Files.writeString(agent, "#!/bin/bash\n[ -e go ] || { touch begun; sleep 60; }; echo yes\n");
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(folder.resolve("config/parley"));
    Files.writeString(
        folder.resolve("config/parley/parley.toml"),
        "[agents.ann]\ncommand = [\"" + agent + "\"]\n");
    String[] words = {
      "consensus", "--mode", "general-prompt", "--prompt", "Is it so?", "--bus", "conclave:" + bus
    };

    Process process = start(words);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(folder.resolve("begun")));
    assertThat(bus.resolve(".pid")).hasContent(Long.toString(process.pid()));
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(bus).doesNotExist();
    Files.createFile(folder.resolve("go"));
    Trial.Answer resumed = trial().with("BUS_DIR", bus.toString()).run("runs", "resume", "last");
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(bus).doesNotExist();
  }

  private long debateLines(Json result) throws Exception {
    Json session = result.fields().get("session");
    String id = session == null ? "" : String.valueOf(session.text());
    Path topic = folder.resolve(".parley/consensus." + id + ".debate.jsonl");
    try (var lines = Files.lines(topic)) {
      return lines.filter(line -> !line.isEmpty()).count();
    }
  }

  private static long answered(Json run) {
    Json asks = run.fields().get("askList");
    return asks == null
        ? 0
        : asks.items().stream()
            .filter(ask -> Json.of("answered").equals(ask.fields().get("status")))
            .count();
  }

  private Map<String, String> environment() {
    return Map.of(
        "PATH", "/usr/bin:/bin",
        "HOME", folder.toString(),
        "XDG_CONFIG_HOME", folder.resolve("config").toString(),
        "PARLEY_STATE", folder.resolve("state").toString());
  }

  private Trial trial() {
    Trial trial = new Trial(folder);
    environment().forEach(trial::with);
    return trial;
  }

  /** The classes of this program; the class path of a test's JVM need not name them. */
  private static String classPath() throws ClassNotFoundException {
    List<Class<?>> one =
        List.of(
            Parley.class,
            Run.class,
            Codec.class,
            Agent.class,
            Fold.class,
            FileLog.class,
            Json.class,
            Class.forName("org.tomlj.Toml"),
            Class.forName("org.antlr.v4.runtime.Lexer"));
    return one.stream()
        .map(each -> each.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Process start(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                "dev.parley.cli.Parley"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("out.txt").toFile());
    return builder.start();
  }
}

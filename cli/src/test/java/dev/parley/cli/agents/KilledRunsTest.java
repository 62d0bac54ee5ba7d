package dev.parley.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Agent;
import dev.parley.cli.Main;
import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
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

/** Runs whose process is killed (SIGKILL) at random moments, then resumed. */
class KilledRunsTest {
  private static final int KILLS = Boolean.getBoolean("parley.long") ? 50 : 3;

  private static final String AGENT =
      """
      #!/bin/bash
      cat >/dev/null
      sleep 0.1
      case $PARLEY_STAGE in
        assess) echo '{"verdict":"APPROVE","score":8,"concerns":[],"recommendations":[]}' ;;
        discuss) echo '{"to":"ALL","type":"AGREE","message":"fine","changes_my_verdict":false}' ;;
        vote) echo '{"final_verdict":"APPROVE","confidence":1,"conditions":["tests"],"reason":"ok"}' ;;
        *) echo "$PARLEY_STAGE of $PARLEY_AGENT"; echo 'POSITION: yes' ;;
      esac
      """;

  @TempDir private Path folder;

  private void makeAgents(String script) throws Exception {
    Path agent = folder.resolve("agent.sh");
    Files.writeString(agent, script);
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(folder.resolve("config/parley"));
    StringBuilder toml = new StringBuilder();
    for (String name : List.of("ann", "ben", "cat")) {
      toml.append("[agents.").append(name).append("]\ncommand = [\"").append(agent).append("\"]\n");
    }
    Files.writeString(folder.resolve("config/parley/parley.toml"), toml);
  }

  private interface Check {
    void of(Json unbroken, Json resumed) throws Exception;
  }

  /** Kills a command again and again, and resumes each of its runs. */
  private void kill(int asks, Check check, String... words) throws Exception {
    long seed = Long.getLong("parley.seed", System.nanoTime());
    System.out.println("KilledRunsTest: -Dparley.seed=" + seed);
    Random random = new Random(seed);
    makeAgents(AGENT);
    Trial trial = trial();
    assertThat(trial.run("init").exitCode()).isZero();
    long start = System.nanoTime();
    Trial.Answer whole = trial.run(words);
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertThat(whole.exitCode()).as(whole.err()).isZero();
    Json unbroken = Json.parse(whole.lines().getLast());
    int interrupted = 0;
    for (int i = 0; i < KILLS; i++) {
      int runs = trial.run("runs", "--json").lines().size();
      Process process = start(words);
      while (process.isAlive() && trial.run("runs", "--json").lines().size() == runs) {
        process.waitFor(20, TimeUnit.MILLISECONDS);
      }
      process.waitFor(random.nextLong(millis), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      long answered = answered(Json.parse(trial.run("runs", "show", "last", "--json").out()));

      Trial.Answer resumed = trial.run("runs", "resume", "last", "--json");

      if (resumed.out().contains("run-complete")) {
        continue; // it had ended before it was killed
      }
      interrupted++;
      assertThat(resumed.exitCode()).as(resumed.out()).isZero();
      assertThat(
              resumed.lines().stream().filter(line -> line.contains("\"event\":\"asked\"")).count())
          .isEqualTo(asks - answered);
      assertThat(answered(Json.parse(trial.run("runs", "show", "last", "--json").out())))
          .isEqualTo(asks);
      check.of(unbroken, Json.parse(resumed.lines().getLast()));
    }
    System.out.println("KilledRunsTest: " + interrupted + " of " + KILLS + " were interrupted");
    assertThat(interrupted).as("runs that were killed before their end").isPositive();
  }

  private static void same(Json unbroken, Json resumed, String... fields) {
    for (String field : fields) {
      assertThat(withoutTimes(resumed.fields().get(field)))
          .as(field)
          .isEqualTo(withoutTimes(unbroken.fields().get(field)));
    }
  }

  private static String withoutTimes(Object value) {
    return String.valueOf(value).replaceAll("\"extraMillis\":\\d+", "");
  }

  @Test
  void aConsensusRepeatsNoAnsweredAskAndComesToWhatAnUnbrokenOneDoes() throws Exception {
    kill(
        10,
        (unbroken, resumed) -> {
          same(unbroken, resumed, "analyses", "rebuttals", "synthesis", "degraded", "effect");
          assertThat(debateLines(resumed)).isEqualTo(9);
        },
        "consensus",
        "--mode",
        "general-prompt",
        "--prompt",
        "Is it so?",
        "--debate",
        "--debate-rounds",
        "2",
        "--json");
  }

  @Test
  void aMeetingCountsNoVoteTwiceAndComesToWhatAnUnbrokenOneDoes() throws Exception {
    Files.writeString(folder.resolve("plan.md"), "We rename a button.\n");
    kill(
        9,
        (unbroken, resumed) ->
            same(unbroken, resumed, "verdict", "votes", "dissent", "consensus", "missing"),
        "board",
        "meeting",
        "EVALUATE_PLAN",
        "--as",
        "chair",
        "--proposal",
        "plan.md",
        "--electorate",
        "one,two,three",
        "--directors",
        "one=ann,two=ben,three=cat",
        "--rounds",
        "1",
        "--json");
  }

  /** Seed 0.6, on SIGINT. */
  @Test
  void aRunThatIsInterruptedRemovesConclavesFolderAndCanBeResumed() throws Exception {
    Path bus = folder.resolve("conclave/bus");
    makeAgents("#!/bin/bash\n[ -e go ] || { touch begun; sleep 60; }; echo yes\n");
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
            Main.class,
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
    List<String> command = new ArrayList<>(Launched.INTERRUPTIBLE);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath(),
            "dev.parley.cli.Main"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("out.txt").toFile());
    return builder.start();
  }
}

package dev.parley.orchestration.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.json.Json;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
import dev.parley.orchestration.ask.ParallelTasks;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What orchestration costs beside the agents' own time. It prints figures: a machine is not a bar.
 */
@EnabledIfSystemProperty(named = "parley.long", matches = "true")
class OverheadTest {
  private static final int AGENTS = 5;
  private static final int ROUNDS = 2;
  private static final int TIMES = 9;

  @TempDir private Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder);
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private List<String> agents(int count, String script) throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      workshop.agent("agent-" + i, script);
      names.add("agent-" + i);
    }
    return names;
  }

  /** Starts the same programs in the same stages, and does nothing else. */
  private long programsAlone(Path script) throws Exception {
    long start = System.nanoTime();
    for (int stage = 0; stage <= ROUNDS + 1; stage++) {
      List<Callable<Integer>> programs = new ArrayList<>();
      for (int i = 0; i < (stage <= ROUNDS ? AGENTS : 1); i++) {
        programs.add(() -> {
          Process process = new ProcessBuilder(script.toString()).start();
          process.getOutputStream().close();
          var _ = process.getInputStream().readAllBytes();
          return process.waitFor();
        });
      }
      var _ = ParallelTasks.all(programs);
    }
    return System.nanoTime() - start;
  }

  private long consensus(List<String> names) throws Exception {
    ConsensusPlan plan =
        new ConsensusPlan(
            Mode.GENERAL_PROMPT,
            names,
            "## Question\n\nIs it so?",
            "Is it so?",
            ROUNDS,
            false,
            7,
            folder,
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1));
    long start = System.nanoTime();
    try (Run run =
        Run.begin(workshop.context(), Consensus.KIND, Json.EMPTY_OBJECT, RunLimits.DEFAULT)) {
      ConsensusResult result = Consensus.hold(run, plan);
      assertThat(result.rebuttals()).hasSize(AGENTS * ROUNDS);
      run.end("complete", result.summary());
    }
    return System.nanoTime() - start;
  }

  private static long median(long[] nanos) {
    Arrays.sort(nanos);
    return nanos[nanos.length / 2] / 1_000_000;
  }

  @Test
  void aConsensusOfFiveAgentsWithTwoRounds() throws Exception {
    String script = "echo 'THESIS: mine.'; echo 'POSITION: yes'";
    List<String> names = agents(AGENTS, script);
    Path alone = workshop.script("alone", script);
    var _ = programsAlone(alone);
    var _ = consensus(names);
    long[] own = new long[TIMES];
    long[] whole = new long[TIMES];
    for (int i = 0; i < TIMES; i++) {
      own[i] = programsAlone(alone);
      whole[i] = consensus(names);
    }
    long programs = median(own);
    long all = median(whole);
    System.out.printf(
        "OverheadTest: %d agents, %d rounds: programs alone %d ms, consensus %d ms, overhead %d ms"
            + " (bar 300, medians of %d)%n",
        AGENTS, ROUNDS, programs, all, all - programs, TIMES);
    assertThat(all).isPositive();
  }

  @Test
  void fiftyAgentsAreAskedAtOnce() throws Exception {
    List<String> names = agents(50, "sleep 2; echo done");
    long start = System.nanoTime();
    try (Run run = Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, RunLimits.DEFAULT)) {
      List<Callable<Answer>> asks = new ArrayList<>();
      names.forEach(name -> asks.add(() -> run.ask(Ask.of(name, "analysis", "?", folder))));
      assertThat(ParallelTasks.all(asks)).allMatch(Answer::ok).hasSize(50);
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf("OverheadTest: 50 agents that take 2 s each, asked at once: %d ms%n", millis);
    assertThat(millis).isLessThan(50 * 2_000 / 2);
  }

  /** Twenty answers of 10 MB at once need little more room than the answers themselves. */
  @Test
  void longAnswersOfManyAgentsAtOnceAreTakenInOneAtATime() throws Exception {
    List<String> names =
        agents(20, "echo 'POSITION: yes'; head -c 10485760 /dev/zero | tr '\\0' x");
    ConsensusPlan plan =
        new ConsensusPlan(
            Mode.GENERAL_PROMPT,
            names,
            "?",
            "?",
            0,
            false,
            7,
            folder,
            Duration.ofMinutes(2),
            Duration.ofMinutes(2),
            Duration.ofMinutes(2));
    try (Run run =
        Run.begin(workshop.context(), Consensus.KIND, Json.EMPTY_OBJECT, RunLimits.DEFAULT)) {
      ConsensusResult result = Consensus.hold(run, plan);
      assertThat(result.answered()).isEqualTo(20);
      assertThat(ConsensusReport.markdown(result).length()).isLessThan(5 << 20);
    }
  }

  @Test
  void memoryStaysFlatWithLongAnswers() throws Exception {
    workshop.agent("bob", "head -c 10485760 /dev/zero | tr '\\0' x");
    List<Long> used = new ArrayList<>();
    try (Run run =
        Run.begin(
            workshop.context().with(event -> {}), "ask", Json.EMPTY_OBJECT, RunLimits.DEFAULT)) {
      for (int i = 1; i <= 30; i++) {
        Answer answer = run.ask(Ask.of("bob", "analysis", "part " + i, folder));
        assertThat(answer.text()).hasSize(10 << 20);
        if (i % 10 == 0) {
          System.gc();
          Runtime runtime = Runtime.getRuntime();
          used.add((runtime.totalMemory() - runtime.freeMemory()) >> 20);
        }
      }
    }
    System.out.println("OverheadTest: heap after 10, 20, 30 answers of 10 MB, in MB: " + used);
    assertThat(used.getLast() - used.getFirst()).isLessThan(20);
  }
}

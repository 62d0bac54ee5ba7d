package dev.parley.orchestration.wave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.git.Exclusions;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.loop.LoopSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What waves cost beside the work itself. Figures are printed; run it alone. */
@EnabledIfSystemProperty(named = "parley.long", matches = "true")
class WaveCostTest {
  private static final String AGENT = "cat > /dev/null; echo $PARLEY_SLOT > part$PARLEY_SLOT\n";
  private static final int TASKS = 8;
  private static final int CONCURRENT = 3;
  private static final long MOST_MILLIS = 2_000;

  @TempDir private Path folder;

  private static WaveSettings settings() {
    return new WaveSettings(
        "worker",
        "worker",
        CONCURRENT,
        2,
        2,
        3,
        20,
        LoopSettings.Times.DEFAULT,
        Duration.ofMinutes(1),
        false,
        false,
        false,
        List.of(),
        "",
        "");
  }

  private TestRepository repository(String name) throws Exception {
    TestRepository repository = TestRepository.create(folder.resolve(name));
    repository.commit("test.sh", "ls part* > /dev/null\n");
    repository.git().run("switch", "--quiet", "-c", "work");
    return repository;
  }

  private static String plan(int tasks, int each) {
    StringBuilder plan = new StringBuilder();
    for (int task = 1; task <= tasks; task++) {
      plan.append("## Task ").append(task).append(": part ").append(task).append('\n');
      plan.append("Files:\n- Create: `part").append(task).append("`\n");
      if (task > each) {
        plan.append("Dependencies: Task ").append(task - each).append('\n');
      }
    }
    return plan.toString();
  }

  @Test
  void aWaveOfEightTasksBesideAShellScript() throws Exception {
    long ours = Long.MAX_VALUE;
    long script = Long.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      ours = Math.min(ours, waves("ours-" + round));
      script = Math.min(script, script("script-" + round));
    }
    Seed.say(
        String.format(
            Locale.ROOT,
            "a wave of %d tasks, %d at a time, best of 3: %d ms a task; a shell script with the"
                + " same git commands, one after the other: %d ms a task",
            TASKS,
            CONCURRENT,
            ours / TASKS,
            script / TASKS));
    assertThat(ours / TASKS).isLessThanOrEqualTo(MOST_MILLIS);
  }

  private long waves(String name) throws Exception {
    Git git = repository(name).git();
    try (Workshop workshop = new Workshop(folder.resolve(name + "-workshop"))) {
      workshop.agent("worker", AGENT);
      long start = System.nanoTime();
      WaveReport report =
          WaveRunner.begin(
              workshop.context(),
              git,
              plan(TASKS, TASKS),
              settings(),
              RunLimits.DEFAULT,
              run -> {});
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertThat(report.ok()).isTrue();
      return millis;
    }
  }

  /** Worktree, agent, tests, commit, squash merge, tests again, and the worktree goes. */
  private long script(String name) throws Exception {
    Path agent = folder.resolve(name + ".agent");
    Files.writeString(agent, AGENT);
    String script =
        """
        set -e
        git worktree add -q --detach .worktrees/merge work
        for n in $(seq %d); do
          git worktree add -q -b task-$n .worktrees/task-$n work
          ( cd .worktrees/task-$n; PARLEY_SLOT=$n bash %s < /dev/null; git add --all; git write-tree > /dev/null
            git diff --name-only work; sh test.sh; git commit -q -m "task $n" ) > /dev/null
          ( cd .worktrees/merge; git merge --squash -q task-$n; sh test.sh; git commit -q -m "Task $n"
            git update-ref refs/heads/merged HEAD ) > /dev/null
          git status --porcelain > /dev/null; git worktree remove .worktrees/task-$n
        done
        git worktree remove .worktrees/merge; git merge -q --ff-only merged
        """
            .formatted(TASKS, agent);
    TestRepository repository = repository(name);
    Exclusions.ensure(repository.git());
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder("bash", "-c", script)
            .directory(repository.folder().toFile())
            .redirectErrorStream(true)
            .start();
    String out = String.join("\n", process.inputReader().readAllLines());
    assertThat(process.waitFor()).as(out).isZero();
    return (System.nanoTime() - start) / 1_000_000;
  }

  @Test
  void aHundredTasksInTenWavesAndMemoryIsFlat() throws Exception {
    Git git = repository("hundred").git();
    List<Long> heap = new ArrayList<>();
    try (Workshop workshop = new Workshop(folder.resolve("workshop"))) {
      workshop.agent("worker", AGENT);
      workshop.onEvent(event -> {
        if (event.toString().contains("=== Wave ")) {
          heap.add(usedHeap());
        }
      });
      long start = System.nanoTime();
      WaveReport report =
          WaveRunner.begin(
              workshop.context(),
              git,
              plan(100, 10),
              settings(),
              RunLimits.DEFAULT.withAsks(1_000),
              run -> {});
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertThat(report.ok()).isTrue();
      assertThat(report.record().waves()).hasSize(10);
      assertThat(
              git.run("ls-tree", "--name-only", "work").lines().filter(n -> n.startsWith("part")))
          .hasSize(100);
      Seed.say(
          "100 tasks in 10 waves: "
              + millis / 100
              + " ms a task; heap at each wave in MB: "
              + heap.stream().map(bytes -> String.valueOf(bytes >> 20)).toList());
      assertThat(heap.getLast()).isLessThan(heap.get(1) + (16 << 20));
    }
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}

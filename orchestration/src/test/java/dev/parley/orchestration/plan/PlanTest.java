package dev.parley.orchestration.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The grammar of seed 000, and acceptance check 11. */
class PlanTest {
  @Test
  void aPlanIsReadAsTheOriginalReadsIt() {
    List<PlannedTask> tasks =
        PlanFile.read(
            """
            # A plan
            Dependencies: Task 7 (belongs to no task)

            ## Task 1: Parse numbers!
            Some words.
            **Files:**

            - Create: `src/a.py`
            - Modify: `src/b.py:10-20`
            And so on
            - Test: `not/in/the/list.py`
            **Dependencies:** None
            ```
            ## Task 9: in a fence
            ```
            ### Task 2: Use them
            files:
            - Test: `src/b.py:7`
            dependencies: Task 1
            """);

    assertThat(tasks).hasSize(2);
    PlannedTask one = tasks.getFirst();
    assertThat(one.title()).isEqualTo("Parse numbers!");
    assertThat(one.files()).containsExactly("src/a.py", "src/b.py");
    assertThat(one.after()).isEmpty();
    assertThat(one.path()).isEqualTo("task-1-parse-numbers");
    assertThat(one.body()).contains("in a fence").endsWith("```");
    assertThat(tasks.getLast().after()).containsExactly(1);
    assertThat(tasks.getLast().line()).isEqualTo(16);
  }

  @Test
  void allThatIsWrongIsSaidAtOnceWithItsLine() {
    assertThatThrownBy(() ->
            PlanFile.read(
                """
                ## Task 1: one
                Files:
                - Create: `../outside`
                Dependencies: Task 9
                ## Task 2: two
                Dependencies: Task 3
                ## Task 3: three
                Dependencies: Task 2
                """))
        .hasMessageContaining("line 3: \"../outside\" is not a path in the repository")
        .hasMessageContaining("line 4: task 1 depends on task 9, which is not there")
        .hasMessageContaining(
            "line 6: these wait for each other, by dependencies or files: task 2, task 3");
    assertThatThrownBy(() ->
            PlanFile.read(
                """
                ## Task 1: a
                ## Task 1: b
                """))
        .hasMessageContaining("line 2: task 1 is there already, on line 1");
    assertThatThrownBy(() ->
            PlanFile.read(
                """
                ## Task 1: a
                Dependencies: Task 2
                ## Task 2: b
                Dependencies: Task 1, Task 9
                ## Task 2: c
                """))
        .hasMessageContaining("line 2: these wait for each other")
        .hasMessageContaining("line 4: task 2 depends on task 9, which is not there")
        .hasMessageContaining("line 5: task 2 is there already, on line 3");
    assertThatThrownBy(() -> PlanFile.read("nothing")).hasMessageContaining("no task");
  }

  @Test
  void aFileInCommonMakesTheLaterDependOnTheEarlierAndCanCloseACircle() {
    List<PlannedTask> tasks =
        PlanFile.read(
            """
            ## Task 2: b
            Files:
            - Create: `x`
            ## Task 1: a
            Files:
            - Modify: `x`
            """);
    assertThat(Waves.of(tasks)).extracting(w -> w.getFirst().number()).containsExactly(2, 1);
    assertThatThrownBy(() ->
            PlanFile.read(
                """
                ## Task 1: a
                Files:
                - Create: `x`
                Dependencies: Task 2
                ## Task 2: b
                Files:
                - Modify: `x`
                """))
        .hasMessageContaining("wait for each other");
  }

  /** Two tasks of a wave hold their files at the same time, so they may not have one in common. */
  @Test
  void aFolderOrPatternMeetsTheFilesInIt() {
    List<PlannedTask> tasks =
        PlanFile.read(
            """
            ## Task 1: a
            Files:
            - Modify: `src/`
            ## Task 2: b
            Files:
            - Modify: `src/main/a.py:10-20`
            ## Task 3: c
            Files:
            - Modify: `src/*/a.py`
            ## Task 4: d
            Files:
            - Modify: `source/a.txt`
            """);
    assertThat(Waves.dependencies(tasks))
        .containsEntry(1, Set.of())
        .containsEntry(2, Set.of(1))
        .containsEntry(3, Set.of(1, 2))
        .containsEntry(4, Set.of());
  }

  /** Against layers: whatever depends on nothing that is left is the next wave. */
  @Test
  void wavesOfRandomPlansAreTheSameAsTheirLayers() {
    Random random = Seed.random("waves");
    for (int i = 0; i < (Seed.isLong() ? 20_000 : 500); i++) {
      List<PlannedTask> tasks = plan(random);
      List<Set<Integer>> waves = new ArrayList<>();
      Waves.of(tasks)
          .forEach(
              wave -> waves.add(new TreeSet<>(wave.stream().map(PlannedTask::number).toList())));
      assertThat(waves).isEqualTo(layers(tasks));
    }
  }

  private static List<PlannedTask> plan(Random random) {
    int size = 1 + random.nextInt(12);
    StringBuilder text = new StringBuilder();
    for (int n = 1; n <= size; n++) {
      text.append(random.nextBoolean() ? "## " : "### ").append("Task " + n + ": t\nFiles:\n");
      for (int f = random.nextInt(3); f > 0; f--) {
        String folder = List.of("", "a/", "b/").get(random.nextInt(3));
        text.append(
            "- Modify: `"
                + folder
                + (random.nextInt(6) == 0 && !folder.isEmpty() ? "" : "f" + random.nextInt(12))
                + "`\n");
      }
      text.append("Dependencies: ");
      for (int d = random.nextInt(3); d > 0 && n > 1; d--) {
        text.append("Task " + (1 + random.nextInt(n - 1)) + ", ");
      }
      text.append("\n");
    }
    return PlanFile.read(text.toString());
  }

  /** Whether two paths are the same, or one is a folder that the other is in. */
  private static boolean share(String one, String other) {
    return one.equals(other)
        || (one.endsWith("/") && other.startsWith(one))
        || (other.endsWith("/") && one.startsWith(other));
  }

  private static List<Set<Integer>> layers(List<PlannedTask> tasks) {
    List<PlannedTask> left = new ArrayList<>(tasks);
    List<Set<Integer>> layers = new ArrayList<>();
    while (!left.isEmpty()) {
      Set<Integer> layer = new TreeSet<>();
      for (PlannedTask task : left) {
        boolean waits =
            left.stream()
                .anyMatch(other ->
                    task.after().contains(other.number())
                        || (tasks.indexOf(other) < tasks.indexOf(task)
                            && other.files().stream()
                                .anyMatch(file ->
                                    task.files().stream().anyMatch(own -> share(own, file)))));
        if (!waits) {
          layer.add(task.number());
        }
      }
      left.removeIf(task -> layer.contains(task.number()));
      layers.add(layer);
    }
    return layers;
  }
}

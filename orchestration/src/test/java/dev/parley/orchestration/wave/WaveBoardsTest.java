package dev.parley.orchestration.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.loop.LoopSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds 0.6, 0.9 and 0.12: the board folders of a run in waves. */
class WaveBoardsTest {
  private static final Path CLIENT =
      Path.of("src/test/resources/clients/ralph_board.sh").toAbsolutePath();

  @TempDir private Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder.resolve("workshop"));
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private Run begin() {
    return Run.begin(workshop.context(), WaveRunner.KIND, Json.EMPTY_OBJECT, RunLimits.DEFAULT);
  }

  /** Acceptance checks 12 and 17 of the design. */
  @Test
  void workersOfTheOriginalTakePartInAWaveAndTheNextWaveIsToldOfIt() throws Exception {
    TestRepository repository = TestRepository.create(folder.resolve("repository"));
    repository.commit("test.sh", "test -f part1\n");
    Git git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
    workshop.agent(
        "worker",
        """
        cat > /dev/null
        if [ $PARLEY_SLOT = 2 ]; then
          cp .ralph_context.md second; sh CLIENT read $BOARD_DIR > board2
        elif [ ! -f first ]; then
          cp $BUS_DIR/.pid pid
          sh CLIENT post $BOARD_DIR $BOARD_TOPIC task-9 warning 'port 80 is taken'
          echo '<!-- BUS:discovery -->the tests need TZ<!-- /BUS -->'
          echo one > first
        else
          cp .ralph_context.md context; sh CLIENT read $BOARD_DIR > board1; touch part1
        fi
        """
            .replace("CLIENT", CLIENT.toString()));
    String plan =
        """
        ## Task 1: one
        Do it.
        ## Task 2: two
        Dependencies: Task 1
        """;
    WaveReport report =
        WaveRunner.begin(workshop.context(), git, plan, settings(), RunLimits.DEFAULT, run -> {});

    assertThat(report.ok()).isTrue();
    String run = report.record().run();
    assertThat(git.run("show", "work:pid")).isEqualTo("" + ProcessHandle.current().pid());
    assertThat(git.run("show", "work:context"))
        .contains("port 80 is taken (task-9)")
        .as("what it said itself") // acceptance check 7
        .doesNotContain("the tests need TZ");
    assertThat(git.run("show", "work:board1").lines())
        .containsExactlyInAnyOrder(
            "warning task-9 parallel.wave-0.board: port 80 is taken",
            "discovery task-1 parallel.wave-0.board: the tests need TZ");
    // One message each, not one that quotes the others.
    assertThat(git.run("show", "work:board2").lines())
        .containsExactlyInAnyOrder(
            "context waves-" + run + " parallel.wave-1.board: the tests need TZ",
            "context waves-" + run + " parallel.wave-1.board: port 80 is taken");
    assertThat(git.run("show", "work:second")).contains("port 80 is taken (task-9, from ");
    assertThat(repository.folder().resolve(".conclave/bus")).doesNotExist();
    assertThat(git.run("status", "--porcelain")).isEmpty();
  }

  private static WaveSettings settings() {
    return new WaveSettings(
        "worker",
        "worker",
        2,
        2,
        3,
        3,
        20,
        LoopSettings.Times.DEFAULT,
        Duration.ofSeconds(5),
        false,
        false,
        false,
        List.of(),
        "",
        "");
  }

  @Test
  void aStaleFolderIsReplacedAndWhatWasWrittenLastIsTakenOver() throws Exception {
    Path bus = folder.resolve(".conclave/bus");
    String killed;
    try (Run run = begin()) {
      killed = run.id();
    }
    Process dead = new ProcessBuilder("true").start();
    assertThat(dead.waitFor()).isZero();
    Path wave = Files.createDirectories(bus.resolve("wave-0"));
    Files.writeString(bus.resolve(".pid"), "" + dead.pid());
    Files.writeString(bus.resolve(".run"), killed + "\n");
    Files.writeString(
        wave.resolve("parallel.wave-0.board.jsonl"),
        "{\"id\":\"9-1\",\"seq\":1,\"timestamp\":\"2026-11-19T00:00:00Z\",\"sender\":\"task-9\","
            + "\"topic\":\"parallel.wave-0.board\",\"type\":\"board.warning\","
            + "\"payload\":{\"text\":\"last words\"}}\n");
    try (Run run = begin();
        WaveBoards boards = WaveBoards.open(run, folder)) {
      assertThat(boards.folder()).isEqualTo(bus);
      assertThat(bus.resolve("wave-0")).doesNotExist();
      assertThat(bus.resolve(".pid")).content().startsWith("" + ProcessHandle.current().pid());
      assertThatThrownBy(() -> WaveBoards.open(run, folder))
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.next()).contains("BUS_DIR"));
    }
    assertThat(bus).doesNotExist();
    assertThat(workshop.context().team().bulletins().notices(WaveBoards.bulletin(killed, 0)))
        .singleElement()
        .satisfies(listed -> assertThat(listed.notice().text()).isEqualTo("last words"));
  }

  @Test
  void busDirNamesAnotherFolderUnlessItIsABusOfOurOwn() throws Exception {
    workshop.with("BUS_DIR", "elsewhere");
    try (Run run = begin();
        WaveBoards boards = WaveBoards.open(run, folder)) {
      assertThat(boards.folder()).isEqualTo(folder.resolve("elsewhere"));
    }
    workshop.with("BUS_DIR", workshop.context().bus().toString());
    try (Run run = begin();
        WaveBoards boards = WaveBoards.open(run, folder)) {
      assertThat(boards.folder()).isEqualTo(folder.resolve(".conclave/bus"));
    }
  }

  @Test
  void whatIsNotEphemeralIsNeverReplaced() throws IOException {
    Path precious = folder.resolve(".conclave/bus/precious.jsonl");
    Files.createDirectories(precious.getParent());
    Files.writeString(precious, "x");
    try (Run run = begin()) {
      assertThatThrownBy(() -> WaveBoards.open(run, folder))
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.next()).contains("BUS_DIR"));
    }
    assertThat(precious).hasContent("x");
  }
}

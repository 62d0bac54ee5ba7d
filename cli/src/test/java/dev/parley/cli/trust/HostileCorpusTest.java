package dev.parley.cli.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.CommandRegistry;
import dev.parley.cli.testing.HostileBus;
import dev.parley.cli.testing.HostileScenario;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every command on buses that somebody hostile has written to: nothing outside the bus
 * changes, no command fails with a stack trace or takes long, doctor says what is wrong, and after
 * a person's repair everything works.
 */
class HostileCorpusTest {
  private static final Path CORPUS =
      Path.of(System.getProperty("parley.root"), "cli/src/test/resources/hostile");

  /** A command may take this long on a hostile bus. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** These are not about a bus, or run until they are told to end. */
  private static final Set<String> OTHERS =
      Set.of(
          "demo",
          "install",
          "init",
          "bridge",
          "trust",
          "mcp",
          "serve",
          "setup",
          "guard",
          "hook",
          "ask",
          "auto-review",
          "loop");

  @TempDir private Path folder;

  static Stream<HostileScenario> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(CORPUS)) {
      List<HostileScenario> scenarios = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        scenarios.add(HostileScenario.read(file));
      }
      return scenarios.stream();
    }
  }

  @Test
  void everyCommandIsTried() {
    Set<String> tried = new TreeSet<>(OTHERS);
    HostileBus.COMMANDS.forEach(command -> tried.add(command.split(" ", 2)[0]));

    assertThat(tried).containsAll(new CommandRegistry().names());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void nothingHostileGetsOutOrStaysHiddenOrForGood(HostileScenario scenario) throws IOException {
    HostileBus bus = new HostileBus(folder);
    for (HostileScenario.Step step : scenario.steps()) {
      bus.perform(step);
    }
    Map<String, String> before = bus.outside();

    for (String command : HostileBus.COMMANDS) {
      check(command, timed(command, bus));
      assertThat(bus.outside()).as(command).isEqualTo(before);
    }
    Answer doctor = bus.type("doctor");
    for (String word : scenario.all("doctor")) {
      assertThat(doctor.out()).as(doctor.err()).contains(word);
      assertThat(doctor.exitCode()).isEqualTo(1);
    }
    for (String word : scenario.all("note")) {
      assertThat(doctor.out()).as(doctor.err()).contains(word);
    }
    for (String file : scenario.all("restore")) {
      bus.restore(file);
    }
    for (String repair : scenario.all("repair")) {
      Answer answer = bus.type(repair);
      assertThat(answer.exitCode()).as(repair + ": " + answer).isZero();
    }
    bus.everythingWorks();
    assertThat(bus.outside()).isEqualTo(before);
  }

  static Answer timed(String command, HostileBus bus) {
    long begin = System.nanoTime();
    Answer answer = bus.type(command);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).as(command).isLessThan(PATIENCE);
    return answer;
  }

  /** Whatever it answers, it is an answer. */
  static void check(String command, Answer answer) {
    assertThat(answer.exitCode()).as(command + ": " + answer).isBetween(0, 4);
    assertThat(answer.out() + answer.err())
        .as(command)
        .doesNotContain("\tat ", "Exception", "java.lang", "\033");
  }
}

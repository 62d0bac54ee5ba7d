package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts that start everything. */
class LauncherIT {
  @TempDir private Path temporary;

  private Answer run(Map<String, String> environment, String script) throws Exception {
    try (Launched launched =
        Launched.start(temporary, environment, List.of("/bin/sh", "-c", script))) {
      return launched.answer();
    }
  }

  @Test
  void aChangeOfTheSourcesIsNeverAnsweredByOldCode() throws Exception {
    Map<String, String> checkout = Map.of("root", System.getProperty("parley.root"));
    Answer first =
        run(
            checkout,
            "(cd \"$root\" && tar -cf - --exclude=target --exclude=.git --exclude=bench .)"
                + " | tar -xf - && sed -i '/<module>bench/d' pom.xml && ./parley help");
    assertThat(first.out()).as(first.err()).contains("create a bus for this project");
    assertThat(first.err()).contains("Building Parley (first use");

    Answer again = run(Map.of(), "./parley help");
    assertThat(again.err()).isEmpty();

    Path init = temporary.resolve("cli/src/main/java/dev/parley/cli/command/Init.java");
    replace(init, "create a bus for this project", "make a bus, changed");
    Answer changed = run(Map.of(), "./parley help");
    assertThat(changed.out()).contains("make a bus, changed");
    assertThat(changed.err()).contains("Building Parley (sources changed)");
  }

  /** A bridge may make native calls, which the start-up cache of the others does not go with. */
  @Test
  void theBridgeSaysWhatItHasToSayAndNothingOfTheMachineItRunsOn() throws Exception {
    Map<String, String> parley = Map.of("parley", Launched.parley().toString());
    Answer bridge =
        run(parley, "\"$parley\" init >init.out 2>init.err && \"$parley\" --bus .parley bridge");

    assertThat(bridge.exitCode()).isEqualTo(3);
    assertThat(bridge.err().lines())
        .containsExactly(
            "parley: There are no mounts to keep in sync.",
            "Mount files first: parley mount swarm .swarm");
  }

  private static void replace(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to));
  }

  @Test
  void withoutAJdk25BothScriptsSayInOneSentenceWhatToInstall() throws Exception {
    Path tools = Files.createDirectory(temporary.resolve("bin"));
    for (String tool : List.of("bash", "dirname", "readlink")) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin/" + tool));
    }
    for (String script : List.of("parley", "check")) {
      Answer answer =
          run(
              Map.of(
                  "PATH",
                  tools.toString(),
                  "JAVA_HOME",
                  "",
                  "PARLEY_JAVA_HOME",
                  "",
                  "PARLEY_JDK_DIRS",
                  "",
                  "root",
                  System.getProperty("parley.root")),
              "exec \"$root/" + script + "\"");
      assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
      assertThat(answer.out()).isEmpty();
      assertThat(answer.err().lines()).hasSize(1);
      assertThat(answer.err()).contains("no JDK 25 or newer was found: install one");
    }
  }
}

package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as its users start it: processes, pipes and signals. */
class CommandLineIT {
  @TempDir private Path temporary;
  private Path folder;

  /** So that no test waits for the build, or takes its progress for an error. */
  @BeforeAll
  static void build() throws Exception {
    try (Launched parley = Launched.parley(Path.of("/"), "--version")) {
      Answer answer = parley.answer();
      assertThat(answer.exitCode()).as(answer.err()).isZero();
      assertThat(answer.out()).matches("parley \\S+ \\(JDK \\S+\\)\n");
    }
  }

  @BeforeEach
  void resolveLinks() throws IOException {
    folder = temporary.toRealPath();
  }

  private Answer parley(String... args) throws IOException, InterruptedException {
    try (Launched parley = Launched.parley(folder, args)) {
      return parley.answer();
    }
  }

  private void makeABusWithOneMessage() {
    Trial trial = new Trial(folder);
    trial.run("init");
    assertThat(publish("first").exitCode()).isZero();
  }

  /** In this process, which is another one than those tested. */
  private Answer publish(String type) {
    return new Trial(folder).run("publish", "notes", "--as", "alice", "--type", type);
  }

  @Test
  void whatOneProcessPublishesAnotherShowsAndTheDoctorFindsNothingWrong() throws Exception {
    assertThat(parley("init").exitCode()).isZero();
    Answer stored =
        parley("publish", "notes", "--as", "alice", "--type", "note", "--payload", "{\"a\":1}");

    assertThat(stored.err()).isEmpty();
    assertThat(stored.exitCode()).isZero();
    assertThat(parley("tail", "--json").out())
        .isEqualTo(Files.readString(folder.resolve(".parley/notes.jsonl")))
        .contains("\"payload\":{\"a\":1}");
    assertThat(parley("topics", "--json").json()).containsEntry("topic", Json.of("notes"));
    assertThat(parley("doctor").exitCode()).isZero();
    assertThat(parley("tail", "notes", "--from", "1").exitCode()).isEqualTo(3);
  }

  @Test
  void tailGoesOnWithWhatComesAndEndsCleanlyOnSigint() throws Exception {
    makeABusWithOneMessage();
    try (Launched tail = Launched.parley(folder, "tail", "-f")) {
      tail.awaitOutput("first");
      publish("second");
      tail.awaitOutput("second");

      tail.signal("INT");

      Answer answer = tail.answer();
      assertThat(answer.exitCode()).isZero();
      assertThat(answer.err()).isEmpty();
      assertThat(answer.lines()).hasSize(2);
    }
  }

  @Test
  void tailEndsCleanlyWhenNobodyReadsItsPipeAnyMore() throws Exception {
    makeABusWithOneMessage();
    String script = "\"$parley\" tail -f --json | head -n 1; echo \"codes ${PIPESTATUS[*]}\"";
    try (Launched pipe = Launched.bash(folder, script)) {
      pipe.awaitOutput("first");
      // Only a write tells tail that head has gone.
      Awaitility.await().until(() -> publish("more").exitCode() == 0 && !pipe.isAlive());

      Answer answer = pipe.answer();
      assertThat(answer.err()).isEmpty();
      assertThat(answer.lines()).hasSize(2).last().isEqualTo("codes 0 0");
    }
  }

  /** Seed 0.6: made by its owner with a .pid, replaced when stale, removed on SIGINT. */
  @Test
  void aConclaveFolderLivesAsLongAsItsOwnerAndReplacesADeadOnes() throws Exception {
    Path conclave = folder.resolve(".conclave/bus");
    Files.createDirectories(conclave);
    Files.writeString(conclave.resolve("old.jsonl"), "{}\n");
    try (Launched gone = Launched.bash(folder, "echo $$ > .conclave/bus/.pid")) {
      assertThat(gone.answer().exitCode()).isZero();
    }
    String[] init = {"init", "--dialect", "conclave", "--ephemeral"};
    try (Launched owner = Launched.parley(folder, init)) {
      owner.awaitOutput("removed when");
      assertThat(conclave.resolve("old.jsonl")).doesNotExist();
      assertThat(Files.readString(conclave.resolve(".pid")).strip()).containsOnlyDigits();
      try (Launched second = Launched.parley(folder, init)) {
        Answer refused = second.answer();
        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("alive");
      }
      owner.signal("INT");
      assertThat(owner.answer().exitCode()).isZero();
    }
    assertThat(conclave).doesNotExist();
  }

  @Test
  void anEphemeralBusServesOtherProcessesUntilItsOwnerIsToldToEnd() throws Exception {
    Path bus = folder.resolve("bus");
    try (Launched owner = Launched.parley(folder, "init", "--ephemeral", "--bus", "bus")) {
      owner.awaitOutput("removed when");
      Trial trial = new Trial(folder);
      assertThat(trial.run("publish", "a", "--bus", "bus", "--as", "x", "--type", "t").exitCode())
          .isZero();

      owner.signal("TERM");

      assertThat(owner.answer().exitCode()).isZero();
      assertThat(bus).doesNotExist();
    }
  }

  @Test
  void anInstalledProgramRunsFromAnyFolderAndUninstallTakesAwayExactlyThat() throws Exception {
    Path prefix = Files.createDirectories(folder.resolve("the prefix"));
    Path other = Files.createFile(Files.createDirectories(prefix.resolve("bin")).resolve("other"));
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    String installed = prefix.resolve("bin/parley").toString();

    Answer first = parley("install", "--prefix", prefix.toString());
    Answer again = parley("install", "--prefix", prefix.toString(), "--json");

    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out())
        .contains("not on your PATH", "export PATH=\"" + prefix + "/bin:$PATH\"");
    assertThat(again.json()).containsEntry("state", Json.of("installed"));
    try (Launched use = Launched.start(elsewhere, Map.of(), List.of(installed, "init"))) {
      assertThat(use.answer().out()).contains("Made the bus " + elsewhere + "/.parley");
    }
    List<String> uninstall = List.of(installed, "install", "--uninstall", "--prefix=" + prefix);
    try (Launched use = Launched.start(elsewhere, Map.of(), uninstall)) {
      assertThat(use.answer().exitCode()).isZero();
    }
    try (Stream<Path> left = Files.walk(prefix).filter(Files::isRegularFile)) {
      assertThat(left).containsExactly(other);
    }
    assertThat(prefix.resolve("lib/parley")).doesNotExist();
  }

  @Test
  void installOverwritesNoProgramThatItDidNotInstall() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path mine = Files.writeString(bin.resolve("parley"), "#!/bin/sh\necho mine\n");
    Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwxr-xr-x"));

    Answer install = parley("install", "--prefix", folder.toString());
    Answer uninstall = parley("install", "--uninstall", "--prefix", folder.toString());

    assertThat(install.exitCode()).isEqualTo(1);
    assertThat(install.err()).contains("was not put there by parley install");
    assertThat(uninstall.exitCode()).isEqualTo(1);
    assertThat(mine).hasContent("#!/bin/sh\necho mine");
    assertThat(folder.resolve("lib")).doesNotExist();
  }

  @Test
  void publishLoadsNothingOfOtherCommandsAndNoLambdas() throws Exception {
    // Without the start-up cache, which brings all its classes along at once, and cheaply.
    List<String> ours = classesLoadedByPublish("-XX:AOTMode=off");

    assertThat(ours).anyMatch(line -> line.contains("cli.command.Publish"));
    assertThat(ours)
        .noneMatch(line -> line.contains("Lambda"))
        .noneMatch(line -> line.contains("cli.help"))
        .noneMatch(line -> line.contains("cli.tail"))
        .noneMatch(line -> line.contains("cli.demo"))
        .noneMatch(line -> line.contains("cli.install"))
        .noneMatch(line -> line.contains("Doctor"));
  }

  @Test
  void publishHasAStartUpCacheWithNothingOfOtherCommands() throws Exception {
    assertThat(classesLoadedByPublish("-XX:AOTMode=auto"))
        .anyMatch(line -> line.contains("cli.command.Publish") && line.contains("shared objects"))
        .noneMatch(line -> line.contains("cli.mail"))
        .noneMatch(line -> line.contains("cli.tail"));
  }

  private List<String> classesLoadedByPublish(String option) throws Exception {
    new Trial(folder).run("init");
    Path loaded = folder.resolve("loaded");
    Map<String, String> environment =
        Map.of("PARLEY_JAVA_OPTS", option + " -Xlog:class+load:file=" + loaded);
    List<String> command =
        List.of(Launched.parley().toString(), "publish", "n", "--as", "a", "--type", "t");
    try (Launched publish = Launched.start(folder, environment, command)) {
      assertThat(publish.answer().exitCode()).isZero();
    }
    return Files.readAllLines(loaded).stream()
        .filter(line -> line.contains("dev.parley.cli"))
        .toList();
  }
}

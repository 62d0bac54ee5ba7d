package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.testing.HostileBus;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.Seed;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Removes each file and folder of a bus, and of the files mounted on it, and then runs every
 * command: each answers with an exit code that is documented, and none with a stack trace.
 */
class RemovedFilesTest {
  /** How many pairs of something removed and a command are tried; all with parley.long. */
  private static final int SAMPLE = 60;

  /** What is removed while a command waits. */
  private static final List<String> FOLDERS =
      List.of(".conclave", ".message-bus", ".message-bus/events", ".swarm", ".parley", "");

  private static final List<String> WAITS =
      List.of(
          "wait --as bob --from alice --timeout 1s",
          "wait task:2 --as bob --timeout 1s",
          "wait event:X_*.event --as bob --timeout 1s",
          "lock src/A.java --as bob --wait 1s");

  /** What works with mounted files, beside the commands that all buses have. */
  private static final List<String> OF_MOUNTS =
      List.of(
          "mount list --check",
          "mount show swarm",
          "mount show swarm --dump",
          "mount swarm .swarm --route-old",
          "mount remove conductor",
          "journal read",
          "journal lint",
          "journal post --type FACT --body hot --run r --task t",
          "session start --goal more",
          "flow --history",
          "send developer --body kept --session SESSION",
          "wait event:TASK_COMPLETE_*.event --timeout 0s",
          "wait task:2 --timeout 0s",
          "task block 2 --on path:src/A.java",
          "board resolve board-1",
          "locks break src/A.java --reason gone");

  @TempDir private Path temporary;
  private Path project;
  private Path state;
  private Path project0;
  private Path state0;
  private String session;
  private int gone;
  private final Queue<Throwable> escaped = new ConcurrentLinkedQueue<>();

  private final List<String> failures = new ArrayList<>();

  private record Pair(Path removed, String command) {}

  private Answer type(String line) {
    return new Trial(project)
        .with("PARLEY_STATE", state.toString())
        .with("PARLEY_AGENT", "alice")
        .input("")
        .run(line.isEmpty() ? new String[0] : line.split(" "));
  }

  private void ok(String line) {
    Answer answer = type(line);
    assertThat(answer.exitCode()).as(line + ": " + answer).isZero();
  }

  @Test
  void noCommandPrintsAStackTraceWhateverIsRemoved() throws Exception {
    prepare();
    List<Path> removable = new ArrayList<>();
    for (Path root : List.of(project, state)) {
      try (Stream<Path> all = Files.walk(root)) {
        all.filter(path -> !path.equals(project)).forEach(removable::add);
      }
    }
    List<String> commands = new ArrayList<>(HostileBus.COMMANDS);
    OF_MOUNTS.forEach(command -> commands.add(command.replace("SESSION", session)));
    List<Pair> pairs = new ArrayList<>();
    for (Path removed : removable) {
      for (String command : commands) {
        pairs.add(new Pair(removed, command));
      }
    }
    Random random = Seed.random("RemovedFilesTest");
    if (!Seed.isLong()) {
      Collections.shuffle(pairs, random);
    }

    watchThreads();
    for (Pair pair : Seed.isLong() ? pairs : pairs.subList(0, SAMPLE)) {
      restore();
      delete(pair.removed);
      check(pair.toString(), type(pair.command));
    }
    assertThat(failures).isEmpty();
    Seed.say(removable.size() + " files and folders, " + commands.size() + " commands");
  }

  @Test
  void noneDoesEitherIfItIsRemovedWhileTheCommandWaits() throws Exception {
    prepare();
    watchThreads();
    for (String removed : FOLDERS) {
      restore();
      List<CompletableFuture<Answer>> waiting =
          WAITS.stream()
              .map(command -> CompletableFuture.supplyAsync(() -> type(command)))
              .toList();
      await().pollDelay(Duration.ofMillis(400)).until(() -> true);
      moveAway(project.resolve(removed));
      for (CompletableFuture<Answer> one : waiting) {
        check(removed, one.get());
      }
    }
    assertThat(failures).isEmpty();
  }

  private void watchThreads() {
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> escaped.add(error));
  }

  @AfterEach
  void watchNoMore() {
    Thread.setDefaultUncaughtExceptionHandler(null);
  }

  private void check(String what, Answer answer) {
    if (!isClean(answer)) {
      failures.add(what + " -> " + answer + " " + escaped);
      escaped.clear();
    }
  }

  private boolean isClean(Answer answer) {
    String all = answer.out() + answer.err();
    return escaped.isEmpty()
        && answer.exitCode() <= 5
        && !all.contains("internal error")
        && !all.contains("\tat ")
        && !all.contains("Exception");
  }

  /** A bus with something of everything, and one of each design mounted. */
  private void prepare() throws IOException {
    Path real = temporary.toRealPath();
    project = Files.createDirectory(real.resolve("project"));
    state = Files.createDirectory(real.resolve("state"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwx------"));
    ok("init");
    for (String design : List.of("swarm", "conclave", "conductor", "markdown", "gear")) {
      ok("init --dialect " + design);
    }
    ok("mount swarm .swarm");
    ok("mount conclave .conclave/bus");
    ok("mount conductor .message-bus");
    ok("mount markdown MESSAGE-BUS.md");
    ok("mount gear message-history.json");
    session = type("session start --goal all").out().strip();
    ok("join --as bob");
    ok("send bob --body hello");
    ok("send developer --body hello");
    ok("lock src/A.java");
    ok("task add 2");
    ok("bulletin post --wave wave-1 --kind warning --body hot");
    ok("publish conclave.debate --type finding");
    ok("inbox --as bob");
    Files.writeString(project.resolve("plan.md"), "ship it");
    ok("board open PRE_LAUNCH --proposal plan.md");
    project0 = real.resolve("project0");
    state0 = real.resolve("state0");
    copy(project, project0);
    copy(state, state0);
  }

  private void restore() throws IOException {
    delete(project);
    delete(state);
    copy(project0, project);
    copy(state0, state);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(
            path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** At once, so that the command can't put anything back into it meanwhile. */
  private void moveAway(Path path) throws IOException {
    Files.move(path, temporary.toRealPath().resolve("gone" + gone++));
  }

  private static void delete(Path path) throws IOException {
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException e)
                throws IOException {
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      // What the command before removed.
    }
  }
}

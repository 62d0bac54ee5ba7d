package dev.parley.filelog.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.core.Log;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A real process of a test. Its output goes to a file, so it survives the process. */
public class TestProcess implements AutoCloseable {
  /** Longer than any step takes unless it hangs. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Every second process has native access, so that both kinds work on the same files. */
  private static final AtomicInteger STARTED = new AtomicInteger();

  private final Process process;
  private final Path out;
  private final Path err;

  public TestProcess(TestFolder home, String name, List<String> command) throws IOException {
    this.out = home.resolve(name + ".out");
    this.err = home.resolve(name + ".err");
    this.process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
  }

  /** The command that runs a class of this test in a new JVM. */
  public static List<String> java(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    if (STARTED.getAndIncrement() % 2 == 0) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", classPath(main), main.getName()));
    command.addAll(arguments);
    return command;
  }

  private static String classPath(Class<?> main) {
    return Stream.of(main, FileLog.class, Log.class)
        .map(type -> {
          try {
            var source = type.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(source.toURI()).toString();
          } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
          }
        })
        .distinct()
        .collect(Collectors.joining(":"));
  }

  /** Waits for a condition, polling often. */
  public static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PATIENCE);
  }

  /** The bytes printed so far. */
  public long printed() {
    return out.toFile().length();
  }

  /** The complete lines printed so far. */
  public List<String> lines() throws IOException {
    String text = Files.readString(out, US_ASCII);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  public void say(String command) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((command + "\n").getBytes(US_ASCII));
    in.flush();
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Stops the process with SIGSTOP and waits until it has stopped. */
  public void stop() throws IOException {
    Signals.send("STOP", process.pid());
    await("stopped").until(this::isStopped);
  }

  public void goOn() throws IOException {
    Signals.send("CONT", process.pid());
  }

  private boolean isStopped() throws IOException {
    // All threads must have stopped, not only the first.
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      for (Path task : tasks.toList()) {
        String stat = Files.readString(task.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
    }
    return true;
  }

  /** Sends SIGKILL without waiting for the end. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Closes its input and waits until it ends by itself with exit code 0. */
  public void finish() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError(
          "child "
              + out.getFileName()
              + (process.isAlive() ? " hangs" : " ended with " + process.exitValue())
              + ": "
              + Files.readString(err, UTF_8));
    }
  }

  /** Kills the process if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}

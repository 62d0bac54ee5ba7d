package dev.parley.cli.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A real process of the program, or of a shell that uses it. */
public final class Launched implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The processor time of a JVM that has begun to run the program. */
  private static final Duration STARTED = Duration.ofMillis(50);

  /** Starts a command that can be interrupted, also where the tests run in the background. */
  public static final List<String> INTERRUPTIBLE =
      List.of(
          "python3",
          "-c",
          "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
              + " os.execvp(sys.argv[1], sys.argv[1:])");

  private final Process process;
  private final Path out;
  private final Path err;

  private Duration lastUsed = Duration.ZERO;

  private Launched(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** The launcher of this checkout. */
  public static Path parley() {
    return Path.of(System.getProperty("parley.root"), "parley");
  }

  public static Launched parley(Path folder, String... args) throws IOException {
    List<String> command = new ArrayList<>(INTERRUPTIBLE);
    command.add(parley().toString());
    command.addAll(List.of(args));
    return start(folder, Map.of(), command);
  }

  /** A bash script in which {@code $parley} is the launcher. */
  public static Launched bash(Path folder, String script) throws IOException {
    return start(folder, Map.of("parley", parley().toString()), List.of("bash", "-c", script));
  }

  public static Launched start(Path folder, Map<String, String> environment, List<String> command)
      throws IOException {
    Path out = Files.createTempFile("parley-test-", ".out");
    Path err = Files.createTempFile("parley-test-", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("PARLEY_BUS"));
    builder.environment().keySet().removeAll(List.of("PARLEY_AGENT", "BUS_DIR"));
    builder.environment().putAll(environment);
    return new Launched(builder.start(), out, err);
  }

  public String out() throws IOException {
    return Files.readString(out);
  }

  /** Types a line on its standard input. */
  public void type(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  public void awaitOutput(String text) {
    Awaitility.await().atMost(PATIENCE).until(() -> out().contains(text) || !process.isAlive());
    assertThat(out).content().contains(text);
  }

  public List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it has worked, and has done nothing since the last time somebody asked. */
  public boolean isIdle() {
    Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO);
    boolean idle = used.equals(lastUsed) && used.compareTo(STARTED) > 0;
    lastUsed = used;
    return idle;
  }

  /** Sends a signal by its name, such as INT. */
  public void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Whether it ends within this time. */
  public boolean endsWithin(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
  }

  public Answer answer() throws IOException, InterruptedException {
    return answer(PATIENCE);
  }

  public Answer answer(Duration patience) throws IOException, InterruptedException {
    assertThat(endsWithin(patience)).isTrue();
    return new Answer(process.exitValue(), out(), Files.readString(err, UTF_8));
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    Files.deleteIfExists(out);
    Files.deleteIfExists(err);
  }
}

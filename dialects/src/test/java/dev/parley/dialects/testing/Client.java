package dev.parley.dialects.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A foreign program that runs beside a test. */
public final class Client implements AutoCloseable {
  private static final Path SCRIPTS = Path.of("src/test/resources/clients");

  private final Process process;

  private Client(Process process) {
    this.process = process;
  }

  /** One of our scripts, with its arguments. */
  public static Client python(String script, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3", SCRIPTS.resolve(script).toString()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new Client(new ProcessBuilder(command).inheritIO().start());
  }

  /** A program of these tests in a process of its own, which starts as quickly as Parley does. */
  public static Client java(Class<?> main, Object... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new Client(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits until it says something, or ends. */
  public void awaitOutput() throws IOException {
    assertThat(process.getInputStream().read()).as("the first it says").isPositive();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public int exitCode() throws InterruptedException {
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

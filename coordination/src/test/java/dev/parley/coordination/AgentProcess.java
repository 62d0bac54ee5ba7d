package dev.parley.coordination;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.coordination.ledger.Session;
import dev.parley.core.Log;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.testing.Signals;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** An agent in a process of its own; what it prints goes to a file that survives it. */
final class AgentProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Process process;
  private final Path out;
  private final Path err;

  /**
   * @param main what it runs: with the folder of the bus, the token of the session, and the rest
   */
  AgentProcess(Class<?> main, Path outputs, Path bus, Session session, String... what)
      throws IOException {
    this.out = Files.createTempFile(outputs, "child", ".out");
    this.err = Files.createTempFile(outputs, "child", ".err");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
    command.addAll(List.of(main.getName(), bus.toString(), session.token()));
    command.addAll(List.of(what));
    this.process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
  }

  private static String classPath() {
    return Stream.of(AgentProcess.class, Team.class, BusFolder.class, Log.class)
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

  /** The complete lines it printed that begin with a word, without it. */
  List<String> said(String word) throws IOException {
    String text = Files.readString(out, US_ASCII);
    return text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.substring(word.length() + 1))
        .toList();
  }

  String awaitWord(String word) throws IOException {
    Awaitility.await(word)
        .pollInterval(Duration.ofMillis(5))
        .atMost(PATIENCE)
        .until(() -> !said(word).isEmpty() || !process.isAlive());
    List<String> said = said(word);
    if (said.isEmpty()) {
      throw new AssertionError("ended without " + word + ": " + Files.readString(err, UTF_8));
    }
    return said.getFirst();
  }

  /** Sends it a signal, by its name. */
  void signal(String name) throws IOException {
    Signals.send(name, process.pid());
  }

  /** Writes a line that it can read. */
  void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(US_ASCII));
    process.getOutputStream().flush();
  }

  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Tells it to come to an end, and waits until it has, well. */
  void finish() throws IOException, InterruptedException {
    try (var in = process.getOutputStream()) {
      in.write('\n');
    } catch (IOException e) {
      // It has ended by itself.
    }
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError("a child hangs or failed: " + Files.readString(err, UTF_8));
    }
  }

  @Override
  public void close() {
    kill();
  }
}

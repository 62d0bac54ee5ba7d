package dev.parley.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A child JVM that plays a role. Used by one thread. */
public final class Actor implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String ENDED = Stage.MARK + "failed the process ended";

  /**
   * The same for every contestant: the libraries' demands (Chronicle's, netty's) are harmless for
   * the others. A heap of fixed size, so that no round pays for growing it.
   */
  private static final List<String> USUAL =
      List.of(
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Dchronicle.analytics.disable=true",
          "-Xshare:auto");

  /** For throughput: this collector asks least of who changes what is old, as logs and folds do. */
  public static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC");

  /** For a process of which there are hundreds. */
  public static final List<String> LIGHT =
      List.of("-Xmx32m", "-Xss256k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Process process;
  private final Writer in;
  private final Path errors;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private Actor(Process process, Path errors) {
    this.process = process;
    this.in = process.outputWriter();
    this.errors = errors;
    Thread.ofVirtual().start(this::listen);
  }

  /** Starts a JVM like this one, with this one's class path. */
  public static Actor start(Class<? extends Role> role, Path errors, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(USUAL);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Stage.class.getName(), role.getName()));
    return new Actor(new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
  }

  private void listen() {
    try (BufferedReader out = process.inputReader()) {
      out.lines().filter(line -> line.startsWith(Stage.MARK)).forEach(answers::add);
    } catch (IOException e) {
      // The process is gone; that is said next.
    }
    answers.add(ENDED);
  }

  public long pid() {
    return process.pid();
  }

  public void tell(Object... words) throws IOException {
    StringJoiner line = new StringJoiner(" ", "", "\n");
    for (Object word : words) {
      line.add(String.valueOf(word));
    }
    in.write(line.toString());
    in.flush();
  }

  /** Waits for an answer that begins with a word, and gives the rest of it. */
  public Cue hear(String word) throws InterruptedException, IOException {
    String line = answers.poll(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    if (line == null) {
      throw new IOException("no answer after " + PATIENCE);
    }
    Cue answer = new Cue(line.substring(Stage.MARK.length()));
    if (!answer.word().equals(word)) {
      throw new IOException("instead of " + word + ": " + answer + lastErrors());
    }
    return answer;
  }

  public Cue ask(String answer, Object... words) throws InterruptedException, IOException {
    tell(words);
    return hear(answer);
  }

  private String lastErrors() throws IOException {
    List<String> lines = Files.exists(errors) ? Files.readAllLines(errors) : List.of();
    return lines.isEmpty()
        ? ""
        : "\n  " + String.join("\n  ", lines.subList(Math.max(0, lines.size() - 8), lines.size()));
  }

  /** Lets the process end by itself, so that what it records is complete. */
  @Override
  public void close() {
    try {
      in.close();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

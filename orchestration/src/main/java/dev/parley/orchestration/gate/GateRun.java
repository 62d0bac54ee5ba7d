package dev.parley.orchestration.gate;

import dev.parley.core.writer.WriterId;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.process.Capture;
import dev.parley.orchestration.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs a gate's command. When it ends or times out, all processes that it started are ended.
 *
 * @param environment its variables beside those of this process
 * @param stopped whether it should be abandoned
 */
public record GateRun(Path folder, Map<String, String> environment, BooleanSupplier stopped) {
  /** How many bytes of an output are kept. */
  public static final int MOST_OUTPUT = 1 << 20;

  private static final String MARK = "PARLEY_GATE";
  private static final long LOOK_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofMillis(200);

  /** Runs the gate. A command that fails or can't be started is evidence too. */
  public Evidence run(Gate gate, String commit) throws InterruptedException {
    long start = System.nanoTime();
    String mark = WriterId.random().toString();
    ProcessBuilder builder =
        new ProcessBuilder(gate.command()).directory(folder.toFile()).redirectErrorStream(true);
    Git.cleanse(builder.environment());
    builder.environment().putAll(environment);
    builder.environment().put(MARK, mark);
    TestReports reports = TestReports.before(folder);
    Process process;
    try {
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException e) {
      String why = "it can't be started: " + e.getMessage();
      return Evidence.of(gate, -1, why, "", since(start), commit, 0);
    }
    ProcessTree tree = new ProcessTree(0, MARK + "=" + mark);
    try {
      Capture out = Capture.start(process.getInputStream(), MOST_OUTPUT, "gate-" + gate.name());
      boolean ended = await(process, gate.timeout().toNanos());
      boolean given = !ended && stopped.getAsBoolean();
      int leftovers = tree.end();
      if (!out.await(PATIENCE)) {
        process.destroyForcibly();
      }
      String why =
          ended
              ? ""
              : given ? "it was stopped" : "not done within " + gate.timeout().toMillis() + " ms";
      int exit = ended ? process.exitValue() : -1;
      Evidence evidence =
          Evidence.of(gate, exit, why, out.text(), since(start), commit, ended ? leftovers : 0);
      return evidence.counts() == null ? evidence.with(reports.counts()) : evidence;
    } catch (InterruptedException e) {
      var _ = tree.killAll();
      throw e;
    }
  }

  private boolean await(Process process, long limit) throws InterruptedException {
    long start = System.nanoTime();
    while (!stopped.getAsBoolean()) {
      if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        return true;
      }
      if (System.nanoTime() - start > limit) {
        return false;
      }
    }
    return false;
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}

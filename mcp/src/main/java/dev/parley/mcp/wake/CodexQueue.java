package dev.parley.mcp.wake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Puts a notice into the queue of a Codex thread, by Codex's own command. An idle thread begins a
 * turn with it at once; a busy one reads it after its turn.
 */
public final class CodexQueue implements WakeCall {
  private static final int PATIENCE_SECONDS = 20;
  private static final int MOST_ANCESTORS = 10;

  private final String thread;
  private final String program;

  /**
   * @param thread the thread's id
   */
  public CodexQueue(String thread) {
    this(thread, program());
  }

  CodexQueue(String thread, String program) {
    this.thread = thread;
    this.program = program;
  }

  /** The Codex program that started this process, or else the one on the PATH. */
  private static String program() {
    ProcessHandle process = ProcessHandle.current();
    for (int i = 0; i < MOST_ANCESTORS && process.parent().isPresent(); i++) {
      process = process.parent().get();
      String command = process.info().command().orElse("");
      Path name = command.isEmpty() ? null : Path.of(command).getFileName();
      if (name != null && name.toString().equals("codex") && Files.isExecutable(Path.of(command))) {
        return command;
      }
    }
    return "codex";
  }

  @Override
  public void wake(String notice) throws InterruptedException, CannotWakeException {
    try {
      Process queue =
          new ProcessBuilder(List.of(program, "queue", "--thread", thread, "--message", notice))
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!queue.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        queue.destroyForcibly();
        throw new CannotWakeException("codex-queue-timed-out");
      }
      if (queue.exitValue() != 0) {
        throw new CannotWakeException("codex-queue-exit-" + queue.exitValue());
      }
    } catch (IOException e) {
      throw new CannotWakeException("no-codex-command");
    }
  }
}

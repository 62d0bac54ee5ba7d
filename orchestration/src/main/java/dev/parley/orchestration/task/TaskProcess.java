package dev.parley.orchestration.task;

import dev.parley.coordination.work.Worker;
import dev.parley.core.ParleyException;
import dev.parley.orchestration.git.ChangedFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs as the work on a claimed task. Progress is reported while it runs; if it
 * succeeds, the task is done with the commit and files that git names, otherwise it has failed.
 *
 * <pre>
 * start ──▶ running ──exit code 0──▶ done
 *              ├──other exit code, stop──▶ failed
 *              └──claim lost──▶ ended, and the loss is thrown
 * </pre>
 */
public final class TaskProcess {
  /** The variable with the task, for the program. */
  private static final String TASK_VARIABLE = "PARLEY_TASK";

  private static final String TOKEN_VARIABLE = "PARLEY_TOKEN";
  private static final int LOOK_MILLIS = 500;

  /** Progress is reported this often even if the program is silent. */
  private static final Duration PROGRESS = Duration.ofMinutes(5);

  private static final int PATIENCE_SECONDS = 3;

  private final Worker.Job job;
  private final ChangedFiles.Before before;
  private final Process process;
  private final Thread output;
  private volatile boolean stopped;

  private TaskProcess(
      Worker.Job job, ChangedFiles.Before before, Process process, OutputStream out) {
    this.job = job;
    this.before = before;
    this.process = process;
    this.output = Thread.ofPlatform().daemon().start(() -> pass(out));
  }

  /**
   * Starts the program.
   *
   * @param program its words, folder and environment; its output is read here
   * @param tree the working tree whose changes are reported with the task
   * @param out where the program's output goes
   * @throws ParleyException FAILED if it can't be started; the task has failed then
   */
  public static TaskProcess start(
      Worker.Job job, ProcessBuilder program, Path tree, OutputStream out)
      throws IOException, InterruptedException {
    ChangedFiles.Before before = ChangedFiles.in(tree);
    program.redirectOutput(ProcessBuilder.Redirect.PIPE);
    program.environment().put(TASK_VARIABLE, job.claimed().task());
    if (job.token() != 0) {
      program.environment().put(TOKEN_VARIABLE, Long.toString(job.token()));
    }
    try {
      return new TaskProcess(job, before, program.start(), out);
    } catch (IOException e) {
      String why = "\"" + program.command().getFirst() + "\" cannot be started: " + reason(e);
      var _ = job.fail(why, true);
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "cannot-run",
          why + ".",
          "Check its name. The task has failed; to try again: parley task retry "
              + job.claimed().task(),
          e);
    }
  }

  /** The system's reason, without the command and the folder, which the user knows. */
  private static String reason(IOException e) {
    String message = String.valueOf(e.getMessage());
    int open = message.lastIndexOf('(');
    int close = message.lastIndexOf(')');
    return open >= 0 && close > open ? message.substring(open + 1, close) : message;
  }

  /**
   * How the program and its task ended.
   *
   * @param failure why the task failed; null if it is done
   * @param ready the tasks that are ready now because this one is done
   * @param retry whether the failed task can be tried again
   */
  public record Result(int exitCode, @Nullable String failure, List<String> ready, boolean retry) {}

  /**
   * Waits for the program's end, and ends the task.
   *
   * @throws ParleyException if the claim was lost meanwhile; the program was ended then
   */
  public Result await() throws IOException, InterruptedException {
    int exitCode = exitCode();
    output.join(PATIENCE_SECONDS * 1000L); // a child of the program may keep the stream open
    ParleyException lost = job.lost();
    if (lost != null) {
      throw lost;
    }
    if (exitCode == 0) {
      ChangedFiles changed = before.now();
      return new Result(0, null, job.done(changed.commit(), changed.files(), null), false);
    }
    String why = stopped ? "stopped" : "exit code " + exitCode;
    return new Result(exitCode, why, List.of(), job.fail(why, true).retry());
  }

  /** Ends the program; its task fails. May be called on another thread. */
  public void stop() {
    stopped = true;
    end();
  }

  private int exitCode() throws InterruptedException {
    long began = System.nanoTime();
    long told = began;
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      if (job.lost() != null) {
        end();
      } else if (System.nanoTime() - told >= PROGRESS.toNanos()) {
        told = System.nanoTime();
        tell(null, "at work for " + Duration.ofNanos(told - began).toMinutes() + " min");
      }
    }
    return process.exitValue();
  }

  private void pass(OutputStream out) {
    try {
      new ProgressLines(percent -> tell(percent, null)).pass(process.getInputStream(), out);
    } catch (IOException e) {
      // The reader of the output is gone; the program may continue.
    }
  }

  /** Reports progress. A failure does not end the work, because the next report makes up for it. */
  private void tell(@Nullable Integer percent, @Nullable String note) {
    try {
      job.progress(percent, note);
    } catch (ParleyException e) {
      // See above.
    }
  }

  private void end() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.parley.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets work that goes on for ever end cleanly when the process is told to end (SIGINT, SIGTERM,
 * SIGHUP): the work is told, finishes, and the process exits with the code it wants.
 *
 * <pre>
 * working ──signal──▶ told to end ──close──▶ exit
 *    └─────close──▶ done; signals do what they usually do
 * </pre>
 */
public final class Stop implements AutoCloseable {
  /** How many seconds work may take to finish after a signal. */
  private static final int PATIENCE_SECONDS = 5;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Runnable tell;
  private final int exitCode;
  private final Thread hook;

  private Stop(Runnable tell, int exitCode) {
    this.tell = tell;
    this.exitCode = exitCode;
    this.hook = new Thread(this::end, "stop");
  }

  /**
   * Starts to listen for signals.
   *
   * @param tell makes the work end; called on another thread
   */
  public static Stop onSignal(Runnable tell) {
    return onSignal(tell, ExitCode.OK);
  }

  /**
   * Starts to listen for signals, for work that is incomplete when a signal ends it.
   *
   * @param exitCode the exit code in that case
   */
  public static Stop onSignal(Runnable tell, int exitCode) {
    Stop stop = new Stop(tell, exitCode);
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  /**
   * Interrupts this thread on a signal, so that it takes back what it waits for before the process
   * ends.
   */
  public static Stop interrupting() {
    return onSignal(Thread.currentThread()::interrupt, ExitCode.INTERRUPTED);
  }

  /**
   * Ends the process after everything is closed and printed. {@link System#exit} is avoided: the
   * JDK logs it, and loading its logger takes longer than most commands. If a signal is ending the
   * process already, the signal decides the exit code.
   */
  public static void process(int exitCode) {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread()); // throws if the process is ending
      Runtime.getRuntime().halt(exitCode);
    } catch (IllegalStateException e) {
      // The signal's hook only waits for work that is done by now.
    }
  }

  private void end() {
    tell.run();
    try {
      if (finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(exitCode);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports that the work is over and its output flushed. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      finished.countDown(); // the process is ending: its hook waits for this
    }
  }
}

package dev.parley.core.bus;

/** Joins threads in spite of interrupts. */
final class ThreadJoin {
  private ThreadJoin() {}

  /**
   * Waits for a thread to end, however often this one is interrupted meanwhile. A thread does not
   * wait for itself.
   */
  static void joinFully(Thread thread) {
    if (thread.equals(Thread.currentThread())) {
      return;
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

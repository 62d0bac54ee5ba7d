package dev.parley.cli.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what another thread or process is about to do. */
public final class Waiting {
  private Waiting() {}

  public static void until(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20)).until(condition);
  }
}

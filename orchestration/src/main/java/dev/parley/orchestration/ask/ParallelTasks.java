package dev.parley.orchestration.ask;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs several tasks at the same time. */
public final class ParallelTasks {
  private ParallelTasks() {}

  /**
   * Runs all tasks and waits for all to end, even if one fails: a running ask is completed and
   * recorded, so that it need not be made again.
   *
   * @return the results, in order
   * @throws RuntimeException what the first failed task threw
   */
  public static <T> List<T> all(List<Callable<T>> works) throws InterruptedException {
    try (ExecutorService threads =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("ask-", 0).factory())) {
      List<Future<T>> futures = new ArrayList<>();
      works.forEach(work -> futures.add(threads.submit(work)));
      List<T> results = new ArrayList<>();
      RuntimeException failure = null;
      for (Future<T> future : futures) {
        try {
          results.add(future.get());
        } catch (ExecutionException e) {
          RuntimeException thrown =
              e.getCause() instanceof RuntimeException known
                  ? known
                  : new IllegalStateException(e.getCause());
          failure = failure == null ? thrown : failure;
        }
      }
      if (failure != null) {
        throw failure;
      }
      return results;
    }
  }
}

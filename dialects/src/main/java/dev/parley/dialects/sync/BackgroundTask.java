package dev.parley.dialects.sync;

import dev.parley.core.ParleyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** A computation in another thread. */
public record BackgroundTask<T>(CompletableFuture<T> future) {
  public static <T> BackgroundTask<T> of(Supplier<T> work) {
    return new BackgroundTask<>(CompletableFuture.supplyAsync(work, Thread::startVirtualThread));
  }

  public static BackgroundTask<Void> nothing() {
    return new BackgroundTask<>(CompletableFuture.completedFuture(null));
  }

  /** Runs a function on the result, unless this task failed. */
  public <R> BackgroundTask<R> then(Function<T, R> work) {
    return new BackgroundTask<>(future.thenApplyAsync(work, Thread::startVirtualThread));
  }

  /** Waits until the task is over, whether it failed or not. */
  public void settle() {
    var _ = future.handle((result, failure) -> 0).join();
  }

  /** Runs an action after this task, unless this task failed. */
  public BackgroundTask<Void> then(Runnable work) {
    return new BackgroundTask<>(future.thenRunAsync(work, Thread::startVirtualThread));
  }

  /** Waits for the result, and fails as the task did. */
  public T join() {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof ParleyException cause) {
        throw cause;
      }
      throw e;
    }
  }
}

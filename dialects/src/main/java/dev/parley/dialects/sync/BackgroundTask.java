package dev.parley.dialects.sync;

import dev.parley.core.ParleyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Something that is done by another thread meanwhile. */
public record BackgroundTask<T>(CompletableFuture<T> future) {
  public static <T> BackgroundTask<T> of(Supplier<T> work) {
    return new BackgroundTask<>(CompletableFuture.supplyAsync(work, Thread::startVirtualThread));
  }

  public static BackgroundTask<Void> nothing() {
    return new BackgroundTask<>(CompletableFuture.completedFuture(null));
  }

  /** Makes something of this when it is done, unless it failed. */
  public <R> BackgroundTask<R> then(Function<T, R> work) {
    return new BackgroundTask<>(future.thenApplyAsync(work, Thread::startVirtualThread));
  }

  /** Waits until nothing is done any more, whatever came of it. */
  public void settle() {
    var _ = future.handle((result, failure) -> 0).join();
  }

  /** Does something when this is done, unless it failed. */
  public BackgroundTask<Void> then(Runnable work) {
    return new BackgroundTask<>(future.thenRunAsync(work, Thread::startVirtualThread));
  }

  /** Waits for it, and fails as it did. */
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

package dev.parley.dialects;

import dev.parley.core.ParleyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Something that is done by another thread meanwhile. */
record Ahead<T>(CompletableFuture<T> future) {
  static <T> Ahead<T> of(Supplier<T> work) {
    return new Ahead<>(CompletableFuture.supplyAsync(work));
  }

  static Ahead<Void> nothing() {
    return new Ahead<>(CompletableFuture.completedFuture(null));
  }

  /** Does something when this is done, unless it failed. */
  Ahead<Void> then(Runnable work) {
    return new Ahead<>(future.thenRunAsync(work));
  }

  /** Waits for it, and fails as it did. */
  T join() {
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

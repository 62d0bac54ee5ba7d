package dev.parley.dialects;

import dev.parley.core.ParleyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Something that is done by another thread meanwhile. */
record Ahead<T>(CompletableFuture<T> future) {
  static <T> Ahead<T> of(Supplier<T> work) {
    return new Ahead<>(CompletableFuture.supplyAsync(work, Thread::startVirtualThread));
  }

  static Ahead<Void> nothing() {
    return new Ahead<>(CompletableFuture.completedFuture(null));
  }

  /** Makes something of this when it is done, unless it failed. */
  <R> Ahead<R> then(Function<T, R> work) {
    return new Ahead<>(future.thenApplyAsync(work, Thread::startVirtualThread));
  }

  /** Waits until nothing is done any more, whatever came of it. */
  void settle() {
    var _ = future.handle((result, failure) -> 0).join();
  }

  /** Does something when this is done, unless it failed. */
  Ahead<Void> then(Runnable work) {
    return new Ahead<>(future.thenRunAsync(work, Thread::startVirtualThread));
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

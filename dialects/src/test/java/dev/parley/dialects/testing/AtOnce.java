package dev.parley.dialects.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several who do the same at the same moment. */
public final class AtOnce {
  private AtOnce() {}

  public static void run(int several, Callable<?> work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(several);
    try (ExecutorService threads = Executors.newFixedThreadPool(several)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < several; i++) {
        all.add(
            threads.submit(() -> {
              start.await();
              return work.call();
            }));
      }
      for (Future<?> each : all) {
        var _ = each.get();
      }
    }
  }
}

package dev.parley.bench.fanout;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Publishers and three consumers in this process.
 *
 * <pre>
 * fan name publishers count      delivered nanos
 * </pre>
 *
 * until every consumer has had every message.
 */
public final class FanOut implements Role {
  private static final int CONSUMERS = 3;

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    if (!what.equals("fan")) {
      throw new IllegalArgumentException(what);
    }
    String name = cue.word();
    int publishers = cue.number();
    int count = cue.number();
    Json payload = ParleyCarrier.payload("note");
    CountDownLatch all = new CountDownLatch(CONSUMERS);
    List<Tally> consumers = new ArrayList<>();
    for (int i = 0; i < CONSUMERS; i++) {
      consumers.add(new Tally(count, all));
    }
    System.gc(); // what the last round left is not this round's business
    try (Fan fan = Fan.named(name, publishers == 1, count, consumers);
        ExecutorService executor = Executors.newFixedThreadPool(publishers)) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int publisher = 0; publisher < publishers; publisher++) {
        tasks.add(() -> {
          for (int i = 0; i < count / publishers; i++) {
            fan.publish(payload);
          }
          return true;
        });
      }
      long from = System.nanoTime();
      for (Future<Boolean> task : executor.invokeAll(tasks)) {
        var _ = task.get();
      }
      if (!all.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("not everything was delivered");
      }
      stage.say("delivered", System.nanoTime() - from);
    }
  }
}

package dev.parley.bench.carrier;

import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Sends, counts and listens through any carrier.
 *
 * <pre>
 * send   carrier place batch count       sent from to
 * pace   carrier place perSecond count   sent from to
 * count  carrier place count             ready, counted at
 * tally  carrier place count             found how many there really are, where there should be count
 * listen carrier place count             ready, heard p50 p90 p99 p99.9 max
 * </pre>
 *
 * Times are {@link System#nanoTime}, which on Linux is the same clock in every process.
 */
public final class CarrierClient implements Role {
  /** What of the latencies is told, in parts of a thousand; 1000 is the longest. */
  public static final List<Integer> PERMILLE = List.of(500, 900, 990, 999, 1000);

  /** After how long without a message nothing more is expected: in the middle, and at the end. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(200);

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    Carrier carrier = Carrier.named(cue.word());
    String place = cue.word();
    switch (what) {
      case "send" -> send(carrier.sender(place, cue.number()), cue.number(), stage);
      case "pace" -> pace(carrier, place, cue.number(), cue.number(), stage);
      case "count" -> count(carrier.counter(place), cue.number(), stage);
      case "tally" -> tally(carrier.counter(place), cue.number(), stage);
      case "listen" -> listen(carrier, place, cue.number(), stage);
      default -> throw new IllegalArgumentException(what);
    }
  }

  private static void send(Carrier.Sender opened, int count, Stage stage) throws Exception {
    long from;
    long to;
    try (opened) {
      from = System.nanoTime();
      for (int i = 0; i < count; i++) {
        opened.send(0);
      }
      opened.flush();
      to = System.nanoTime();
    }
    stage.say("sent", from, to);
  }

  private static void pace(Carrier carrier, String place, int perSecond, int count, Stage stage)
      throws Exception {
    // Sent soon and not one after the other's answer, where the carrier could not keep the pace.
    int batch = carrier instanceof JetStreams ? count : 1;
    long from;
    long to;
    try (Carrier.Sender sender = carrier.sender(place, batch)) {
      long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
      from = System.nanoTime();
      for (int i = 0; i < count; i++) {
        for (long due = from + i * interval, now = System.nanoTime();
            now < due;
            now = System.nanoTime()) {
          LockSupport.parkNanos(due - now);
        }
        sender.send(System.nanoTime());
      }
      sender.flush();
      to = System.nanoTime();
    }
    stage.say("sent", from, to);
  }

  private static void count(Carrier.Counter opened, int count, Stage stage) throws Exception {
    long to;
    try (opened) {
      stage.say("ready");
      long seen = 0;
      while (seen < count) {
        seen += opened.take();
      }
      to = System.nanoTime();
    }
    stage.say("counted", to);
  }

  /**
   * Goes on after the last that should be there, and does not wait for ever for one that is not.
   */
  private static void tally(Carrier.Counter opened, int expected, Stage stage) throws Exception {
    long seen = 0;
    try (opened) {
      long quietSince = System.nanoTime();
      while (System.nanoTime() - quietSince < (seen < expected ? PATIENCE : QUIET)) {
        long taken = opened.take();
        seen += taken;
        if (taken > 0) {
          quietSince = System.nanoTime();
        }
      }
    }
    stage.say("found", seen);
  }

  private static void listen(Carrier carrier, String place, int count, Stage stage)
      throws Exception {
    long[] latencies = new long[count];
    AtomicInteger heard = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(1);
    LongConsumer onStamp =
        stamp -> {
          int index = heard.getAndIncrement();
          if (index < count) {
            latencies[index] = System.nanoTime() - stamp;
          }
          if (index == count - 1) {
            all.countDown();
          }
        };
    try (Closeable _ = carrier.listener(place, onStamp)) {
      stage.say("ready");
      if (!all.await(2, TimeUnit.MINUTES)) {
        throw new IllegalStateException("heard only " + heard + " of " + count);
      }
    }
    Arrays.sort(latencies);
    List<Object> answer = new ArrayList<>(List.of("heard"));
    for (int permille : PERMILLE) {
      answer.add(latencies[(int) ((count - 1L) * permille / 1000)]);
    }
    stage.say(answer.toArray());
  }
}

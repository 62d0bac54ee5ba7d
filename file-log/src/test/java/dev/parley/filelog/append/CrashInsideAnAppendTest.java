package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads share a write: if the writing thread fails, the others must get an answer. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrashInsideAnAppendTest {
  private static final Topic TOPIC = new Topic("crash");

  @TempDir Path folder;

  /**
   * The first write waits until others have queued up; the second fails with an unexpected error.
   */
  private static final class Script implements ScriptedDisk.Script {
    private final AtomicInteger writes = new AtomicInteger();
    private final CountDownLatch firstBegun = new CountDownLatch(1);
    private final CountDownLatch othersQueued = new CountDownLatch(1);

    @Override
    public int take(int length) {
      int write = writes.incrementAndGet();
      if (write == 1) {
        firstBegun.countDown();
        try {
          othersQueued.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      } else if (write == 2) {
        throw new OutOfMemoryError("made by a test");
      }
      return length;
    }
  }

  @Test
  void nobodyWaitsForAnAnswerThatWillNotCome() throws Exception {
    Script script = new Script();
    try (FileLog log =
            new FileLog(
                folder,
                Limits.DEFAULT,
                PollingInterval.DEFAULT,
                Durability.OS,
                new ScriptedDisk(script));
        ExecutorService pool = Executors.newCachedThreadPool()) {
      Message message = Message.of("alice", "note", Json.NULL);
      Future<?> first = pool.submit(() -> log.append(TOPIC, List.of(message)));
      script.firstBegun.await();
      List<Thread> threads = new CopyOnWriteArrayList<>();
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        others.add(
            pool.submit(() -> {
              threads.add(Thread.currentThread());
              return log.append(TOPIC, List.of(message));
            }));
      }
      TestProcess.await("all others wait for the first")
          .until(() ->
              threads.size() == 4
                  && threads.stream().allMatch(t -> t.getState() == Thread.State.WAITING));
      script.othersQueued.countDown();
      first.get();
      int broken = 0;
      for (Future<?> other : others) {
        try {
          other.get();
        } catch (ExecutionException e) {
          broken++;
          assertThat(
                  e.getCause() instanceof OutOfMemoryError
                      || (e.getCause() instanceof ParleyException unknown
                          && unknown.kind() == ParleyException.Kind.UNKNOWN))
              .as(String.valueOf(e.getCause()))
              .isTrue();
        }
      }
      assertThat(broken).as("those whose write broke down").isEqualTo(4);
      assertThat(log.append(TOPIC, List.of(message))).hasSize(1);
    }
  }
}

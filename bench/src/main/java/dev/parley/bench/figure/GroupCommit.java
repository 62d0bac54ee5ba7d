package dev.parley.bench.figure;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.carrier.Text;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.filelog.Durability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads that each append a line and wait until it is on the disk.
 *
 * <pre>
 * commit who folder threads count      committed nanos
 * </pre>
 */
public final class GroupCommit implements Role {
  /** One way of getting lines onto the disk. */
  private interface Committer extends AutoCloseable {
    /** Returns when one line is on the disk; called by many threads. */
    void commit() throws InterruptedException;

    @Override
    void close() throws IOException;
  }

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    if (!what.equals("commit")) {
      throw new IllegalArgumentException(what);
    }
    String who = cue.word();
    Path folder = Path.of(cue.word());
    int threads = cue.number();
    int count = cue.number();
    try (Committer committer = open(who, folder);
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        tasks.add(() -> {
          for (int i = 0; i < count / threads; i++) {
            committer.commit();
          }
          return true;
        });
      }
      long from = System.nanoTime();
      for (Future<Boolean> task : executor.invokeAll(tasks)) {
        var _ = task.get();
      }
      stage.say("committed", System.nanoTime() - from);
    }
  }

  private static Committer open(String who, Path folder) throws IOException {
    return switch (who) {
      case "bare" -> new Bare(folder);
      case "parley" -> new Ours(folder);
      default -> throw new IllegalArgumentException(who);
    };
  }

  /** A bus whose acknowledgement means that the disk has it. */
  private static final class Ours implements Committer {
    private static final String TYPE = "note";

    private final Json payload = ParleyCarrier.payload(TYPE);
    private final Bus bus;

    Ours(Path folder) {
      this.bus =
          ParleyCarrier.open(folder.toString(), Durability.DISK, new ParleyCarrier.Reports());
    }

    @Override
    public void commit() {
      var _ = bus.publish(ParleyCarrier.TOPIC, ParleyCarrier.message(TYPE, payload));
    }

    @Override
    public void close() {
      bus.close();
    }
  }

  /**
   * The least one can do: a loop takes all lines that have come, writes them, syncs, and wakes
   * whoever waits for them. (Threads that take turns at syncing hardly ever find company.)
   */
  private static final class Bare implements Committer {
    private static final byte[] LINE =
        ("x".repeat(Text.LENGTH - 1) + "\n").getBytes(StandardCharsets.US_ASCII);

    /** Lines that are written and synced together. */
    private static final class Batch {
      final ByteArrayOutputStream lines = new ByteArrayOutputStream();
      final CountDownLatch synced = new CountDownLatch(1);
    }

    private final FileChannel channel;
    private final Thread loop;
    private Batch open = new Batch();

    Bare(Path folder) throws IOException {
      this.channel =
          FileChannel.open(
              folder.resolve("lines.jsonl"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.APPEND);
      this.loop = Thread.ofPlatform().daemon().start(this::run);
    }

    @Override
    public void commit() throws InterruptedException {
      join().synced.await();
    }

    private synchronized Batch join() {
      open.lines.writeBytes(LINE);
      notifyAll();
      return open;
    }

    private synchronized Batch take() throws InterruptedException {
      while (open.lines.size() == 0) {
        wait();
      }
      Batch taken = open;
      open = new Batch();
      return taken;
    }

    private void run() {
      try {
        while (true) {
          Batch batch = take();
          ByteBuffer lines = ByteBuffer.wrap(batch.lines.toByteArray());
          while (lines.hasRemaining()) {
            var _ = channel.write(lines);
          }
          channel.force(false);
          batch.synced.countDown();
        }
      } catch (IOException | InterruptedException e) {
        // Closed.
      }
    }

    @Override
    public void close() throws IOException {
      loop.interrupt();
      channel.close();
    }
  }
}

package dev.parley.filelog.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.core.AppendException;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process that appends, and prints each acknowledgement before it continues.
 *
 * <p>Each thread is a sender of its own and numbers its messages in {@code key}. Reads {@code go
 * <n>} (append n more messages) and {@code stop} from its input. At the end of its input it
 * completes the requested messages and ends.
 */
final class WriterMain {
  private final FileLog log;
  private final Topic topic;
  private final PayloadSizes sizes;
  private final int maxBatch;
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private long left;
  private boolean ending;

  private WriterMain(Path folder, Topic topic, int lineLimit, PayloadSizes sizes, int maxBatch) {
    this.log =
        new FileLog(folder, new Limits(lineLimit, Limits.DEFAULT_DEPTH), PollingInterval.DEFAULT);
    this.topic = topic;
    this.sizes = sizes;
    this.maxBatch = maxBatch;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    String sender = args[2];
    long seed = Long.parseLong(args[3]);
    int threads = Integer.parseInt(args[6]);
    WriterMain writer =
        new WriterMain(
            folder,
            new Topic(args[1]),
            Integer.parseInt(args[4]),
            PayloadSizes.valueOf(args[5]),
            Integer.parseInt(args[7]));
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      String name = sender + "-" + i;
      Random random = new Random(seed + i);
      running.add(Thread.ofPlatform().start(() -> writer.run(name, random)));
    }
    writer.print("ready\n");
    writer.obey(new BufferedReader(new InputStreamReader(System.in, US_ASCII)));
    for (Thread thread : running) {
      thread.join();
    }
    writer.log.close();
  }

  private void obey(BufferedReader commands) throws IOException {
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      synchronized (this) {
        left = line.equals("stop") ? 0 : left + Long.parseLong(line.substring("go ".length()));
        notifyAll();
      }
    }
    synchronized (this) {
      ending = true;
      notifyAll();
    }
  }

  /** The number of messages that this thread may append next; 0 at the end. */
  private synchronized int take(int wanted) throws InterruptedException {
    while (left == 0 && !ending) {
      wait();
    }
    int taken = (int) Math.min(left, wanted);
    left -= taken;
    return taken;
  }

  /** A payload and its hash. */
  private record Body(Json payload, long hash) {
    static Body of(Json payload) {
      return new Body(payload, Ack.hash(payload));
    }
  }

  private void run(String sender, Random random) {
    // Made beforehand, because making a huge payload takes longer than storing it, and then few
    // kills would hit a write.
    List<Body> huge = new ArrayList<>();
    for (int i = 0; sizes == PayloadSizes.HUGE && i < 3; i++) {
      huge.add(Body.of(sizes.payload(random)));
    }
    try {
      long n = 0;
      for (int count = take(1); count > 0; count = take(1 + random.nextInt(maxBatch))) {
        List<Message> messages = new ArrayList<>();
        List<Long> hashes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          Body body =
              huge.isEmpty()
                  ? Body.of(sizes.payload(random))
                  : huge.get(random.nextInt(huge.size()));
          hashes.add(body.hash);
          messages.add(
              Message.builder(sender, "proof")
                  .key(Long.toString(++n))
                  .payload(body.payload)
                  .build());
        }
        append(messages, hashes);
      }
    } catch (InterruptedException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void append(List<Message> messages, List<Long> hashes) throws IOException {
    List<Stored> stored;
    String trouble = "";
    try {
      stored = log.append(topic, messages);
    } catch (AppendException e) {
      stored = e.stored();
      trouble =
          (e.kind() == ParleyException.Kind.UNKNOWN ? "unknown " : "failed ") + e.what() + "\n";
    }
    StringBuilder acks = new StringBuilder();
    for (int i = 0; i < stored.size(); i++) {
      acks.append(Ack.of(messages.get(i), stored.get(i), hashes.get(i))).append('\n');
    }
    print(acks + trouble);
  }

  private void print(String text) throws IOException {
    synchronized (out) {
      out.write(text.getBytes(US_ASCII));
    }
  }
}

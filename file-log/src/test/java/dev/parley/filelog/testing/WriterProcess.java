package dev.parley.filelog.testing;

import dev.parley.core.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** A {@link WriterMain} process, seen from the test. */
public final class WriterProcess extends TestProcess {
  private static int count;

  private WriterProcess(TestFolder home, String name, List<String> command) throws IOException {
    super(home, name, command);
  }

  /** The behaviour of a writer; the names of its senders are generated. */
  public record Plan(
      TestFolder home, Topic topic, int lineLimit, PayloadSizes sizes, int threads, int batch) {
    public static Plan small(TestFolder home, Topic topic) {
      return new Plan(home, topic, 1 << 20, PayloadSizes.SMALL, 1, 1);
    }

    public Plan with(PayloadSizes other, int limit) {
      return new Plan(home, topic, limit, other, threads, batch);
    }

    public Plan with(int moreThreads, int largerBatch) {
      return new Plan(home, topic, lineLimit, sizes, moreThreads, largerBatch);
    }

    /** Starts a process, which waits for its first command. */
    public WriterProcess start(Random random) throws IOException {
      String sender = "w" + ++count;
      List<String> arguments =
          List.of(
              home.path().toString(),
              topic.name(),
              sender,
              Long.toString(random.nextLong()),
              Integer.toString(lineLimit),
              sizes.name(),
              Integer.toString(threads),
              Integer.toString(batch));
      return new WriterProcess(home, sender, java(WriterMain.class, arguments));
    }
  }

  public void awaitReady() {
    await("writer started").until(() -> printed() > 0);
  }

  public void go(long messages) throws IOException {
    say("go " + messages);
  }

  /** Waits until it has acknowledged about so many more messages. */
  public void awaitProgress(int messages) {
    awaitProgressSince(printed(), messages);
  }

  /** Waits until it has acknowledged about so many messages since it had printed so much. */
  public void awaitProgressSince(long printed, int messages) {
    long bytes = printed + 40L * messages;
    await("a writer's progress").until(() -> printed() > bytes || !isAlive());
  }

  public List<Ack> acks() throws IOException {
    return lines().stream().filter(line -> line.startsWith("ack ")).map(Ack::parse).toList();
  }

  /** Its output besides acknowledgements: appends that failed or have an unknown outcome. */
  public List<String> troubles() throws IOException {
    return lines().stream()
        .filter(line -> !line.startsWith("ack ") && !line.equals("ready"))
        .toList();
  }
}

package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.coordination.Team;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.core.bus.Bus;
import dev.parley.core.store.Views;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;

/**
 * Wants a path that others want as well, again and again.
 *
 * <pre>
 * folder name count   ready, then done nanos-of-a-hand-over    the median of its own
 * </pre>
 *
 * Who holds the path counts on in a file beside the bus, by reading and writing as nobody may who
 * is not alone; and notes when it gives back, from which the next one takes the time.
 */
public final class Contending implements Role {
  private static final Duration WAIT = Duration.ofMinutes(2);
  private static final String FILE = "counter";

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String folder = cue.word();
    String name = cue.word();
    int count = cue.number();
    try (Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports());
        FileChannel counter =
            FileChannel.open(
                Path.of(folder).resolveSibling(Path.of(folder).getFileName() + "-" + FILE),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      Team team = new Team(bus.log(), Views.inMemory(), new ParleyCarrier.Reports());
      Locks locks = team.locks(team.join(name));
      LockRequest wanted = LockRequest.of("src/main/java/Main.java");
      stage.say("ready");
      long[] handOvers = new long[count];
      for (int i = 0; i < count; i++) {
        Grant grant = locks.lock(wanted, WAIT);
        long now = System.nanoTime();
        long[] noted = read(counter);
        handOvers[i] = now - noted[1];
        write(counter, noted[0] + 1, System.nanoTime());
        locks.release(grant.token());
      }
      Arrays.sort(handOvers);
      stage.say("done", handOvers[count / 2]);
    }
  }

  private static long[] read(FileChannel counter) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(16);
    int read = counter.read(buffer, 0);
    return read < 16 ? new long[2] : new long[] {buffer.getLong(0), buffer.getLong(8)};
  }

  private static void write(FileChannel counter, long count, long time) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(16).putLong(count).putLong(time).flip();
    int written = counter.write(buffer, 0);
    if (written != 16) {
      throw new IOException("short write");
    }
  }

  /** How often the path was held by someone who was alone. */
  public static long count(Path folder) throws IOException {
    Path file = folder.resolveSibling(folder.getFileName() + "-" + FILE);
    try (FileChannel counter = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(counter)[0];
    }
  }
}

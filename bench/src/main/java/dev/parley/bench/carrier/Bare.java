package dev.parley.bench.carrier;

import dev.parley.filelog.linux.SystemCalls;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The physical limit: the system calls that any such log needs, and nothing else.
 *
 * <p>One message at a time costs a write and the question where it ended, called as the log calls
 * them; several at a time only the write.
 *
 * @param asks whether it does ask: nobody could know without that where a message is
 */
public record Bare(boolean asks) implements Carrier {
  private static final int READ = 256 * 1024;
  private static final long PAUSE = 20_000;

  private static Path file(String place) {
    return Path.of(place, "lines.jsonl");
  }

  private static FileChannel open(String place) throws IOException {
    try {
      Files.createFile(file(place));
    } catch (java.nio.file.FileAlreadyExistsException e) {
      // The other process was first.
    }
    return FileChannel.open(file(place), StandardOpenOption.READ);
  }

  @Override
  public Sender sender(String place, int batch) throws IOException {
    int flags = SystemCalls.WRITE_ONLY | SystemCalls.APPEND | SystemCalls.CREATE;
    int number = SystemCalls.open(file(place), flags);
    return new BareSender(new SystemCalls.OpenFile(number), batch, asks && batch == 1);
  }

  private static final class BareSender implements Sender {
    private final SystemCalls.OpenFile file;
    private final ByteBuffer buffer;
    private final MemorySegment memory;
    private final boolean asks;
    private final Text text = Text.line();
    private long ends;

    BareSender(SystemCalls.OpenFile file, int batch, boolean asks) {
      this.file = file;
      this.asks = asks;
      this.buffer = ByteBuffer.allocateDirect(batch * Text.LENGTH);
      this.memory = MemorySegment.ofBuffer(buffer);
    }

    @Override
    public void send(long stamp) throws IOException {
      buffer.put(stamp == 0 ? text.bytes() : text.stamp(stamp));
      if (!buffer.hasRemaining()) {
        flush();
        if (asks) {
          ends += file.at();
        }
      }
    }

    @Override
    public void flush() throws IOException {
      buffer.flip();
      while (buffer.hasRemaining()) {
        int count = file.write(memory, buffer.position(), buffer.remaining());
        buffer.position(buffer.position() + count);
      }
      buffer.clear();
    }

    @Override
    public void close() throws IOException {
      file.close();
      if (ends < 0) {
        throw new IOException("ends add up to " + ends);
      }
    }
  }

  @Override
  public Counter counter(String place) throws IOException {
    FileChannel channel = open(place);
    return new Counter() {
      private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ);
      private final byte[] bytes = new byte[READ];

      @Override
      public long take() throws IOException {
        buffer.clear();
        int count = channel.read(buffer);
        if (count <= 0) {
          LockSupport.parkNanos(PAUSE);
          return 0;
        }
        buffer.flip().get(bytes, 0, count);
        long lines = 0;
        for (int i = 0; i < count; i++) {
          if (bytes[i] == '\n') {
            lines++;
          }
        }
        return lines;
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /** Woken by the system's file watch, as anyone who keeps to the JDK has to be. */
  @Override
  public Closeable listener(String place, LongConsumer onStamp) throws IOException {
    FileChannel channel = open(place);
    WatchService watch = file(place).getFileSystem().newWatchService();
    WatchKey _ = Path.of(place).register(watch, StandardWatchEventKinds.ENTRY_MODIFY);
    Thread _ = Thread.ofPlatform().daemon().start(() -> listen(channel, watch, onStamp));
    return () -> {
      watch.close();
      channel.close();
    };
  }

  private static void listen(FileChannel channel, WatchService watch, LongConsumer onStamp) {
    byte[] bytes = new byte[READ];
    try {
      while (true) {
        WatchKey key = watch.take();
        var _ = key.pollEvents();
        int count = channel.read(ByteBuffer.wrap(bytes));
        for (int from = 0; from < count; from += Text.LENGTH) {
          onStamp.accept(Text.stampIn(bytes, from));
        }
        key.reset();
      }
    } catch (IOException | InterruptedException | ClosedWatchServiceException e) {
      // Closed.
    }
  }
}

package dev.parley.filelog.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A disk in memory with one file. Writes are ordered, as the kernel orders them. */
public final class MemoryDisk implements Disk {
  private byte[] bytes = {};

  /** The content of the file. */
  public synchronized byte[] content() {
    return bytes;
  }

  private synchronized int append(ByteBuffer more) {
    int count = more.remaining();
    byte[] longer = Arrays.copyOf(bytes, bytes.length + count);
    more.get(longer, bytes.length, count);
    bytes = longer;
    return count;
  }

  @Override
  public @Nullable FileState state(Path path) {
    return new FileState(this, content().length);
  }

  @Override
  public Appender append(Path path) {
    return new File();
  }

  @Override
  public @Nullable Reader read(Path path) {
    return new File();
  }

  @Override
  public void syncFolder(Path folder) {}

  private final class File implements Appender, Reader {
    @Override
    public Object key() {
      return MemoryDisk.this;
    }

    @Override
    public long size() {
      return content().length;
    }

    @Override
    public long sizeInPlace() {
      return size();
    }

    @Override
    public int write(ByteBuffer more) {
      return append(more);
    }

    @Override
    public void sync() {}

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
      byte[] now = content();
      int count = Math.clamp(now.length - at, 0, into.remaining());
      into.put(now, (int) at, count);
      return count;
    }

    @Override
    public void close() {}
  }
}

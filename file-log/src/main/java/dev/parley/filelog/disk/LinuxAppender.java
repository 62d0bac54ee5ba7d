package dev.parley.filelog.disk;

import dev.parley.filelog.linux.LinuxStat;
import dev.parley.filelog.linux.SystemCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file open for appending, through {@link SystemCalls}. One {@code statx} of the path tells
 * whether it is still the same file, and its size.
 */
final class LinuxAppender implements Disk.Appender {
  private final Object key;
  private final SystemCalls.OpenFile file;
  private final LinuxStat stat = new LinuxStat();
  private final LinuxStat.FileId id;
  private final Path path;
  private final Memory written = new Memory();
  private final Memory read = new Memory();

  private LinuxAppender(Path path, Object key, SystemCalls.OpenFile file) throws IOException {
    this.key = key;
    this.file = file;
    this.path = path;
    stat.of(file);
    this.id = stat.id();
  }

  static LinuxAppender open(Path path, Object key) throws IOException {
    int number =
        SystemCalls.open(path, SystemCalls.READ_WRITE | SystemCalls.APPEND | SystemCalls.NO_FOLLOW);
    return new LinuxAppender(path, key, new SystemCalls.OpenFile(number));
  }

  @Override
  public Object key() {
    return key;
  }

  @Override
  public long size() throws IOException {
    stat.of(file);
    return stat.size();
  }

  @Override
  public long sizeInPlace() throws IOException {
    return stat.at(path) && stat.id().equals(id) ? stat.size() : ELSEWHERE;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    ByteBuffer direct = bytes.isDirect() ? bytes : direct(bytes);
    int count = file.write(written.of(direct), direct.position(), direct.remaining());
    bytes.position(bytes.position() + count);
    return count;
  }

  private static ByteBuffer direct(ByteBuffer bytes) {
    return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  @Override
  public int readBack(ByteBuffer into, long at) throws IOException {
    MemorySegment memory = read.of(into);
    int total = 0;
    while (into.hasRemaining()) {
      int count = file.read(memory, into.position(), into.remaining(), at + total);
      if (count == 0) {
        break;
      }
      into.position(into.position() + count);
      total += count;
    }
    return total;
  }

  /** The memory of the last direct buffer, which is nearly always the next one too. */
  private static final class Memory {
    private @Nullable ByteBuffer buffer;
    private MemorySegment memory = MemorySegment.NULL;

    @SuppressWarnings("ReferenceEquality") // equal buffers are not the same memory
    MemorySegment of(ByteBuffer bytes) {
      if (bytes != buffer) {
        buffer = bytes;
        memory = MemorySegment.ofBuffer(bytes.duplicate().clear());
      }
      return memory;
    }
  }

  @Override
  public boolean knowsEnd() {
    return true;
  }

  @Override
  public long end() throws IOException {
    return file.at();
  }

  @Override
  public void sync() throws IOException {
    file.sync();
  }

  @Override
  public void close() {
    file.close();
  }
}

package dev.parley.filelog;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file open for appending, through {@link SystemCalls}.
 *
 * <p>One look at the open file tells its size and whether it was deleted or another was put in its
 * place: then it has a name less. What that does not tell is that it was moved away and kept under
 * another name, so the path itself is looked at as well, but not each time: what was appended in
 * between is where all that was appended before the move is.
 */
final class LinuxAppender implements Disk.Appender {
  /** How long a look at the path is good for. */
  static final long PATH_LASTS = 1_000_000; // ns

  private final Disk disk;
  private final Path path;
  private final Object key;
  private final SystemCalls.OpenFile file;
  private int links;
  private long pathSeen;
  private boolean looked;
  private final Memory written = new Memory();
  private final Memory read = new Memory();

  private LinuxAppender(Disk disk, Path path, Object key, SystemCalls.OpenFile file) {
    this.disk = disk;
    this.path = path;
    this.key = key;
    this.file = file;
  }

  static LinuxAppender open(Disk disk, Path path, Object key) throws IOException {
    int number =
        SystemCalls.open(path, SystemCalls.READ_WRITE | SystemCalls.APPEND | SystemCalls.NO_FOLLOW);
    return new LinuxAppender(disk, path, key, new SystemCalls.OpenFile(number));
  }

  @Override
  public Object key() {
    return key;
  }

  @Override
  public long size() throws IOException {
    file.look();
    return file.size();
  }

  @Override
  public long sizeInPlace() throws IOException {
    file.look();
    long now = System.nanoTime();
    if (!looked || file.links() != links || now - pathSeen >= PATH_LASTS) {
      Disk.@Nullable FileState there = disk.state(path);
      if (there == null || !there.key().equals(key)) {
        return ELSEWHERE;
      }
      links = file.links();
      pathSeen = now;
      looked = true;
    }
    return file.size();
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

  /** All of a direct buffer, from its place 0 on; nearly always it is the same one again. */
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

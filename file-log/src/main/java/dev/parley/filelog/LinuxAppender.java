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
  private @Nullable ByteBuffer buffer;
  private MemorySegment memory = MemorySegment.NULL;

  private LinuxAppender(Disk disk, Path path, Object key, SystemCalls.OpenFile file) {
    this.disk = disk;
    this.path = path;
    this.key = key;
    this.file = file;
  }

  static LinuxAppender open(Disk disk, Path path, Object key) throws IOException {
    int number =
        SystemCalls.open(path, SystemCalls.WRITE_ONLY | SystemCalls.APPEND | SystemCalls.NO_FOLLOW);
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
    int count = file.write(memory(bytes), bytes.position(), bytes.remaining());
    bytes.position(bytes.position() + count);
    return count;
  }

  /** All of a buffer, from its place 0 on; nearly always it is the same one again. */
  @SuppressWarnings("ReferenceEquality") // equal buffers are not the same memory
  private MemorySegment memory(ByteBuffer bytes) {
    if (!bytes.isDirect()) {
      ByteBuffer all = bytes.duplicate().clear();
      return MemorySegment.ofBuffer(ByteBuffer.allocateDirect(all.capacity()).put(all).flip());
    }
    if (bytes != buffer) {
      buffer = bytes;
      memory = MemorySegment.ofBuffer(bytes.duplicate().clear());
    }
    return memory;
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

package dev.parley.filelog.disk;

import dev.parley.filelog.linux.LinuxStat;
import dev.parley.filelog.linux.SystemCalls;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The file system, through {@link FileChannel} or, where they are allowed, {@link SystemCalls}. */
public final class RealDisk implements Disk {
  private static final Set<OpenOption> APPEND =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /** A {@code LinuxStat} for reuse; null while a thread uses it. */
  private final AtomicReference<@Nullable LinuxStat> idle = new AtomicReference<>();

  @Override
  public @Nullable FileState state(Path path) throws IOException {
    if (SystemCalls.areAllowed()) {
      return linuxState(path);
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return new FileState(key(path, attributes), attributes.size());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private @Nullable FileState linuxState(Path path) throws IOException {
    LinuxStat stat = Objects.requireNonNullElseGet(idle.getAndSet(null), LinuxStat::new);
    try {
      return stat.at(path) ? new FileState(stat.id(), stat.size()) : null;
    } finally {
      idle.set(stat);
    }
  }

  private static Object key(Path path, BasicFileAttributes attributes) {
    return Objects.requireNonNullElse(attributes.fileKey(), path);
  }

  @Override
  public Appender append(Path path) throws IOException {
    while (true) {
      try {
        return open(
            path,
            key ->
                SystemCalls.areAllowed()
                    ? LinuxAppender.open(path, key)
                    : new Channel(this, path, FileChannel.open(path, APPEND), key));
      } catch (NoSuchFileException e) {
        SafeFiles.createFile(path);
      }
    }
  }

  @Override
  public @Nullable Reader read(Path path) throws IOException {
    try {
      return open(path, key -> new Channel(this, path, FileChannel.open(path, READ), key));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      force(channel);
    }
  }

  /**
   * Syncs on a separate thread, because an interrupt of this one would close the channel and hide
   * the result of the sync. The kernel reports a failed sync only once.
   */
  static void force(FileChannel channel) throws IOException {
    AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    CompletableFuture.runAsync(
            () -> {
              try {
                channel.force(false);
              } catch (IOException e) {
                failure.set(e);
              }
            },
            Thread::startVirtualThread)
        .join();
    IOException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  /**
   * Opens the file at a path and finds its key. A channel does not tell the key of its file, so the
   * path is asked before and after opening, until both agree.
   */
  private <T extends Closeable> T open(Path path, Opener<T> opener) throws IOException {
    while (true) {
      FileState before = state(path);
      if (before == null) {
        throw new NoSuchFileException(path.toString());
      }
      SafeFiles.check(path, SafeFiles.Kind.FILE);
      checkLinks(path, before.key());
      T file = opener.open(before.key());
      FileState after = state(path);
      if (after != null && before.key().equals(after.key())) {
        return file;
      }
      file.close();
    }
  }

  private void checkLinks(Path path, Object key) throws IOException {
    if (HardLinkCheck.has(path)) {
      try (Channel file = new Channel(this, path, FileChannel.open(path, READ), key)) {
        if (!HardLinkCheck.isOfTopic(path, file)) {
          throw new UnsafeFileException(path, HardLinkCheck.PROBLEM);
        }
      }
    }
  }

  private interface Opener<T> {
    T open(Object key) throws IOException;
  }

  private record Channel(RealDisk disk, Path path, FileChannel channel, Object key)
      implements Appender, Reader {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public long sizeInPlace() throws IOException {
      FileState there = disk.state(path);
      return there != null && there.key().equals(key) ? there.size() : ELSEWHERE;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      return channel.write(bytes);
    }

    @Override
    public void sync() throws IOException {
      force(channel);
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
      int total = 0;
      while (into.hasRemaining()) {
        int count = channel.read(into, at + total);
        if (count < 0) {
          break;
        }
        total += count;
      }
      return total;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}

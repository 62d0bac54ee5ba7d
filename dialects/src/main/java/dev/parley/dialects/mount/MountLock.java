package dev.parley.dialects.mount;

import dev.parley.dialects.file.ForeignFile;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The right to work on a mount, held by one thread of one process of this bus. The system releases
 * it when the process ends, so a killed bridge blocks nobody. While a stopped bridge holds it,
 * others leave the mount alone.
 */
final class MountLock implements AutoCloseable {
  private static final Duration RETRY = Duration.ofMillis(2);

  /** A file lock belongs to the whole process, so its threads need a lock of their own. */
  private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

  private final ReentrantLock thread;
  private final FileChannel channel;

  private MountLock(ReentrantLock thread, FileChannel channel) {
    this.thread = thread;
    this.channel = channel;
  }

  /** Takes the lock; null if another process or thread held it all the time. */
  static @Nullable MountLock take(Path bus, String mount, Duration patience)
      throws InterruptedException {
    Path file = bus.resolve("mounts").resolve(mount + ".lock");
    ReentrantLock thread = THREADS.computeIfAbsent(file, path -> new ReentrantLock());
    long end = System.nanoTime() + patience.toNanos();
    if (!thread.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      return null;
    }
    FileChannel channel = null;
    try {
      SafeFiles.createFolder(bus.resolve("mounts"));
      SafeFiles.createFile(file);
      channel = FileChannel.open(file, StandardOpenOption.WRITE);
      while (true) {
        FileLock lock = channel.tryLock();
        if (lock != null) {
          return new MountLock(thread, channel);
        }
        if (System.nanoTime() - end >= 0) {
          close(thread, channel);
          return null;
        }
        LockSupport.parkNanos(RETRY.toNanos());
      }
    } catch (IOException e) {
      close(thread, channel);
      throw ForeignFile.trouble("Locking", file, e);
    }
  }

  private static void close(ReentrantLock thread, @Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The system releases it at the latest when this process ends.
    } finally {
      thread.unlock();
    }
  }

  @Override
  public void close() {
    close(thread, channel);
  }
}

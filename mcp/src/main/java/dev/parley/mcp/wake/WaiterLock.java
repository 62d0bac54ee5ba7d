package dev.parley.mcp.wake;

import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Held by the one process that waits to wake an agent. A lock is used because, unlike a process id,
 * it always ends with the process.
 */
public final class WaiterLock implements AutoCloseable {
  private static final int TRIES = 20;
  private static final int PAUSE_MILLIS = 10;

  private final FileChannel channel;

  private WaiterLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock; null if another process holds it. */
  public static @Nullable WaiterLock take(Path bus, String agent)
      throws IOException, InterruptedException {
    Path file = file(bus, agent);
    SafeFiles.createFolder(file.resolveSibling("."));
    SafeFiles.createFile(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    // A check by {@link #isHeld} takes the lock for a moment, so one try is not enough.
    for (int tries = 0; tries < TRIES; tries++) {
      if (lock(channel) != null) {
        return new WaiterLock(channel);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    channel.close();
    return null;
  }

  /** Whether a process waits to wake the agent. */
  public static boolean isHeld(Path bus, String agent) {
    Path file = file(bus, agent);
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return lock(channel) == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this process
    }
  }

  private static Path file(Path bus, String agent) {
    return bus.resolve("hooks").resolve(agent + ".wait");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

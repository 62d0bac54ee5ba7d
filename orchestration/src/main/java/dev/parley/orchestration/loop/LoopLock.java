package dev.parley.orchestration.loop;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code .ralph.lock}: one loop in a folder at a time. The file has the process id, as other tools
 * write it; what counts for ours is the lock that is held on it.
 *
 * <p>A file that another tool wrote is in force if a process with its id runs that began before the
 * file was written. An id alone proves nothing: it may be another process by now.
 */
final class LoopLock implements AutoCloseable {
  static final String FILE = ".ralph.lock";
  private static final int LONGEST = 32;

  private final Path file;
  private final FileChannel channel;

  private LoopLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  static LoopLock take(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    while (true) {
      Instant written = Files.exists(file) ? Files.getLastModifiedTime(file).toInstant() : null;
      if (written == null) {
        create(file);
      }
      Object key = key(file);
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        FileLock lock = lock(channel);
        long pid = pid(channel);
        if (lock == null || (written != null && isAlive(pid, written))) {
          channel.close();
          throw ParleyException.refused(
              "loop-running",
              "A loop is at work in " + folder + ", process " + pid + ".",
              "Wait for it, end it, or work in another worktree.");
        }
        // The previous owner may have deleted the file between our open and our lock.
        if (key != null && key.equals(key(file))) {
          channel.truncate(0);
          byte[] own =
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
          channel.write(ByteBuffer.wrap(own), 0);
          return new LoopLock(file, channel);
        }
        channel.close();
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }
  }

  private static void create(Path file) throws IOException {
    try {
      var _ = Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // Another process was faster.
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another loop of this process holds it
    }
  }

  private static long pid(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(LONGEST);
    channel.read(text, 0);
    String digits = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    return digits.matches("\\d{1,10}") ? Long.parseLong(digits) : 0;
  }

  private static boolean isAlive(long pid, Instant written) {
    Optional<ProcessHandle> process = pid <= 1 ? Optional.empty() : ProcessHandle.of(pid);
    return pid != ProcessHandle.current().pid()
        && process.isPresent()
        && process.get().info().startInstant().map(start -> start.isBefore(written)).orElse(true)
        && !process.get().info().command().orElse("").isEmpty();
  }

  /**
   * The identity of the file. It must not be opened for that: closing it would release our lock.
   */
  private static @Nullable Object key(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    channel.close();
  }
}

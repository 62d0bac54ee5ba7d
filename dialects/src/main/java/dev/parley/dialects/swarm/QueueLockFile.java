package dev.parley.dialects.swarm;

import dev.parley.core.ParleyException;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.ForeignFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The design's lock on a queue: a file {@code <queue>.lock} that only one can create, with the
 * owner's process and the time in milliseconds.
 *
 * <pre>
 * free ──create──▶ ours ──close──▶ free
 * taken ──the owner's process has ended, and the file is older than {@link #STALE}──▶ free
 * taken for {@link #PATIENCE} ──▶ refused
 * </pre>
 */
public final class QueueLockFile implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(5);
  static final Duration STALE = Duration.ofSeconds(5);

  private static final Duration RETRY = Duration.ofMillis(5);

  private final Path file;

  private QueueLockFile(Path file) {
    this.file = file;
  }

  /** The lock file of a queue. */
  public static Path fileOf(Path queue) {
    return queue.resolveSibling(queue.getFileName() + ".lock");
  }

  static QueueLockFile take(Path queue) {
    Path file = fileOf(queue);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        Files.writeString(
            file,
            ProcessHandle.current().pid() + "\n" + System.currentTimeMillis(),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
        return new QueueLockFile(file);
      } catch (FileAlreadyExistsException e) {
        breakIfStale(file);
      } catch (IOException e) {
        throw ForeignFile.trouble("Locking", queue, e);
      }
      if (System.nanoTime() - end >= 0) {
        throw new ParleyException(
            ParleyException.Kind.FAILED,
            "queue-locked",
            queue + " is locked by another process (" + file + ").",
            "Try again. If its owner hangs, end that process.");
      }
      LockSupport.parkNanos(RETRY.toNanos());
    }
  }

  /**
   * Of several processes that find it stale, only one can move it away. If that moves another's
   * fresh lock, it is put back.
   */
  private static void breakIfStale(Path file) {
    try {
      String found = Files.readString(file);
      if (!isStale(file, found)) {
        return;
      }
      Path aside = file.resolveSibling(file.getFileName() + "." + Fingerprint.unique());
      Files.move(file, aside);
      if (!Files.readString(aside).equals(found)) {
        Files.createLink(file, aside);
      }
      Files.deleteIfExists(aside);
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      // Deleted meanwhile, which is fine, or taken anew.
    } catch (IOException e) {
      throw ForeignFile.trouble("Locking", file, e);
    }
  }

  private static boolean isStale(Path file, String content) throws IOException {
    long since = Files.getLastModifiedTime(file).toMillis();
    boolean alive = false;
    try {
      String[] lines = content.strip().split("\n", -1);
      alive = ProcessHandle.of(Long.parseLong(lines[0])).map(ProcessHandle::isAlive).orElse(false);
      since = Long.parseLong(lines[1]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // Not written yet, or not in our format: only its age counts.
    }
    return !alive && System.currentTimeMillis() - since > STALE.toMillis();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw ForeignFile.trouble("Unlocking", file, e);
    }
  }
}

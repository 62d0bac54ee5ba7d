package dev.parley.filelog;

import dev.parley.core.ParleyException;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.MachineIdentity;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A folder that is removed when its owner closes it. If the owner was killed, the next owner
 * replaces the folder.
 *
 * <p>The owner holds a file lock on {@code .pid}; the kernel releases it however the process ends.
 * The content of the file is for people. Other tools write {@code .pid} without a lock: then the
 * folder is owned while the named process runs, if that process started before the file was
 * written.
 *
 * <pre>
 * absent or stale ──create──▶ owned ──close──▶ removed
 * owned by a live process ──create──▶ refused
 * </pre>
 */
public final class EphemeralFolder implements AutoCloseable {
  private static final String PID = ".pid";
  private static final int MOST_REMOVALS = 5;
  private static final String SIGNED = "\nparley\n";

  /**
   * The folders owned by this process. An {@code fcntl} lock is lost when the process closes any
   * other descriptor of the file, so a second check must not open it.
   */
  private static final Set<Path> OWNED = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel pid;
  private boolean closed;

  private EphemeralFolder(Path path, FileChannel pid) {
    this.path = path;
    this.pid = pid;
  }

  /**
   * Makes a folder and owns it.
   *
   * @throws ParleyException REFUSED if a live process owns the folder, or it holds something that
   *     is not ephemeral
   */
  static EphemeralFolder create(Path path) {
    return create(path, signature());
  }

  /**
   * Makes a folder whose {@code .pid} contains only a process number, which is what Conclave reads.
   */
  public static EphemeralFolder createForConclave(Path path) {
    return create(path, ProcessHandle.current().pid() + "\n");
  }

  private static EphemeralFolder create(Path path, String owner) {
    Path target = path.toAbsolutePath().normalize();
    try {
      if (!OWNED.add(target)) {
        throw owned(target, "this process");
      }
      try {
        removeStale(target);
        SafeFiles.createFolder(target);
        return new EphemeralFolder(target, own(target, owner));
      } catch (IOException | RuntimeException e) {
        OWNED.remove(target);
        throw e;
      }
    } catch (IOException e) {
      throw IoErrors.reading(target.resolve(PID), e);
    }
  }

  private static void removeStale(Path folder) throws IOException {
    Path pid = folder.resolve(PID);
    if (!Files.exists(folder)) {
      return;
    }
    if (!Files.isRegularFile(pid)) {
      try (var content = Files.newDirectoryStream(folder)) {
        if (content.iterator().hasNext()) {
          throw ParleyException.refused(
              "not-ephemeral",
              folder + " exists and has no " + PID + ": it is not ephemeral.",
              "Choose another folder.");
        }
      }
      return;
    }
    Object key = key(pid);
    try (FileChannel channel =
            FileChannel.open(pid, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      String text = text(channel);
      if (lock == null) {
        throw owned(folder, "process " + text.lines().findFirst().orElse("?"));
      }
      if (!key.equals(key(pid))) {
        throw owned(folder, "another process"); // it was replaced after we opened it
      }
      if (isLiveForeignOwner(text, Files.getLastModifiedTime(pid).toInstant())) {
        throw owned(folder, "process " + text.strip());
      }
      remove(folder);
    } catch (OverlappingFileLockException e) {
      throw owned(folder, "this process");
    }
  }

  /**
   * Whether a live process owns a folder. A copied or unpacked folder can't fake that, because only
   * a running process of this machine holds the lock.
   */
  public static boolean isOwned(Path folder) throws IOException {
    if (OWNED.contains(folder)) {
      return true;
    }
    Path pid = folder.resolve(PID);
    if (!Files.isRegularFile(pid, LinkOption.NOFOLLOW_LINKS)
        || SafeFiles.problem(pid, SafeFiles.Kind.FILE) != null) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(pid, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (NoSuchFileException | AccessDeniedException e) {
      return false;
    }
  }

  private static Object key(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return key == null ? file : key;
  }

  /**
   * Reads through the channel that holds the lock: closing another channel would release the lock.
   */
  private static String text(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate((int) Math.min(channel.size(), 1024));
    int length = Math.max(0, channel.read(text, 0));
    return new String(text.array(), 0, length, StandardCharsets.UTF_8);
  }

  /** Whether another tool wrote the file and its process still runs. */
  private static boolean isLiveForeignOwner(String text, Instant written) {
    if (text.endsWith(SIGNED)) {
      return false; // we wrote it, and its lock is free: the owner has ended
    }
    try {
      return ProcessHandle.of(Long.parseLong(text.strip()))
          .map(process -> process.info().startInstant().orElse(Instant.MIN))
          .map(started -> !started.isAfter(written.plusSeconds(1)))
          .orElse(false);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static FileChannel own(Path folder, String owner) throws IOException {
    Path file = folder.resolve(PID);
    SafeFiles.createFile(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      channel.close();
      throw owned(folder, "another process");
    }
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8)));
    return channel;
  }

  private static String signature() {
    return ProcessHandle.current().pid()
        + "\nstarted "
        + ProcessHandle.current().info().startInstant().map(String::valueOf).orElse("?")
        + "\nboot "
        + MachineIdentity.boot()
        + SIGNED;
  }

  private static ParleyException owned(Path folder, String owner) {
    return ParleyException.refused(
        "owned",
        folder + " is the bus of " + owner + ", which is alive.",
        "Choose another folder, or end that process.");
  }

  public Path path() {
    return path;
  }

  /** Removes the folder and everything in it. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      remove(path);
      pid.close();
    } catch (IOException e) {
      throw IoErrors.reading(path.resolve(PID), e);
    } finally {
      OWNED.remove(path);
    }
  }

  /** Retried a few times, because other processes may still write into the folder. */
  private static void remove(Path folder) throws IOException {
    for (int i = 1; i < MOST_REMOVALS; i++) {
      try {
        removeOnce(folder);
        return;
      } catch (DirectoryNotEmptyException e) {
        Thread.onSpinWait();
      }
    }
    removeOnce(folder);
  }

  private static void removeOnce(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}

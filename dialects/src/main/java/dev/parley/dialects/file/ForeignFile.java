package dev.parley.dialects.file;

import dev.parley.core.ParleyException;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads and writes a file that other tools read and write too. */
public final class ForeignFile {
  private static final String TROUBLE = "foreign-file";

  private ForeignFile() {}

  /** The whole content; empty if there is no file. */
  public static byte[] read(Path file) {
    return read(file, 0);
  }

  /** The content after an offset; empty if there is none. */
  public static byte[] read(Path file, long from) {
    return read(file, from, Long.MAX_VALUE);
  }

  /** The content after an offset, at most this many bytes. */
  public static byte[] read(Path file, long from, long atMost) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = Math.clamp(channel.size() - from, 0, atMost);
      if (length > Integer.MAX_VALUE - 8) {
        throw new IOException("too large to be read at once");
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) length);
      while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
        // Read on until the end.
      }
      return buffer.hasRemaining()
          ? Arrays.copyOf(buffer.array(), buffer.position())
          : buffer.array();
    } catch (NoSuchFileException e) {
      return new byte[0];
    } catch (IOException e) {
      throw trouble("Reading", file, e);
    }
  }

  /**
   * Appends with a single write, so that no other program's text comes between. Creates the file if
   * it is missing.
   */
  public static void append(Path file, byte[] text) {
    try {
      SafeFiles.createFile(file);
      ByteBuffer rest = ByteBuffer.wrap(text);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
        channel.write(rest);
      }
      if (rest.hasRemaining()) {
        throw new IOException("only " + rest.position() + " of " + text.length + " bytes fitted");
      }
    } catch (IOException e) {
      throw trouble("Writing", file, e);
    }
  }

  /** Creates a file with this content unless one exists. Readers see all of it or nothing. */
  public static void create(Path file, byte[] content) {
    if (Files.exists(file)) {
      return;
    }
    var _ =
        byWayOfAnother(
            file,
            content,
            temporary -> {
              try {
                // Unlike a rename, a link fails if another program created the file first.
                Files.createLink(file, temporary);
                return true;
              } catch (FileAlreadyExistsException e) {
                return false;
              }
            });
  }

  /** Replaces a file: readers see the old content or the new, never a part. The mode stays. */
  public static void replace(Path file, byte[] content) {
    var _ = replace(file, content, temporary -> true);
  }

  /**
   * Replaces a file if that is still wanted at the last moment. While the temporary file exists,
   * the file was not replaced.
   *
   * @param ready called with the complete temporary file just before it takes the file's place
   * @return whether the file was replaced
   */
  public static boolean replace(Path file, byte[] content, Predicate<Path> ready) {
    return byWayOfAnother(
        file,
        content,
        temporary -> {
          keepMode(file, temporary);
          boolean wanted = ready.test(temporary);
          if (wanted) {
            Files.move(
                temporary,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
          }
          return wanted;
        });
  }

  /** The step that turns a temporary file into the file; false if it was not taken. */
  private interface LastStep {
    boolean take(Path temporary) throws IOException;
  }

  /** If the step fails, the temporary file stays: it shows that the step was not taken. */
  private static boolean byWayOfAnother(Path file, byte[] content, LastStep step) {
    Path temporary = temporary(file);
    try {
      write(temporary, content);
      boolean taken = step.take(temporary);
      Files.deleteIfExists(temporary);
      return taken;
    } catch (IOException e) {
      throw trouble("Writing", file, e);
    }
  }

  /** An unused name beside a file. */
  static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".tmp." + Fingerprint.unique());
  }

  /** The temporary files beside a file that killed processes left. */
  public static List<Path> leftBeside(Path file) {
    String beginning = file.getFileName() + ".tmp.";
    Path folder = file.toAbsolutePath().getParent();
    List<Path> left = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(folder, entry -> isTemporary(entry, beginning))) {
      entries.forEach(left::add);
    } catch (NoSuchFileException e) {
      return left;
    } catch (IOException | DirectoryIteratorException e) {
      throw trouble("Reading", file, new IOException(e));
    }
    return left;
  }

  private static boolean isTemporary(Path path, String beginning) {
    String name = path.getFileName().toString();
    return name.startsWith(beginning) && name.substring(beginning.length()).matches("[0-9a-f]{32}");
  }

  static void write(Path temporary, byte[] content) throws IOException {
    SafeFiles.createFile(temporary);
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  /**
   * Detects a change of a file without reading it.
   *
   * @param taken when this stamp was taken
   */
  public record Stamp(@Nullable Object key, long size, @Nullable FileTime modified, Instant taken) {
    /**
     * Timestamps are coarse: a file written this shortly before it was checked may change again
     * with the same time.
     */
    private static final Duration COARSE = Duration.ofMillis(100);

    /** Whether the file has certainly not changed. */
    public boolean isOf(Path file) {
      Stamp now = stamp(file);
      return Objects.equals(now.key, key)
          && now.size == size
          && Objects.equals(now.modified, modified)
          && modified != null
          && modified.toInstant().isBefore(taken.minus(COARSE));
    }
  }

  public static Stamp stamp(Path file) {
    Instant now = Instant.now();
    try {
      BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(is.fileKey(), is.size(), is.lastModifiedTime(), now);
    } catch (IOException e) {
      return new Stamp(null, 0, null, now); // no file: reading finds that too
    }
  }

  /** Creates the folder of a file. */
  public static void createFolderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      if (folder != null) {
        SafeFiles.createFolder(folder);
      }
    } catch (IOException e) {
      throw trouble("Making", folder, e);
    }
  }

  /** Deletes a file if it exists. */
  public static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw trouble("Deleting", file, e);
    }
  }

  static void keepMode(Path file, Path temporary) throws IOException {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
      Files.setPosixFilePermissions(temporary, mode);
    } catch (NoSuchFileException e) {
      // A new file stays private, like all of ours.
    }
  }

  /**
   * Returns if the error is about a foreign file; otherwise throws it again.
   *
   * @throws ParleyException the given error, if it is about something else
   */
  public static void checkIsTrouble(ParleyException e) {
    if (!e.code().equals(TROUBLE) && !e.code().equals(Flock.TAKEN)) {
      throw e;
    }
  }

  /** The error for a foreign file that can't be used. */
  public static ParleyException trouble(String doing, Path file, IOException cause) {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        TROUBLE,
        doing + " " + file + " failed: " + cause.getMessage() + ".",
        "Check that the file exists, that you may write it, and that the disk has room.",
        cause);
  }
}

package dev.parley.filelog.disk;

import dev.parley.filelog.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates and checks files that only their owner may read, whatever the umask. */
public final class SafeFiles {
  public static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  public static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private static final FileAttribute<Set<PosixFilePermission>> AS_FILE =
      PosixFilePermissions.asFileAttribute(FILE);
  private static final FileAttribute<Set<PosixFilePermission>> AS_FOLDER =
      PosixFilePermissions.asFileAttribute(FOLDER);

  private SafeFiles() {}

  /** Creates an empty file unless the path exists. */
  public static void createFile(Path path) throws IOException {
    try {
      Files.createFile(path, AS_FILE);
    } catch (FileAlreadyExistsException e) {
      return; // another process was faster; the file is checked when it is opened
    }
    try {
      Files.setPosixFilePermissions(path, FILE); // the umask may have removed bits
    } catch (NoSuchFileException e) {
      // Another process has already removed it, which opening it will report.
    }
  }

  /** Creates a folder unless the path exists. Missing parents get the permissions of the umask. */
  public static void createFolder(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(path, AS_FOLDER);
      Files.setPosixFilePermissions(path, FOLDER);
    } catch (FileAlreadyExistsException e) {
      // As above.
    }
  }

  /** Creates a folder and its missing parents, accessible to their owner only. */
  public static void createPrivateFolders(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return;
    }
    Path parent = path.getParent();
    if (parent != null) {
      createPrivateFolders(parent);
    }
    try {
      Files.createDirectory(path, AS_FOLDER);
      Files.setPosixFilePermissions(path, FOLDER);
    } catch (FileAlreadyExistsException e) {
      // As above.
    }
  }

  /** Replaces a file atomically: readers see the old content or the new. */
  public static void replace(Path path, byte[] content) throws IOException {
    replace(path, content, Durability.OS);
  }

  /**
   * Replaces a file atomically; with {@link Durability#DISK} the new content survives a power
   * failure.
   */
  public static void replace(Path path, byte[] content, Durability durability) throws IOException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IOException(path + " has no folder");
    }
    Path temporary = Files.createTempFile(parent, ".", ".tmp", AS_FILE);
    try {
      Files.setPosixFilePermissions(temporary, FILE);
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        if (durability == Durability.DISK) {
          RealDisk.force(channel);
        }
      }
      Files.move(
          temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      if (durability == Durability.DISK) {
        new RealDisk().syncFolder(parent);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * The reason why a path must not be opened as a file of the bus; null if there is none, or if the
   * path does not exist.
   */
  public static @Nullable String problem(Path path, Kind expected) throws IOException {
    return problem(path, expected, false);
  }

  /** As {@link #problem}; access for other users is a problem, too. */
  public static @Nullable String exposure(Path path, Kind expected) throws IOException {
    return problem(path, expected, true);
  }

  private static @Nullable String problem(Path path, Kind expected, boolean closed)
      throws IOException {
    Map<String, Object> unix;
    try {
      unix = Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
    int mode = (Integer) unix.getOrDefault("mode", 0);
    int type = mode & 0xf000;
    if (type != expected.type) {
      return "is " + describe(type) + ", not " + describe(expected.type);
    }
    Object uid = unix.get("uid");
    if (uid != null && !uid.equals(Owner.UID)) {
      return "belongs to another user (uid " + uid + ")";
    }
    if (closed && (mode & 0x3f) != 0) {
      return "is open to other users (mode " + Integer.toOctalString(mode & 0xfff) + ")";
    }
    return null;
  }

  /**
   * Refuses a path that must not be opened.
   *
   * @throws UnsafeFileException with the reason
   */
  public static void check(Path path, Kind expected) throws IOException {
    String problem = problem(path, expected);
    if (problem != null) {
      throw new UnsafeFileException(path, problem);
    }
  }

  /**
   * Reads a small file of the bus, which another user may have planted.
   *
   * @param most the largest size in bytes
   * @throws UnsafeFileException if it must not be opened or is larger
   */
  public static byte[] read(Path path, int most) throws IOException {
    check(path, Kind.FILE);
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new UnsafeFileException(path, "is larger than " + most + " bytes");
      }
      return bytes;
    }
  }

  /** As {@link #read}, as text. */
  public static String readText(Path path, int most) throws IOException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read(path, most))).toString();
  }

  /** The kinds of entries in a bus folder, with their numbers in {@code stat(2)}. */
  public enum Kind {
    FILE(0x8000),
    FOLDER(0x4000);

    final int type;

    Kind(int type) {
      this.type = type;
    }
  }

  private static String describe(int type) {
    return switch (type) {
      case 0x8000 -> "a regular file";
      case 0x4000 -> "a folder";
      case 0xa000 -> "a symbolic link";
      case 0x1000 -> "a named pipe";
      case 0xc000 -> "a socket";
      case 0x2000, 0x6000 -> "a device";
      default -> "something unknown";
    };
  }

  /** The user of this process, determined once, when the first file is opened. */
  private static final class Owner {
    static final Object UID = uid();

    private static Object uid() {
      for (String own : new String[] {"/proc/self", System.getProperty("user.home", "/")}) {
        try {
          return Files.getAttribute(Path.of(own), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
          // Without /proc, the owner of the home folder is assumed to be the user.
        }
      }
      return -1;
    }
  }
}

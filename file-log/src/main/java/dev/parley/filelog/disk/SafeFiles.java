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

/** Makes and checks files that only their owner may read, whatever the umask says. */
public final class SafeFiles {
  public static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  public static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private static final FileAttribute<Set<PosixFilePermission>> AS_FILE =
      PosixFilePermissions.asFileAttribute(FILE);
  private static final FileAttribute<Set<PosixFilePermission>> AS_FOLDER =
      PosixFilePermissions.asFileAttribute(FOLDER);

  private SafeFiles() {}

  /** Creates an empty file unless something is there. */
  public static void createFile(Path path) throws IOException {
    try {
      Files.createFile(path, AS_FILE);
    } catch (FileAlreadyExistsException e) {
      return; // somebody was faster; what is there is checked when it is opened
    }
    try {
      Files.setPosixFilePermissions(path, FILE); // the umask may have taken bits away
    } catch (NoSuchFileException e) {
      // Somebody has moved it away already: whoever opens it will see.
    }
  }

  /** Creates a folder unless something is there; its parents as the umask has it. */
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

  /** Creates a folder and whatever is missing above it, all for their owner alone. */
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

  /** Replaces a file: readers see the old content or the new, never a part. */
  public static void replace(Path path, byte[] content) throws IOException {
    replace(path, content, Durability.OS);
  }

  /** Replaces a file as above; with {@link Durability#DISK} it survives the machine. */
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
   * Why a path must not be opened as a file of the bus; null if all is well, or nothing is there.
   */
  public static @Nullable String problem(Path path, Kind expected) throws IOException {
    return problem(path, expected, false);
  }

  /** As {@link #problem}; and it must be closed to everybody else. */
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
   * @throws UnsafeFileException saying why
   */
  public static void check(Path path, Kind expected) throws IOException {
    String problem = problem(path, expected);
    if (problem != null) {
      throw new UnsafeFileException(path, problem);
    }
  }

  /**
   * Reads a file of the bus that is small, whoever wrote it.
   *
   * @param most how many bytes it may have
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

  /** The kinds of things a bus folder is made of, as {@code stat(2)} numbers them. */
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

  /** Who we are, found out once and only when a file is opened. */
  private static final class Owner {
    static final Object UID = uid();

    private static Object uid() {
      for (String own : new String[] {"/proc/self", System.getProperty("user.home", "/")}) {
        try {
          return Files.getAttribute(Path.of(own), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
          // Not every system has /proc: the home folder is the next best witness.
        }
      }
      return -1;
    }
  }
}

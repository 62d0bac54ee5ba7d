package dev.parley.filelog;

import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the secrets of sessions beside the bus, for the processes they belong to: in {@code
 * <bus>/sessions/<pid>-<start>-<name>}, readable by the owner only.
 *
 * <p>A process is named by its pid and when it started, so that another one that gets the same pid
 * later is not taken for it.
 */
public final class SessionFiles {
  static final String FOLDER = "sessions";

  /** How large a session's file may be, in bytes. */
  private static final int MOST = 64 << 10;

  private final Path folder;

  public SessionFiles(Path bus) {
    this.folder = bus.resolve(FOLDER);
  }

  /** The session that an agent's process began. */
  public record Kept(long pid, long start, String name, Path file) {}

  /** All that are kept. */
  public List<Kept> all() {
    List<Kept> kept = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Kept one = parse(file);
        if (one != null) {
          kept.add(one);
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw DiskTrouble.reading(folder, e);
    }
    return kept;
  }

  private static @Nullable Kept parse(Path file) {
    String[] parts = String.valueOf(file.getFileName()).split("-", 3);
    try {
      if (parts.length == 3 && AgentName.isValid(parts[2])) {
        return new Kept(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], file);
      }
    } catch (NumberFormatException e) {
      // Something else that lies there.
    }
    return null;
  }

  /** What was kept; null if it is gone. */
  public @Nullable String read(Kept kept) {
    try {
      return SafeFiles.readText(kept.file(), MOST).strip();
    } catch (NoSuchFileException | CharacterCodingException e) {
      return null; // gone, or nothing that we wrote
    } catch (IOException e) {
      throw DiskTrouble.reading(kept.file(), e);
    }
  }

  /** Keeps a token, unless there is one; answers the one that is kept then. */
  public String keep(long pid, long start, String name, String token) {
    Path file = folder.resolve(pid + "-" + start + "-" + new AgentName(name));
    try {
      SafeFiles.createFolder(folder);
      Path temporary =
          folder.resolve(".new-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
      try {
        SafeFiles.createFile(temporary);
        Files.writeString(temporary, token, StandardOpenOption.WRITE);
        // A link appears with its content or not at all, and never in place of another.
        Files.createLink(file, temporary);
      } finally {
        Files.deleteIfExists(temporary);
      }
      return token;
    } catch (FileAlreadyExistsException e) {
      String kept = read(new Kept(pid, start, name, file));
      return kept == null ? token : kept;
    } catch (IOException e) {
      DiskTrouble trouble = DiskTrouble.writing(file, e);
      throw new ParleyException(
          ParleyException.Kind.FAILED, trouble.code(), trouble.what(), trouble.next(), e);
    }
  }

  public void forget(Kept kept) {
    try {
      Files.deleteIfExists(kept.file());
    } catch (IOException e) {
      // It is of no use to anybody any more; it may lie there.
    }
  }
}

package dev.parley.filelog.store;

import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.store.SessionSecrets;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps sessions beside the bus, so that later commands continue them. The files are readable by
 * their owner only.
 *
 * <pre>
 * sessions/&lt;name&gt;           the secret of the session that has the name
 * sessions/&lt;name&gt;@&lt;place&gt;   a place that it is used from, and what is known of that place
 * </pre>
 *
 * Each place has its own file, so that two commands never overwrite each other's data.
 */
public final class SessionFiles implements SessionSecrets {
  public static final String FOLDER = "sessions";

  /** The largest file in bytes. */
  private static final int MOST = 64 << 10;

  private static final String HIDDEN = ".";
  private static final char AT = '@';

  private final Path folder;

  public SessionFiles(Path bus) {
    this.folder = bus.resolve(FOLDER);
  }

  /**
   * One file about a session.
   *
   * @param place where the session is used; null for the session itself
   */
  public record Kept(String name, @Nullable String place, Path file) {}

  /** All files about sessions. */
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
      throw IoErrors.reading(folder, e);
    }
    return kept;
  }

  private static @Nullable Kept parse(Path file) {
    String text = String.valueOf(file.getFileName());
    int at = text.indexOf(AT);
    String name = at < 0 ? text : text.substring(0, at);
    boolean isOurs = !text.startsWith(HIDDEN) && AgentName.isValid(name);
    return isOurs ? new Kept(name, at < 0 ? null : text.substring(at + 1), file) : null;
  }

  @Override
  public @Nullable String secret(String name) {
    return read(new Kept(name, null, file(name, null)));
  }

  /** The content of a file; null if it is gone. */
  public @Nullable String read(Kept kept) {
    try {
      return SafeFiles.readText(kept.file(), MOST).strip();
    } catch (NoSuchFileException | CharacterCodingException e) {
      return null; // it is gone, or another program wrote it
    } catch (IOException e) {
      throw IoErrors.reading(kept.file(), e);
    }
  }

  /** When a file was written, in milliseconds of the wall clock; 0 if it is gone. */
  public long time(Kept kept) {
    try {
      return Files.getLastModifiedTime(kept.file()).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public String keep(String name, String secret) {
    Path file = file(name, null);
    if (write(file, secret, false)) {
      return secret;
    }
    String kept = read(new Kept(name, null, file));
    return kept == null ? secret : kept;
  }

  @Override
  public void replace(String name, String secret) {
    var _ = write(file(name, null), secret, true);
  }

  /** Stores data about a place that a session is used from. */
  public void keepPlace(String name, String place, String about) {
    var _ = write(file(name, place), about, true);
  }

  private Path file(String name, @Nullable String place) {
    return folder.resolve(new AgentName(name) + (place == null ? "" : AT + place));
  }

  /** Writes a file atomically; false if the file exists and {@code replaces} is false. */
  private boolean write(Path file, String text, boolean replaces) {
    try {
      SafeFiles.createFolder(folder);
      Path temporary =
          folder.resolve(HIDDEN + "new-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
      try {
        SafeFiles.createFile(temporary);
        Files.writeString(temporary, text, StandardOpenOption.WRITE);
        if (replaces) {
          Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } else {
          Files.createLink(file, temporary);
        }
      } finally {
        Files.deleteIfExists(temporary);
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      IoErrors trouble = IoErrors.writing(file, e);
      throw new ParleyException(
          ParleyException.Kind.FAILED, trouble.code(), trouble.what(), trouble.next(), e);
    }
  }

  public void forget(Kept kept) {
    try {
      Files.deleteIfExists(kept.file());
    } catch (IOException e) {
      // A file that can't be removed does no harm.
    }
  }
}

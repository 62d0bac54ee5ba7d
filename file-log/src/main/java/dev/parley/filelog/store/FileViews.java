package dev.parley.filelog.store;

import dev.parley.core.Topic;
import dev.parley.core.store.Views;
import dev.parley.core.writer.SipHash;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.disk.UnsafeFileException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each view in {@code <bus>/views/<name>.json}, replaced as a whole. It is a {@link
 * AuthenticatedFile}, so a view that another program wrote or changed is ignored.
 */
public final class FileViews implements Views {
  public static final String FOLDER = "views";

  /**
   * The largest view in bytes; a fold with a larger state starts from the beginning of the log each
   * time.
   */
  private static final int MOST = 256 << 20;

  private static final String SUFFIX = ".json";

  private final Path folder;
  private final AuthenticatedFile sealed;

  /**
   * @param secret the secret of the bus, {@link SipHash#KEY} bytes
   */
  public FileViews(Path bus, byte[] secret) {
    this.folder = bus.resolve(FOLDER);
    this.sealed = new AuthenticatedFile(secret);
  }

  /** Why a view can't be used. */
  public enum Trouble {
    NONE,
    /** It has no digest: an earlier version wrote it. */
    UNSEALED,
    /** Its digest does not match. */
    CHANGED
  }

  public Trouble examine(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    byte[] bytes;
    try {
      bytes = SafeFiles.read(file, MOST);
    } catch (UnsafeFileException e) {
      return Trouble.CHANGED;
    }
    if (!AuthenticatedFile.isSealed(bytes)) {
      return Trouble.UNSEALED;
    }
    String view = name.substring(0, name.length() - SUFFIX.length());
    return sealed.open(view, bytes) == null ? Trouble.CHANGED : Trouble.NONE;
  }

  @Override
  public byte @Nullable [] load(String name) {
    Path file = file(name);
    try {
      return sealed.open(name, SafeFiles.read(file, MOST));
    } catch (IOException e) {
      return null; // then the fold starts from the beginning of the log
    }
  }

  @Override
  public void save(String name, byte[] content) {
    try {
      SafeFiles.createFolder(folder);
      SafeFiles.replace(file(name), sealed.seal(name, content));
    } catch (IOException e) {
      // The next reader will try again; only time is lost.
    }
  }

  private Path file(String name) {
    // Views follow the rules for topic names, because a view is named for its topic.
    return folder.resolve(new Topic(name) + SUFFIX);
  }
}

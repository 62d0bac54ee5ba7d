package dev.parley.filelog.store;

import dev.parley.core.ParleyException;
import dev.parley.core.store.Contents;
import dev.parley.filelog.Durability;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Keeps each content in {@code <bus>/content/<digest>}; the file name lacks the prefix {@code
 * sha256:}. A process that is killed while it stores leaves a temporary file, which is never read.
 */
public final class FileContents implements Contents {
  public static final String FOLDER = "content";

  private static final String KIND = "sha256:";

  private final Path folder;
  private final int limit;
  private final Durability durability;

  public FileContents(Path bus, int limit, Durability durability) {
    this.folder = bus.resolve(FOLDER);
    this.limit = limit;
    this.durability = durability;
  }

  @Override
  public int limit() {
    return limit;
  }

  @Override
  public String store(byte[] content) {
    if (content.length > limit) {
      throw Contents.tooLong(limit);
    }
    String digest = Contents.digest(content);
    Path file = file(digest);
    try {
      SafeFiles.createFolder(folder);
      SafeFiles.check(folder, SafeFiles.Kind.FOLDER);
      // An existing file may be damaged; then it is replaced.
      if (!isSound(file)) {
        SafeFiles.replace(file, content, durability);
      }
      return digest;
    } catch (IOException e) {
      IoErrors trouble = IoErrors.writing(file, e);
      throw new ParleyException(
          ParleyException.Kind.FAILED, trouble.code(), trouble.what(), trouble.next(), e);
    }
  }

  @Override
  public byte[] load(String digest) {
    Path file = file(Contents.check(digest));
    try {
      SafeFiles.check(file, SafeFiles.Kind.FILE);
      byte[] content = Files.size(file) > MAX_LIMIT ? new byte[0] : Files.readAllBytes(file);
      if (!Contents.digest(content).equals(digest)) {
        throw new ParleyException(
            ParleyException.Kind.FAILED,
            "content-damaged",
            "The content in " + file + " is not what was stored there.",
            "Ask the sender to send it again.");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw Contents.missing(digest);
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  private Path file(String digest) {
    return folder.resolve(digest.substring(KIND.length()));
  }

  /** Whether a file exists and its content has the digest in its name. */
  public static boolean isSound(Path file) throws IOException {
    SafeFiles.check(file, SafeFiles.Kind.FILE);
    return isNamedLikeOne(file)
        && Files.exists(file)
        && Files.size(file) <= MAX_LIMIT
        && Contents.digest(Files.readAllBytes(file)).equals(KIND + file.getFileName());
  }

  public static boolean isNamedLikeOne(Path file) {
    return DIGEST.matcher(KIND + file.getFileName()).matches();
  }
}

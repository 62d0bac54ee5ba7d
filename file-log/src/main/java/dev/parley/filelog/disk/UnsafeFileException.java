package dev.parley.filelog.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Something in a bus folder is not what it must be: a link, a pipe, somebody else's. */
public final class UnsafeFileException extends IOException {
  private static final long serialVersionUID = 1L;

  UnsafeFileException(Path path, String problem) {
    super(path + " " + problem);
  }
}
